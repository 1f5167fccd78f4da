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

/** What one engine answered to the phrasings of one question, as far as one brand is concerned. */
interface Engine {
  readonly rate: number
  readonly ranks: ReadonlyArray<number>
  readonly pages: ReadonlyArray<ReadonlyArray<string>>
}

/** One brand in the answers to one question, engine by engine: what a watch would follow. */
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
      // Four answers are few: half an answer either way keeps a rate of 0 or 1 from being taken for certain.
      const rate = (ranks.length + 0.5) / (texts.length + 1)
      return { rate, ranks, pages: own.map((id) => sources[place]?.get(id) ?? []) }
    }
    return [...brands.values()].flatMap((brand): ReadonlyArray<Followed> => {
      const engines = [engineOf(0, brand), engineOf(1, brand)] as const
      return engines.some(({ ranks }) => ranks.length > 0) ? [{ brand, topic, engines }] : []
    })
  })
}

/** What is changed in the runs of a watch, as no real answer was. */
export interface Shift {
  readonly removed?: boolean
  readonly ranksLower?: number
  readonly otherPages?: boolean
}

/** The platforms of a watch, each answering as one of the engines does. */
export type Cast = ReadonlyArray<readonly [platform: Platform, engine: 0 | 1]>

/** The share of citations that no run has had or will have again: consecutive runs of real engines hardly ever cite the same set. */
const passing = 0.4

const showing = (dice: Dice, [platform, place]: Cast[number], { engines }: Followed, shift: Shift): Showing => {
  const { rate, ranks, pages } = engines[place]
  const present = shift.removed !== true && dice.chance(rate)
  const rank = ranks.length === 0 ? 1 + dice.below(8) : (ranks[dice.below(ranks.length)] ?? 1)
  const cited = pages[dice.below(pages.length)] ?? []
  return {
    platform,
    present,
    rank: present ? rank + (shift.ranksLower ?? 0) : null,
    citations: cited.map((url) => {
      if (dice.chance(passing)) return `passing:${dice.next()}`
      return shift.otherPages === true ? `other:${url}` : url
    })
  }
}

/** The platforms of a run that failed: they are not in its result. */
const failing = 0.02

/** One run of a watch: each platform answers as its engine did to one of the phrasings, or fails. */
export const runOf = (dice: Dice, cast: Cast, followed: Followed, shift: Shift = {}): WatchResult =>
  cast.flatMap((role) => (dice.chance(failing) ? [] : [showing(dice, role, followed, shift)]))

/** The share of a watch's answers that name the brand. */
export const rateOf = (cast: Cast, { engines }: Followed): number =>
  cast.reduce((sum, [, place]) => sum + engines[place].rate, 0) / cast.length
