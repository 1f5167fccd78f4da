import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { boundedText } from "@sightline/platforms/Bounds"
import { citationsOf, type Source } from "@sightline/platforms/Citations"
import { matchText } from "@sightline/platforms/MatchText"
import { markdownOf } from "./Markdown.ts"
import { parseMarkup } from "./Markup.ts"
import { absent } from "@sightline/platforms/SurfaceAnswer"
import { textMinLength } from "./TextMinLength.ts"
import { searchLink } from "./SearchLinks.ts"
import { challengeSigns, loginSigns, regionSigns } from "./Signs.ts"
import type { KeptStream, Observation, SurfaceProfile, Unread } from "./Surface.ts"

const asked = "user-query"
const answered = "model-response"
const container = `${answered} message-content .markdown`
const panelLinks = "context-sidebar a[href], sources-list a[href]"

type Page = ReturnType<typeof parseMarkup>

/** The external pages that links lead to. Further searches and the engine's own help are not sources. */
const linksIn = (page: Page, selector: string, pageUrl: string): ReadonlyArray<Source> =>
  page(selector)
    .toArray()
    .flatMap((element) => {
      const link = page(element)
      const followed = searchLink(link.attr("href") ?? "", pageUrl)
      if (followed === undefined || !followed.outside) return []
      const title = link.find(".title").first()
      return [{ url: followed.url, title: (title.length > 0 ? title : link).text().replace(/\s+/g, " ") }]
    })

const isWhole = ({ body, status }: KeptStream): boolean =>
  status === 200 && body !== "" && !body.includes("BardErrorInfo")

/**
 * Reads the page. Its stream contains only positional fields, whose positions change, so only its end counts: a stream that
 * broke off may have left half an answer, and only a complete one shows that there is no answer.
 */
const read = ({ html, streams, url }: Observation): Result.Result<Answer, Unread> => {
  const page = parseMarkup(html)
  const came = streams.some(isWhole)
  if (page(answered).length === 0) {
    return came && page(asked).length > 0 ? Result.succeed(absent("gemini_live")) : Result.fail("parse_error")
  }
  if (streams.length > 0 && !came) return Result.fail("parse_error")
  const markdown = page(container).last()
  if (markdown.length === 0) return Result.fail("parse_error")
  const raw = boundedText(markdownOf(page.html(markdown)))
  const text = matchText(raw)
  if (text.length < textMinLength) return Result.fail("container_empty")
  const panel = linksIn(page, panelLinks, url)
  const citations = citationsOf(panel.length > 0 ? panel : linksIn(page, `${container} a[href]`, url))
  return Result.succeed({
    text,
    raw,
    citations,
    fanOut: [],
    brandEntities: [],
    searched: citations.length > 0,
    model: "",
    finish: "stop"
  })
}

/** Gemini without an account. Related searches and brands are not shown there. */
export const profile: SurfaceProfile = {
  surface: "gemini_live",
  origin: () => "https://gemini.google.com",
  path: (_query, { language }) => `/app?hl=${language}`,
  dismiss: [
    "#L2AGLb",
    'form[action*="consent.google.com"] button',
    '[role="dialog"] button[aria-label="Accept all"]',
    '[role="dialog"] button[aria-label="Close"]',
    'button[data-test-id="stay-signed-out"]'
  ],
  composer: { input: 'rich-textarea div[contenteditable="true"]', send: 'button[aria-label*="Send message" i]' },
  streams: ["/StreamGenerate"],
  containers: [container, answered],
  results: [asked],
  absence: [],
  expand: [`${answered} button[aria-label*="Sources" i]`],
  busy: ['button[aria-label*="Stop response" i]', `${answered} [aria-busy="true"]`],
  signs: [
    { block: "captcha", url: "/sorry/" },
    { block: "captcha", status: 429, selector: asked },
    ...challengeSigns,
    ...regionSigns,
    { block: "login_wall", url: "accounts.google.com" },
    ...loginSigns
  ],
  read
}
