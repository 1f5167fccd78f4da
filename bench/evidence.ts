/**
 * What watches fire on answers that vary by themselves, and how soon they find a change: the figures of
 * `docs/evidence.md`. Replays AI Product Bench where `SIGHTLINE_BENCH_DATA` names its folder, and made-up watches of
 * known rates always. Every figure is the same on every run.
 */
import { type EvidenceState, noEvidence, weigh } from "@sightline/domain/Evidence"
import type { Platform } from "@sightline/domain/Platform"
import { compare } from "@sightline/domain/Trigger"
import { Trigger, type WatchResult } from "@sightline/domain/Watch"
import { dice } from "@sightline/sandbox/Dice"
import { type Cast, type Followed, followedIn, rateOf, runOf, type Shift } from "./Replay.ts"

const seed = 2
const unchangedRuns = 100
const runsBefore = 40
const runsAfter = 8
const madeUp = 200

const subject = { query: "query", brand: "brand", triggerOn: Trigger.literals }

const casts: Readonly<Record<string, Cast>> = {
  "quick, 4 answers": [
    ["chatgpt_api", 0],
    ["claude_api", 0],
    ["gemini_api", 1],
    ["perplexity_api", 1]
  ],
  "all_live, 6 answers": [
    ["chatgpt_live", 0],
    ["perplexity_live", 0],
    ["bing_copilot", 0],
    ["gemini_live", 1],
    ["ai_overview", 1],
    ["ai_mode", 1]
  ],
  "one surface": [["ai_mode", 1]]
}

