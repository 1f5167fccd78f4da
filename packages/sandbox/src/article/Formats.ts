import { angle, type Brief, claim } from "./Brief.ts"
import { plain, type Span } from "./Span.ts"

/** One of the layouts that engines use: the part of an answer between the opening and the advice. */
export type Format = (brief: Brief) => ReadonlyArray<Span>

/** A full sentence about a brand. Neighbouring sentences use different patterns, so that no answer looks filled in from a form. */
const about = (brief: Brief, brand: string, index: number): Span => {
  const { first, second, buyer } = angle(brief)
  const owners = `${brand}’${/s$/i.test(brand) ? "" : "s"}`
  const sentences = [
    `${brand} is the safe choice for ${buyer}, thanks to ${first}.`,
    `If you care most about ${first}, ${brand} is hard to beat.`,
    `${brand} keeps coming up in tests for its ${first}; owners also like its ${second}.`,
    `Reviewers praise ${owners} ${first} and find it easy to recommend for ${buyer}.`,
    `${brand} costs a little more than most, and gives you ${first} and ${second} in return.`,
    `Long-term owners rate ${brand} highly for ${first} – fewer mention its ${second}.`,
    `For ${buyer}, ${brand} is the quieter alternative: ${first}, ${second} and few surprises.`
  ]
  return claim(brief, sentences[(brief.picks[0].length + index) % sentences.length] ?? "", brand)
}

/** The text after a bold name in a list. */
const remark = (brief: Brief, brand: string, index: number): Span => {
  const { first, second, buyer } = angle(brief)
  const remarks = [
    `a dependable pick for ${buyer}, with ${first} and ${second}.`,
    `known for ${first}; a good match for ${buyer}.`,
    `${first} at a fair price, though not the one to buy for ${second}.`,
    `the one to try if you put ${first} before ${second}.`,
    `popular among people shopping for ${buyer}, above all for its ${first}.`
  ]
  return claim(brief, remarks[(brief.picks.length + index) % remarks.length] ?? "", brand)
}

const each = (brief: Brief, write: (brand: string, index: number) => ReadonlyArray<Span>): ReadonlyArray<Span> =>
  brief.picks.flatMap(write)

const numbered: Format = (brief) =>
  each(brief, (brand, index) => [
    plain(`${index + 1}. **${brand}** – `),
    remark(brief, brand, index),
    plain(" "),
    about(brief, brand, index),
    plain("\n")
  ])

const bulleted: Format = (brief) =>
  each(brief, (brand, index) => [
    plain(`- **${brand}**: `),
    remark(brief, brand, index),
    ...(index < 4 ? [plain(" "), about(brief, brand, index)] : []),
    plain("\n")
  ])

const headed: Format = (brief) =>
  each(brief, (brand, index) => [
    plain(`### ${index === 0 ? "🏆 Best overall" : `Best for ${angle(brief).buyer}`}: ${brand}\n\n`),
    about(brief, brand, index),
    plain(" "),
    about(brief, brand, index + 3),
    plain("\n\n")
  ])

const table: Format = (brief) => [
  plain("| Name | Best for | Known for |\n|---|---|---|\n"),
  ...each(brief, (brand) => {
    const { first, second, buyer } = angle(brief)
    return [plain(`| **${brand}** | ${buyer} | `), claim(brief, `${first}, ${second}`, brand), plain(" |\n")]
  }),
  plain("\n"),
  ...brief.picks.slice(0, 4).flatMap((brand, index) => [about(brief, brand, index), plain(" ")]),
  plain("\n")
]

const prose: Format = (brief) =>
  each(brief, (brand, index) => [
    about(brief, brand, index),
    plain(" "),
    about(brief, brand, index + 2),
    plain(index % 2 === 1 ? "\n\n" : " ")
  ])

const ranking: Format = (brief) => [
  plain(`My ranking: ${brief.picks.join(" > ")}.\n\n`),
  ...each(brief, (brand, index) => [about(brief, brand, index), plain("\n\n")])
]

const formats = [numbered, numbered, bulleted, headed, table, prose, ranking] as const

/** The layout of one answer; lists are the most common. */
export const formatFor = (brief: Brief): Format => brief.draw.pick(formats)
