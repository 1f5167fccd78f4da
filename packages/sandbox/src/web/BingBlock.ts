import type { LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import { escaped } from "./Page.ts"
import { type Cite, htmlOf, markupOf } from "./PageMarkup.ts"

/** The path of the simulated Bing. */
export const base = "/web/bing_copilot"

/** An address in the form in which Bing puts it into a redirector's parameter. */
export const encoded = (url: string): string => Buffer.from(url).toString("base64url")

/** A link in the form of Bing's pages: through a redirector. */
export const wrapped = (url: string): string => escaped(`${base}/ck/a?!&&p=0&ptn=3&u=a1${encoded(url)}&ntb=1`)

const markFor =
  ({ sources }: LiveAnswer): Cite =>
  (cited) =>
    cited.flatMap((index) => {
      const href = sources[index] === undefined ? "" : `${base}/ck/a?!&&p=0&u=a1${encoded(sources[index].url)}`
      const link = { tag: "a", attributes: { href }, children: [`${index + 1}`] }
      return [{ tag: "sup", attributes: { class: "gs_sup_cit" }, children: [link] }]
    })

const referenceOf = ({ host, snippet, title, url }: LiveSource): string =>
  `<li><a href="${wrapped(url)}"><div role="heading" aria-level="3">${escaped(title)}</div></a>` +
  `<cite>${escaped(host)}</cite><p>${escaped(snippet)}</p></li>`

/** The answer. Half of it is hidden until "See more" is clicked. */
export const answerBlock = (answer: LiveAnswer): string => {
  const blocks = markupOf(answer.spans, markFor(answer))
  const half = Math.ceil(blocks.length / 2)
  return (
    `<div>${htmlOf(blocks.slice(0, half))}</div><div class="rest" hidden>${htmlOf(blocks.slice(half))}</div>` +
    `<button aria-label="See more of the answer">See more</button>` +
    `<ol aria-label="References" class="gs_refs">${answer.sources.map(referenceOf).join("")}</ol>` +
    `<div class="gs_ai_disclaimer">This answer was generated with AI.</div>`
  )
}
