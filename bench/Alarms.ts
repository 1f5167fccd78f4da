import { type EvidenceState, noEvidence, weigh } from "@sightline/domain/Evidence"
import { compare } from "@sightline/domain/Trigger"
import { Trigger, type WatchResult } from "@sightline/domain/Watch"
import { dice } from "@sightline/sandbox/Dice"
import { type Cast, type Followed, type Likeness, runsOf, type Shift } from "./Replay.ts"

/** The seed of every replay. */
export const seed = 2

/** Runs of a watch without a change. */
export const unchangedRuns = 100

/** Runs of a watch before a change. */
export const runsBefore = 40

const runsAfter = 8

const subject = { query: "query", brand: "brand", triggerOn: Trigger.literals }

/** A part of a whole in per cent, with both counts. */
export const percent = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`

/** How often a watch fired, by sensitivity: for `evidence`, the run of each trigger's first alarm and the number of alarms. */
interface AlarmCounts {
  readonly everyChange: number
  readonly evidence: ReadonlyMap<Trigger, number>
  readonly alarms: number
}

/** Counts the alarms of runs, starting from the evidence `known`. */
export const countAlarms = (runs: Iterable<WatchResult>, known: EvidenceState): AlarmCounts => {
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

const learnt = (runs: Iterable<WatchResult>): EvidenceState => {
  let state = noEvidence
  for (const result of runs) state = weigh(state, result).state
  return state
}

/** A change: the shift of the runs before it and of those after it, and the trigger that should report it. */
export type Change = readonly [before: Shift, after: Shift, sought: Trigger]

/** The first run after a change in which each watch fires its trigger; infinity if it never does. `key` is part of the seed. */
export const firstFired = (
  cast: Cast,
  watches: ReadonlyArray<Followed>,
  key: string,
  [before, after, sought]: Change
): ReadonlyArray<number> =>
  watches.map((followed, index) => {
    const rolls = dice(seed, key, sought, index)
    const known = learnt(runsOf(rolls, runsBefore, cast, followed, before))
    const { evidence } = countAlarms(runsOf(rolls, runsAfter, cast, followed, after), known)
    return evidence.get(sought) ?? Infinity
  })

/** The shares of watches that have fired within 1, 3, 5 and 8 runs. */
export const within = (first: ReadonlyArray<number>): string =>
  [1, 3, 5, 8].map((runs) => percent(first.filter((run) => run <= runs).length, first.length)).join("  ")

/** The share of watches that ever fire in 100 runs without a change. `key` is part of the seed. */
export const everFires = (
  cast: Cast,
  watches: ReadonlyArray<Followed>,
  key: ReadonlyArray<string | number>,
  likeness?: Likeness
): string => {
  const alarmed = watches.filter((followed, index) => {
    const rolls = dice(seed, ...key, index)
    return countAlarms(runsOf(rolls, unchangedRuns, cast, followed, {}, likeness), noEvidence).evidence.size > 0
  })
  return percent(alarmed.length, watches.length)
}

const madeUp = 200

/** Synthetic watches whose platforms all name the brand at the same rate. */
export const watchesAt = (rate: number): ReadonlyArray<Followed> => {
  const engine = {
    rate,
    ranks: [1, 2, 2, 3, 3, 4, 5, 7],
    pages: [0, 1, 2, 3].map((phrasing) => Array.from({ length: 8 }, (_, page) => `page:${2 * phrasing + page}`))
  }
  return Array.from({ length: madeUp }, (_, topic) => ({ brand: "brand", topic, engines: [engine, engine] }))
}
