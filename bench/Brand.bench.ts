/**
 * What finding a brand costs: `findBrand` with rank and excerpt over answers of 4.5 KB. Three answers in four hold
 * typographic quotes and dashes, as those of the engines do; the fourth is plain ASCII.
 * Unit: MB of answer text per second. Limit: `indexOf` of the lower-cased brand on the lower-cased answer.
 * Knobs: the brand's length (5 to 100 characters), how the answer names it (exactly, misspelt, not at all), and
 * the answer's length at 1×, 4× and 16×, whose slope must stay 1. The last rows are how long the first answers of a process block
 * its event loop (`FirstAnswers.ts`), the median of five processes, and the slowest of some hostile texts of 1 MB.
 */
import { fork } from "node:child_process"
import { pathToFileURL } from "node:url"
import { findBrand } from "@sightline/domain/Brand"
import { type Bench, median, type Row } from "./Bench.ts"
import type { FirstAnswers } from "./FirstAnswers.ts"

const target = 0.15
const rounds = 7
const answerLength = 4500
const processes = 5
const turnMax = 50
/** What hostile texts repeat: lines, bold runs and links that each may be a name. */
const hostile = ["A\n", "Bo\n", "**凝", "**ال", "A[x](y)", "【†"]

/** A brand of 100 characters. */
export const longBrand =
  "The Greater Northfolk Cooperative Society of Independent Beekeepers, Candlemakers and Honey Merchant"

const brands = [
  "Zorbx",
  "Kentova",
  "Vantexil",
  "Quorvane Labs",
  "Brightmoor Analytics",
  "Holloway Brennick Travel Outfitters of Maine",
  longBrand
]

const kinds = ["standing", "misspelt", "absent"] as const
type Kind = (typeof kinds)[number]

const rivals = ["Altrivo", "Benmark", "Coralio", "Duskwell", "Emberly", "Fennwick", "Gloriva", "Hexmoor"]
const praise = [
  "keeps its promises on battery life, and most owners say the app is easy to live with after a week",
  "is the one reviewers name when price matters more than finish; expect plain packaging and honest numbers",
  "has the widest choice of integrations, though setting it up takes an afternoon and some patience",
  "suits small teams that want reports without hiring an analyst, and support answers within a day",
  "was redesigned last year, costs a little more than before, and now ships with a three-year warranty"
]

/** An answer like those of the engines: an introduction, a numbered list with bold names, and a paragraph to close. */
export const answerOf = (named: string | undefined, length: number): string => {
  const lines = ["Here are the options that come up most often when people compare them in 2025:", ""]
  let size = 0
  for (let index = 0; size < length - 400; index++) {
    const rival = rivals[index % rivals.length] ?? ""
    const line = `${index + 1}. **${index < rivals.length ? rival : `${rival} ${index}`}** - ${praise[index % praise.length]}. It is best for people who value ${index % 2 === 0 ? "comfort" : "range"} over everything else.`
    lines.push(line)
    size += line.length + 1
  }
  const middle = Math.floor(lines.length / 2)
  if (named !== undefined)
    lines.splice(
      middle,
      1,
      `${middle - 1}. **${named}** - ${praise[1]}. Many call it the quiet favourite of the group.`
    )
  lines.push("", "In short, decide what you need first, then compare the prices: they change from month to month.")
  const text = lines.join("\n")
  return text.padEnd(length, " and so on").slice(0, length)
}

/** The same answer with typographic characters, or in plain ASCII. It is decoded anew, so that no two texts share a string. */
export const written = (text: string, typographic: boolean): string =>
  Buffer.from(typographic ? text.replaceAll(" - ", " – ").replaceAll("'", "’") : text).toString()

const misspell = (brand: string): string => `${brand.slice(0, 2)}${brand.slice(3, -1)}q${brand.slice(-1)}`

const textFor = (brand: string, kind: Kind, length: number): string =>
  answerOf(kind === "standing" ? brand : kind === "misspelt" ? misspell(brand) : undefined, length)

/** Whether a case is among the three in four with typographic signs; `every` is true or false for all of them. */
type Signs = "mixed" | "typographic" | "ascii"

interface Case {
  readonly text: string
  readonly brand: string
}

let sink = 0

const subject = ({ text, brand }: Case): void => {
  sink += findBrand({ text, brandEntities: [] }, brand).rank ?? 0
}
const limit = ({ text, brand }: Case): void => {
  sink += text.toLowerCase().indexOf(brand.toLowerCase())
}

