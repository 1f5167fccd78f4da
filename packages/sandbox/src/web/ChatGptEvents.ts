import { dice } from "@sightline/sandbox/Dice"
import type { LiveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { partsOf } from "./PageStream.ts"

const open = "\uE200"
const part = "\uE202"
const close = "\uE201"
const conversation = "c0ffee00-0000-4000-8000-000000000000"
const conversationEnd = { type: "message_stream_complete", conversation_id: conversation }

const control = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`
const delta = (data: unknown): string => `event: delta\ndata: ${JSON.stringify(data)}\n\n`
const opening = 'event: delta_encoding\ndata: "v1"\n\n'
const closing = "data: [DONE]\n\n"

/** The answer with each brand marked up at its first mention, and a token after each sentence with citations. */
const deliveredOf = ({ entities, sources, spans }: LiveAnswer): string => {
  let rest = entities
  return spans
    .map(({ text, cites }) => {
      let said = ""
      let left = text
      for (const { name, category } of rest) {
        const at = left.indexOf(name)
        if (at === -1) continue
        rest = rest.filter((entity) => entity.name !== name)
        said += `${left.slice(0, at)}${open}entity${part}${JSON.stringify([category, name, category])}${close}`
        left = left.slice(at + name.length)
      }
      const cited = cites.filter((index) => sources[index] !== undefined).map((index) => `turn0search${index}`)
      return `${said}${left}${cited.length === 0 ? "" : ` ${open}cite${part}${cited.join(part)}${close}`}`
    })
    .join("")
}

const referenceOf = ({ sources }: LiveAnswer) =>
  sources.map(({ host, snippet, title, url }, index) => ({
    type: "grouped_webpages",
    matched_text: `${open}cite${part}turn0search${index}${close}`,
    items: [{ title, url: `${url}?utm_source=chatgpt.com`, attribution: host, snippet, supporting_websites: [] }]
  }))

const advertOf = ({ adverts }: LiveAnswer) => ({
  type: "ads",
  ads: adverts.map(({ advertiser, body, domain, rendered, title, url }) => ({
    type: "single_advertiser_ad_unit",
    advertiser_brand: { name: advertiser, url: domain, favicon_url: null },
    carousel_cards: [
      {
        title,
        body,
        image_url: null,
        target: { type: "url", value: `${url}?utm_source=chatgpt`, open_externally: true }
      }
    ],
    visibility: { status: rendered ? "visible" : "hidden" }
  }))
})

const message = (role: string, over: Readonly<Record<string, unknown>>) => ({
  message: {
    author: { role, name: role === "tool" ? "web.run" : null },
    recipient: "all",
    status: "in_progress",
    content: { content_type: "text", parts: [""] },
    ...over
  },
  conversation_id: conversation
})

const searching = ({ fanOut }: LiveAnswer): ReadonlyArray<string> => [
  opening,
  delta({
    p: "",
    o: "add",
    v: message("tool", {
      channel: null,
      metadata: { search_model_queries: { type: "search_model_queries", queries: fanOut } }
    }),
    c: 1
  })
]

const answering = (answer: LiveAnswer, delivered: string): ReadonlyArray<string> => {
  const [first = "", ...others] = partsOf(delivered, 12)
  const metadata = { model_slug: answer.model, resolved_model_slug: answer.model, content_references: [] }
  const text = "/message/content/parts/0"
  const end = [
    { p: "/message/metadata/content_references", o: "append", v: referenceOf(answer) },
    { p: "/message/status", o: "replace", v: "finished_successfully" },
    { p: "/message/end_turn", o: "replace", v: true }
  ]
  return [
    delta({ p: "", o: "add", v: message("assistant", { channel: "final", metadata }), c: 2 }),
    delta({ p: text, o: "append", v: first }),
    ...others.map((v) => delta({ v })),
    delta({ p: "", o: "patch", v: end })
  ]
}

/** The streams of a conversation: for the first call, and for the call that continues it after a handoff. */
export interface ChatGptStreams {
  readonly first: ReadonlyArray<string>
  readonly resumed: ReadonlyArray<string>
}

/** The event streams of a scene. One conversation in three is handed off to a second stream before its answer begins. */
export const chatGptStreams = (seed: number, { answer, ending, question }: Scene): ChatGptStreams => {
  const ends = [control(conversationEnd), closing]
  if (answer === undefined) return { first: [opening, ...ends], resumed: [] }
  if (ending?.kind === "broken") {
    const packed = Buffer.from(answer.markdown).toString("base64")
    return { first: ['event: delta_encoding\ndata: "v9"\n\n', `data: ${packed}\n\n`, closing], resumed: [] }
  }
  const delivered = ending?.kind === "container_empty" ? "" : deliveredOf(answer)
  const rest = [...answering(answer, delivered), control(advertOf(answer)), ...ends]
  if (!dice(seed, "handoff", question).chance(1 / 3)) return { first: [...searching(answer), ...rest], resumed: [] }
  const handoff = control({ type: "stream_handoff", conversation_id: conversation })
  return { first: [...searching(answer), handoff, closing], resumed: [opening, ...rest] }
}
