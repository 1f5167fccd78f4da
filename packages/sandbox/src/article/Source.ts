import type { Dice } from "@sightline/sandbox/Dice"
import type { Market } from "./Market.ts"

/** A page that a simulated web search found. `date` is the day of its publication, if the page states it. */
export interface Source {
  readonly url: string
  readonly host: string
  readonly title: string
  readonly snippet: string
  readonly date: string | undefined
  /** The brand to which the page belongs, if it is a brand's own page. */
  readonly brand: string | undefined
}

/** A name in the form it has in an address: `Bang & Olufsen` → `bang-olufsen`. */
export const slug = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/\.com$/i, "")
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "") || "brand"

const sentenceCase = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Review sites and forums that do not exist: `.example` is a reserved domain. */
const desks: ReadonlyArray<readonly [host: string, title: (noun: string, first: string, second: string) => string]> = [
  ["reviewhub.example", (noun) => `Best ${noun}, tested`],
  ["consumerlens.example", (noun) => `${sentenceCase(noun)}: what to buy and what to skip`],
  ["buyersdigest.example", (noun) => `The ${noun} our readers keep`],
  ["forum.example", (noun) => `Which ${noun} do you actually use?`],
  ["dailyverdict.example", (_noun, first, second) => `${first} against ${second}`],
  ["longtest.example", (_noun, first) => `Six months with ${first}`],
  ["editorspick.example", (noun) => `Editors’ picks: ${noun}`],
  ["pricewatch.example", (noun) => `What ${noun} cost this season`]
]

const pages = ["", "pricing", "products", "reviews"] as const

const dateOf = (draw: Dice): string | undefined =>
  draw.chance(0.7)
    ? `2026-${String(8 + draw.below(3)).padStart(2, "0")}-${String(1 + draw.below(28)).padStart(2, "0")}`
    : undefined

/** The sources of an answer: three or four reviews, then the brands' own pages of two or three of its brands. */
export const sourcesOf = (market: Market, country: string, draw: Dice): ReadonlyArray<Source> => {
  const { topic, picks } = market
  const [first, second = topic.noun] = picks
  const trait = (index: number) => topic.traits[index % topic.traits.length] ?? "quality"
  const place = country === "US" || country === "" ? "" : `/${country.toLowerCase()}`
  const reviews = draw
    .shuffle(desks)
    .slice(0, 3 + draw.below(2))
    .map(([host, title]) => ({
      url: `https://${host}${place}/${slug(topic.noun)}${host === "forum.example" ? `/${100 + draw.below(900)}` : ""}`,
      host,
      title: title(topic.noun, first, second),
      snippet: `${first} came out ahead of ${second} for its ${trait(draw.below(topic.traits.length))}.`,
      date: dateOf(draw),
      brand: undefined
    }))
  const own = draw
    .shuffle(picks)
    .slice(0, 2 + draw.below(2))
    .map((brand) => {
      const host = `${slug(brand)}.example`
      const page = draw.pick(pages)
      return {
        url: `https://${host}/${page}`,
        host,
        title: page === "" ? brand : `${sentenceCase(page)} | ${brand}`,
        snippet: `${brand}: ${trait(draw.below(topic.traits.length))} and ${trait(draw.below(topic.traits.length))}.`,
        date: undefined,
        brand
      }
    })
  return [...reviews, ...own]
}

/** The searches that an engine reports to have run. */
export const queriesOf = ({ topic, picks }: Market, draw: Dice): readonly [string, ...Array<string>] => {
  const [first, second] = picks
  const comparison = second === undefined ? `${first} reviews` : `${first} vs ${second}`
  return draw.chance(0.5) ? [`best ${topic.noun}`, comparison] : [`best ${topic.noun} reviews`]
}