/** Mean duration of a call over the cases. Units: microseconds. */
const timed = (work: (one: Case) => void, cases: ReadonlyArray<Case>, repeats: number): number => {
  const start = performance.now()
  for (let repeat = 0; repeat < repeats; repeat++) for (const one of cases) work(one)
  return ((performance.now() - start) * 1000) / repeats / cases.length
}

const megabytesPerSecond = (length: number, microseconds: number): number => length / microseconds

const measure = (name: string, cases: ReadonlyArray<Case>, repeats: number): Row => {
  timed(subject, cases, repeats)
  timed(limit, cases, repeats)
  const ours: Array<number> = []
  const theirs: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    ours.push(timed(subject, cases, repeats))
    theirs.push(timed(limit, cases, repeats))
  }
  const length = cases.reduce((sum, { text }) => sum + text.length, 0) / cases.length
  const value = megabytesPerSecond(length, median(ours))
  const best = megabytesPerSecond(length, median(theirs))
  return { subject: name, unit: "MB/s", value, limit: best, ratio: value / best, target }
}

const casesAt = (length: number, wanted: ReadonlyArray<Kind> = kinds, signs: Signs = "mixed"): ReadonlyArray<Case> =>
  brands
    .flatMap((brand) => wanted.map((kind) => ({ brand, text: textFor(brand, kind, length) })))
    .map(({ brand, text }, index) => ({
      brand,
      text: written(text, signs === "typographic" || (signs === "mixed" && index % 4 !== 3))
    }))

const sampleAnswers = (): Promise<FirstAnswers> =>
  new Promise((resolve, reject) => {
    // The flag with which the service runs.
    const child = fork(new URL("FirstAnswers.ts", import.meta.url), { execArgv: ["--no-regexp-tier-up"] })
    child.once("message", (figures: FirstAnswers) => resolve(figures))
    child.once("exit", () => reject(new Error("the process said nothing")))
  })

const turns = async (): Promise<ReadonlyArray<Row>> => {
  const figures: Array<FirstAnswers> = []
  for (let turn = 0; turn < processes; turn++) figures.push(await sampleAnswers())
  const row = (subject: string, figure: keyof FirstAnswers): Row => {
    const value = median(figures.map((one) => one[figure]))
    return { subject, unit: "ms", value, limit: turnMax, ratio: turnMax / value, target: 1 }
  }
  return [
    row("longest turn of a warm-up", "warmUp"),
    row("longest turn of the labelled answers after it", "labelled"),
    row("1 MB after them, a brand of 100 characters", "megabyte")
  ]
}

/** How long the slowest hostile text of 1 MB blocks a warm process; of each text the best of seven readings. */
const slowest = (): Row => {
  const readings = hostile.map((part) => {
    const text = `${part.repeat(1_000_000 / part.length)}\n\nThen ${longBrand} is here.`
    const times = Array.from({ length: rounds }, () =>
      timed(subject, [{ text: written(text, false), brand: longBrand }], 1)
    )
    return Math.min(...times) / 1000
  })
  const value = Math.max(...readings)
  return {
    subject: "1 MB of the slowest hostile text",
    unit: "ms",
    value,
    limit: turnMax,
    ratio: turnMax / value,
    target: 1
  }
}

const run = async (): Promise<ReadonlyArray<Row>> => {
  const rows = [
    measure("findBrand, 4.5 KB", casesAt(answerLength), 300),
    ...kinds.map((kind) => measure(`findBrand, 4.5 KB, ${kind}`, casesAt(answerLength, [kind]), 300)),
    measure("findBrand, 4.5 KB, ASCII only", casesAt(answerLength, kinds, "ascii"), 300),
    measure("findBrand, 18 KB", casesAt(4 * answerLength), 60),
    measure("findBrand, 72 KB", casesAt(16 * answerLength), 15),
    ...(await turns()),
    slowest()
  ]
  return sink === -1 ? [] : rows
}

/** The bench of the brand detector. */
export const bench: Bench = { name: "detector", run }

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const rows = await run()
  for (const { subject, unit, value, limit, ratio } of rows) {
    const [own, best] = [value, limit].map((figure) => `${figure.toFixed(0).padStart(6)} ${unit}`)
    console.log(`${subject.padEnd(46)} ${own}  limit ${best}  ratio ${ratio.toFixed(3)}`)
  }
  const [one, , , , , four, sixteen] = rows
  if (one !== undefined && four !== undefined && sixteen !== undefined) {
    console.log(
      `time per byte: 4× ${(one.value / four.value).toFixed(2)}, 16× ${(one.value / sixteen.value).toFixed(2)} of 1×`
    )
  }
}
