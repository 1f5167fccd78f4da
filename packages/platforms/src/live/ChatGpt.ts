import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { boundedText, excerpt } from "@sightline/platforms/Bounds"
import { citationsOf } from "@sightline/platforms/Citations"
import { matchText } from "@sightline/platforms/MatchText"
import { sponsoredIn } from "./ChatGptAdverts.ts"
import { sourcesIn } from "./ChatGptLinks.ts"
import { type Conversation, conversationOf, type Message } from "./ChatGptStream.ts"
import { resolveTokens } from "./ChatGptText.ts"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { drop, parseMarkup, select, textContentOf } from "./Markup.ts"
import { textMinLength } from "./TextMinLength.ts"
import { challengeSigns, loginSigns, regionSigns } from "./Signs.ts"
import type { Observation, SurfaceProfile, Unread } from "./Surface.ts"

const asked = '[data-message-author-role="user"]'
const answered = '[data-message-author-role="assistant"]'

const queriesMax = 50

const isFinal = ({ author, channel, recipient }: Message): boolean =>
  author.role === "assistant" && channel === "final" && (recipient ?? "all") === "all"

/** The text of the page outside the conversation. An advert's title within the answer does not show that the advert was displayed. */
const beside = (html: string): string => {
  const page = parseMarkup(html)
  drop(select(page, `script, style, template, ${asked}, ${answered} .markdown`))
  return select(page, ":root")
    .map((root) => textContentOf(root))
    .join("")
}

const queriesOf = ({ messages }: Conversation): ReadonlyArray<string> => {
  const queries = messages.flatMap(({ metadata }) => metadata?.search_model_queries?.queries ?? [])
  const texts = queries.flatMap((query) => (typeof query === "string" && query !== "" ? [excerpt(query)] : []))
  return Array.from(new Set(texts)).slice(0, queriesMax)
}

const answerOf = (conversation: Conversation, final: Message, page: Observation): Result.Result<Answer, Unread> => {
  const [delivered] = final.content?.parts ?? []
  const raw = boundedText(typeof delivered === "string" ? delivered : "")
  const { entities, said } = resolveTokens(raw)
  const text = matchText(said)
  if (text.length < textMinLength) return Result.fail("container_empty")
  const citations = citationsOf(sourcesIn(final.metadata?.content_references))
  const fanOut = queriesOf(conversation)
  const { adverts } = conversation
  return Result.succeed({
    text,
    raw,
    citations,
    fanOut,
    brandEntities: entities,
    sponsored: sponsoredIn(adverts, adverts.length === 0 ? [] : [page.visibleText, beside(page.html)]),
    searched: citations.length > 0 || fanOut.length > 0,
    model: excerpt(final.metadata?.resolved_model_slug ?? ""),
    finish: "stop"
  })
}

/**
 * Reads the conversation's streams. The page itself is used only for what the streams do not say: whether an advert was
 * displayed, and whether the page shows an answer that no stream contained.
 */
const read = (page: Observation): Result.Result<Answer, Unread> => {
  const conversation = conversationOf(page.streams)
  if (!conversation.complete) return Result.fail("parse_error")
  const final = conversation.messages.findLast(isFinal)
  if (final !== undefined) return answerOf(conversation, final, page)
  return conversation.failed || parseMarkup(page.html)(answered).length > 0
    ? Result.fail("parse_error")
    : Result.succeed(absent("chatgpt_live"))
}

/** ChatGPT without an account, with its search on. */
export const profile: SurfaceProfile = {
  surface: "chatgpt_live",
  origin: () => "https://chatgpt.com",
  path: () => "/?hints=search",
  dismiss: [
    '[data-testid="cookie-banner"] button[data-testid="reject-all"]',
    '[role="dialog"] [data-testid="stay-logged-out"]',
    '[role="dialog"] button[aria-label="Close"]'
  ],
  composer: { input: "#prompt-textarea", send: 'button[data-testid="send-button"]' },
  streams: [
    "/backend-anon/f/conversation",
    "/backend-api/f/conversation",
    "/backend-anon/f/conversation/resume",
    "/backend-api/f/conversation/resume"
  ],
  containers: [`${answered} .markdown`, answered],
  results: [asked],
  absence: [],
  expand: [],
  streamEnd: '"type":"message_stream_complete"',
  busy: ['button[data-testid="stop-button"]'],
  signs: [
    ...challengeSigns,
    // These statuses count only once the site itself was served: its guard answers with them too, before that.
    { block: "captcha", status: 429, selector: "#prompt-textarea" },
    {
      block: "captcha",
      selector: `body:not(:has(${answered} .markdown))`,
      text: "unusual activity has been detected",
      textMax: 4000
    },
    ...regionSigns,
    ...loginSigns,
    { block: "login_wall", status: 403, selector: "#prompt-textarea" },
    { block: "login_wall", url: "auth.openai.com" }
  ],
  read
}