const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`

/** What a watch fired over some runs, by each sensitivity; for evidence, the run of each trigger's first alarm. */
interface Heard {
  readonly everyChange: number
  readonly evidence: ReadonlyMap<Trigger, number>
  readonly alarms: number
}

const listen = (runs: Iterable<WatchResult>, known: EvidenceState): Heard => {
  let state = known
  let previous: WatchResult | null = null
  let everyChange = 0
  let alarms = 0
  let run = 0
  const evidence = new Map<Trigger, number>()
  for (const result of runs) {
    run++
    if (previous !== null && compare(previous, result, subject).triggers.length > 0) everyChange++
    previous = result
    const weighed = weigh(state, result)
    state = weighed.state
    alarms += weighed.findings.length
    for (const { trigger } of weighed.findings) if (!evidence.has(trigger)) evidence.set(trigger, run)
  }
  return { everyChange, evidence, alarms }
}

const times = function* <A>(count: number, one: () => A): Iterable<A> {
  for (let at = 0; at < count; at++) yield one()
}

const learnt = (runs: Iterable<WatchResult>): EvidenceState => {
  let state = noEvidence
  for (const result of runs) state = weigh(state, result).state
  return state
}

const unchanged = (name: string, cast: Cast, watches: ReadonlyArray<Followed>): void => {
  let everyChange = 0
  const alarmed = new Map<Trigger, number>()
  let alarmedAtAll = 0
  let alarms = 0
  for (const [index, followed] of watches.entries()) {
    const rolls = dice(seed, "unchanged", name, index)
    const heard = listen(
      times(unchangedRuns, () => runOf(rolls, cast, followed)),
      noEvidence
    )
    everyChange += heard.everyChange
    alarms += heard.alarms
    if (heard.evidence.size > 0) alarmedAtAll++
    for (const trigger of heard.evidence.keys()) alarmed.set(trigger, (alarmed.get(trigger) ?? 0) + 1)
  }
  console.log(`  unchanged, ${unchangedRuns} runs each:`)
  console.log(`    every_change: runs that fire       ${percent(everyChange, watches.length * (unchangedRuns - 1))}`)
  console.log(`    evidence: runs that fire           ${percent(alarms, watches.length * unchangedRuns)}`)
  console.log(`    evidence: watches that ever fire   ${percent(alarmedAtAll, watches.length)}`)
  for (const trigger of Trigger.literals) {
    console.log(`      ${trigger.padEnd(18)}               ${percent(alarmed.get(trigger) ?? 0, watches.length)}`)
  }
}

/** Classes of watches by the share of answers that name the brand, the last three being sums. */
const classes: ReadonlyArray<readonly [from: number, below: number]> = [
  [0, 0.3],
  [0.3, 0.5],
  [0.5, 0.6],
  [0.6, 0.7],
  [0.7, 0.8],
  [0.8, 1],
  [0.5, 1],
  [0.6, 1],
  [0, 1]
]

/** The run after a shift in which each watch first fires a trigger; infinite where it does not. */
const firstFired = (
  name: string,
  cast: Cast,
  watches: ReadonlyArray<Followed>,
  before: Shift,
  after: Shift,
  sought: Trigger
): ReadonlyArray<number> =>
  watches.map((followed, index) => {
    const rolls = dice(seed, name, sought, index)
    const known = learnt(times(runsBefore, () => runOf(rolls, cast, followed, before)))
    const { evidence } = listen(
      times(runsAfter, () => runOf(rolls, cast, followed, after)),
      known
    )
    return evidence.get(sought) ?? Infinity
  })

const within = (first: ReadonlyArray<number>): string =>
  [1, 3, 5, 8].map((runs) => percent(first.filter((run) => run <= runs).length, first.length)).join("  ")

const shifts: ReadonlyArray<readonly [name: string, before: Shift, after: Shift, sought: Trigger]> = [
  ["removed everywhere", {}, { removed: true }, "mention_removed"],
  ["added everywhere", { removed: true }, {}, "mention_added"],
  ["three places lower", {}, { ranksLower: 3 }, "rank_changed"],
  ["other pages cited", {}, { otherPages: true }, "citation_changed"]
]

const flips = (watches: ReadonlyArray<Followed>, cast: Cast): void => {
  let pairs = 0
  let flipped = 0
  let recited = 0
  for (const [index, followed] of watches.entries()) {
    const rolls = dice(seed, "flips", index)
    const [one, other] = [runOf(rolls, cast, followed), runOf(rolls, cast, followed)]
    for (const was of one) {
      const is = other.find(({ platform }) => platform === was.platform)
      if (is === undefined) continue
      pairs++
      if (was.present !== is.present) flipped++
      if (was.citations.join(" ") !== is.citations.join(" ")) recited++
    }
  }
  console.log(
    `  two runs of an unchanged watch: presence differs ${percent(flipped, pairs)}, citations ${percent(recited, pairs)}`
  )
}

const folder = process.env["SIGHTLINE_BENCH_DATA"]
if (folder !== undefined) {
  const watches = followedIn(folder)
  console.log(`AI Product Bench: ${watches.length} watches (question and brand), seed ${seed}`)
  for (const [name, cast] of Object.entries(casts)) {
    console.log(`\n${name}`)
    flips(watches, cast)
    unchanged(name, cast, watches)
    for (const [shift, before, after, sought] of shifts) {
      console.log(`  ${shift} after ${runsBefore} runs, ${sought} within 1, 3, 5, 8 runs:`)
      const first = firstFired(name, cast, watches, before, after, sought)
      for (const [from, below] of classes) {
        const own = first.filter((_, index) => {
          const followed = watches[index]
          const rate = followed === undefined ? 0 : rateOf(cast, followed)
          return rate >= from && rate < below
        })
        if (own.length > 0) console.log(`    rate ${from.toFixed(1)}–${below.toFixed(1)}  ${within(own)}`)
      }
    }
  }
}

/** Made-up watches of a cast, every platform of which names the brand at one rate. */
const madeUpAt = (name: string, cast: Cast, rates: ReadonlyArray<number>): void => {
  console.log(
    `\n${name}, ${cast.length} answers a run, all at one rate: ever fires in 100 unchanged runs; removal within 1, 3, 5, 8 runs`
  )
  for (const rate of rates) {
    const engine = {
      rate,
      ranks: [1, 2, 2, 3, 3, 4, 5, 7],
      pages: [0, 1, 2, 3].map((phrasing) => Array.from({ length: 8 }, (_, page) => `page:${2 * phrasing + page}`))
    }
    const watches = Array.from({ length: madeUp }, (_, topic): Followed => ({
      brand: "brand",
      topic,
      engines: [engine, engine]
    }))
    const alarmed = watches.filter((followed, index) => {
      const rolls = dice(seed, name, rate, index)
      return (
        listen(
          times(unchangedRuns, () => runOf(rolls, cast, followed)),
          noEvidence
        ).evidence.size > 0
      )
    }).length
    const removal = within(firstFired(`${name} ${rate}`, cast, watches, {}, { removed: true }, "mention_removed"))
    console.log(`  rate ${rate.toFixed(2)}  ${percent(alarmed, watches.length)}   ${removal}`)
  }
}

const platforms: ReadonlyArray<Platform> = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"]
madeUpAt(
  "made up",
  platforms.map((platform) => [platform, 0]),
  [0.1, 0.3, 0.5, 0.6, 0.7, 0.9]
)
madeUpAt("made up, one surface", [["ai_mode", 0]], [0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1])
