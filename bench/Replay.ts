import { readFileSync } from "node:fs"
import { join } from "node:path"
import { findBrand } from "@sightline/domain/Brand"
import type { Platform } from "@sightline/domain/Platform"
import type { Showing, WatchResult } from "@sightline/domain/Watch"
import type { Dice } from "@sightline/sandbox/Dice"
import { Schema } from "effect"
import { brandsOf, realAnswers } from "./RealAnswers.ts"

const Cited = Schema.Struct({
  query_id: Schema.String,
  sources: Schema.NullOr(Schema.Array(Schema.Struct({ url: Schema.String })))
})

/** The answers of one engine to the phrasings of one question, reduced to one brand. */
interface Engine {
  readonly rate: number
  readonly ranks: ReadonlyArray<number>
  readonly pages: ReadonlyArray<ReadonlyArray<string>>
}

/** One brand in the answers to one question, by engine: the subject of a watch. */
export interface Followed {
  readonly brand: string
  readonly topic: number
  readonly engines: readonly [chatGpt: Engine, aiMode: Engine]
}

const files = ["chatgpt_1.jsonl", "google_ai_mode_1.jsonl"] as const
const models = ["ChatGPT", "Google AI Mode"] as const
const phrasings = 4

const sourcesIn = (folder: string): ReadonlyArray<ReadonlyMap<string, ReadonlyArray<string>>> => {
  const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Cited))
  return files.map((file) => {
    const lines = readFileSync(join(folder, file), "utf8").split("\n")
    const cited = lines.filter((line) => line.trim() !== "").map((line) => decode(line))
    return new Map(cited.map(({ query_id, sources }) => [query_id, (sources ?? []).map(({ url }) => url)]))
  })
}

/** Every brand that an answer names, with the answers of both engines to the four phrasings of its question. */
export const followedIn = (folder: string): ReadonlyArray<Followed> => {
  const { tune, held } = realAnswers(folder)
  const all = [...tune, ...held]
  const sources = sourcesIn(folder)
  // The phrasings of a question have consecutive numbers.
  const queries = [...new Set(all.map(({ query_id }) => query_id))].sort()
  return Array.from({ length: queries.length / phrasings }, (_, topic) => topic).flatMap((topic) => {
    const own = queries.slice(topic * phrasings, (topic + 1) * phrasings)
    const answers = models.map((model) => all.filter((one) => one.model === model && own.includes(one.query_id)))
    const brands = new Map(
      answers
        .flat()
        .flatMap(brandsOf)
        .map(({ letters, brand }) => [letters, brand])
    )
    const engineOf = (place: 0 | 1, brand: string): Engine => {
      const texts = (answers[place] ?? []).map(({ response }) => response)
      const ranks = texts.flatMap((text) => findBrand({ text, brandEntities: [] }, brand).rank ?? [])
      // Four answers are few. Adding half an answer on either side avoids rates of exactly 0 or 1.
      const rate = (ranks.length + 0.5) / (texts.length + 1)
      return { rate, ranks, pages: own.map((id) => sources[place]?.get(id) ?? []) }
    }
    return [...brands.values()].flatMap((brand): ReadonlyArray<Followed> => {
      const engines = [engineOf(0, brand), engineOf(1, brand)] as const
      return engines.some(({ ranks }) => ranks.length > 0) ? [{ brand, topic, engines }] : []
    })
  })
}

/** A synthetic change of the answers in the runs of a watch, on one of its platforms (`only`) or on all. */
export interface Shift {
  readonly only?: Platform
  readonly removed?: boolean
  readonly ranksLower?: number
  readonly otherPages?: boolean
}

/**
 * How answers resemble each other, as probabilities: `before` that a platform repeats its answer of the previous run, `beside`
 * that it repeats the answer of another platform with the same engine in the same run.
 */
export interface Likeness {
  readonly before?: number
  readonly beside?: number
}

/** The platforms of a watch, each answering as one of the engines does. */
export type Cast = ReadonlyArray<readonly [platform: Platform, engine: 0 | 1]>

/** The share of citations that occur in one run only: consecutive runs of real engines rarely cite the same set. */
const passing = 0.4

/** An engine's answer before a shift is applied. */
interface Answer {
  readonly present: boolean
  readonly rank: number
  readonly pages: ReadonlyArray<string>
}

const answerOf = (dice: Dice, { pages, ranks, rate }: Engine, removed: boolean): Answer => ({
  present: !removed && dice.chance(rate),
  rank: ranks.length === 0 ? 1 + dice.below(8) : (ranks[dice.below(ranks.length)] ?? 1),
  pages: pages[dice.below(pages.length)] ?? []
})

const showing = (dice: Dice, platform: Platform, { pages, present, rank }: Answer, shift: Shift): Showing => ({
  platform,
  present,
  rank: present ? rank + (shift.ranksLower ?? 0) : null,
  citations: pages.map((url) => {
    if (dice.chance(passing)) return `passing:${dice.next()}`
    return shift.otherPages === true ? `other:${url}` : url
  })
})

/** The share of platforms that fail in a run. A failed platform is not in the result. */
const failing = 0.02

/** Runs of a watch: in each run every platform gives its engine's answer to one of the phrasings, or fails. */
export const runsOf = function* (
  dice: Dice,
  count: number,
  cast: Cast,
  { engines }: Followed,
  shift: Shift = {},
  { before = 0, beside = 0 }: Likeness = {}
): Generator<WatchResult> {
  const latest = new Map<Platform, Answer>()
  for (let run = 0; run < count; run++) {
    const given = new Map<0 | 1, Answer>()
    yield cast.flatMap(([platform, engine]) => {
      if (dice.chance(failing)) return []
      const own = shift.only === undefined || shift.only === platform ? shift : {}
      const answer =
        (before > 0 && dice.chance(before) ? latest.get(platform) : undefined) ??
        (beside > 0 && dice.chance(beside) ? given.get(engine) : undefined) ??
        answerOf(dice, engines[engine], own.removed === true)
      latest.set(platform, answer)
      given.set(engine, answer)
      return [showing(dice, platform, answer, own)]
    })
  }
}

/** The share of a watch's answers that name the brand. */
export const rateOf = (cast: Cast, { engines }: Followed): number =>
  cast.reduce((sum, [, place]) => sum + engines[place].rate, 0) / cast.length
