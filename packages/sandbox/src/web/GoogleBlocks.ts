import { dice } from "@sightline/sandbox/Dice"
import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import { type Cite, htmlOf, type Markup, markupOf } from "./PageMarkup.ts"

/** The path of a simulated Google site, and the seed of the ids of its buttons. */
export interface GoogleSite {
  readonly base: `/${string}`
  readonly seed: number
}

const element = (
  tag: string,
  attributes: Readonly<Record<string, string>>,
  children: ReadonlyArray<Markup> = []
): Markup => ({ tag, attributes, children })

/** A link in the form of Google's pages: through a redirector that names its target. */
const wrapped = ({ base }: GoogleSite, { snippet, url }: LiveSource): string =>
  `${base}/url?q=${encodeURIComponent(`${url}#:~:text=${encodeURIComponent(snippet)}`)}&sa=U`

/** How many sources are listed before "Show all" is clicked. */
const listedFirst = 3

const cardOf = (site: GoogleSite, source: LiveSource, index: number): Markup => {
  const hidden: Readonly<Record<string, string>> = index < listedFirst ? {} : { hidden: "" }
  return element("li", { "data-src-id": `${index}`, ...hidden }, [
    element("a", { href: wrapped(site, source), "aria-label": source.title }, [
      element("div", { role: "heading", "aria-level": "3" }, [source.title]),
      element("span", {}, [source.host])
    ]),
    element("div", {}, [source.snippet])
  ])
}

const advertOf = ({ base }: GoogleSite, { advertiser, body, domain, title, url }: Advert): Markup => {
  const target = encodeURIComponent(`${url}?gclid=sandbox`)
  return element("div", { "data-text-ad": "1" }, [
    element("a", { href: `${base}/aclk?sa=l&ai=sandbox&adurl=${target}` }, [
      element("div", { role: "heading", "aria-level": "3" }, [title]),
      element("span", {}, ["Sponsored"]),
      element("span", {}, [advertiser]),
      element("cite", {}, [domain])
    ]),
    element("div", {}, [body])
  ])
}

/** The adverts inside an answer. */
const advertsOf = (site: GoogleSite, { adverts }: LiveAnswer): ReadonlyArray<Markup> =>
  adverts.filter(({ rendered }) => rendered).map((advert) => advertOf(site, advert))

const mistakes = element("div", {}, [
  "AI responses may include mistakes. ",
  element("a", { href: "https://support.google.com/websearch" }, ["Learn more"])
])

const buttonFor = (sources: ReadonlyArray<LiveSource>, id: string): Markup => {
  const [host = "", ...others] = sources.map((source) => source.host)
  const label = others.length === 0 ? host : `${host} +${others.length}`
  return element("button", { "data-icl-uuid": id, "aria-label": `${label} – View related links` }, [label])
}

const citing =
  (answer: LiveAnswer, idOf: (cited: ReadonlyArray<number>) => string): Cite =>
  (cited) =>
    cited.length === 0
      ? []
      : [
          buttonFor(
            cited.flatMap((index) => answer.sources[index] ?? []),
            idOf(cited)
          )
        ]

/** An AI Overview. Half of it is hidden until "Show more" is clicked. */
export const overviewBlock = (site: GoogleSite, answer: LiveAnswer): string => {
  const blocks = markupOf(
    answer.spans,
    citing(answer, (cited) => `overview-${cited.join("-")}`)
  )
  const half = Math.ceil(blocks.length / 2)
  return htmlOf([
    element("div", { role: "heading", "aria-level": "2" }, ["AI Overview"]),
    element("div", { id: "m-x-content" }, [
      element("div", {}, blocks.slice(0, half)),
      element("div", { class: "rest", hidden: "" }, blocks.slice(half)),
      ...advertsOf(site, answer),
      element("div", { "data-subtree": "msc" }, [
        element(
          "ul",
          {},
          answer.sources.map((source, index) => cardOf(site, source, index))
        ),
        element("button", { "aria-label": "Show all related links" }, ["Show all"])
      ]),
      mistakes
    ]),
    element(
      "div",
      {
        role: "button",
        "aria-controls": "m-x-content",
        "aria-expanded": "false",
        "aria-label": "Show more AI Overview"
      },
      ["Show more"]
    )
  ])
}

/** JSON that cannot end a comment. */
const inComment = (value: unknown): string =>
  JSON.stringify(value).replaceAll("--", "\\u002d\\u002d").replaceAll(">", "\\u003e")

const record = ({ host, snippet, title, url }: LiveSource): ReadonlyArray<unknown> => {
  const picture = `https://encrypted-tbn0.gstatic.com/favicon?url=https://${host}`
  return [title, snippet, picture, `https://${host}`, [host], url, null, null, "1", 0]
}

/** An answer of AI Mode. The sources behind its buttons are only in comments; the list beside it has the first sources. */
export const modeTurn = (site: GoogleSite, question: string, answer: LiveAnswer): string => {
  const records: Array<string> = []
  const idOf = (cited: ReadonlyArray<number>): string => {
    const hex = dice(site.seed, "button", question, records.length).hex(32)
    const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-")
    const sources = cited.flatMap((index) => answer.sources[index] ?? [])
    records.push(`<!--Sv6Kpe${inComment([[id, ...sources.map(record)]])}-->`)
    return id
  }
  const main = element("div", { "data-container-id": "main-col" }, [
    ...markupOf(answer.spans, citing(answer, idOf)),
    ...advertsOf(site, answer),
    mistakes
  ])
  const list = answer.sources.slice(0, listedFirst).map((source, index) => cardOf(site, source, index))
  const rail = element("div", { "data-container-id": "rhs-col" }, [element("ul", {}, list)])
  return htmlOf([main, rail]) + records.join("")
}
