import { LlmPlatform } from "@sightline/domain/Platform"
import { by, type Law } from "./moneyLaws.ts"
import type { State } from "./state.ts"
import type { RecordedAnswer } from "./externals.ts"
import { placeOf } from "./truthLaws.ts"

type Run = State["runs"][number]

/** A run of a watch, after its earlier runs with any answer, each compared with the one before it. */
interface Told {
  readonly run: Run
  readonly watch: State["watches"][number]
  readonly earlier: ReadonlyArray<Run>
}

/** In thousandths of a credit: the hold of a run, with the price of one answer per platform. */
const runPrice = 37_500n * BigInt(LlmPlatform.literals.length)

/** The milliseconds after an attempt within which the failure of its delivery is known. */
const lostMillis = 60_000

/** The number of runs with which even a complete change may be no more than noise. */
const unsureRuns = 5

const finishedAt = ({ finished }: Run): number => finished?.getTime() ?? 0

const hasAnswer = ({ sightings }: Run): boolean => sightings.length > 0

/** The answer of a platform in a run, if it gave one. */
const saidIn = (
  { sightings }: Run,
  platform: string,
  said: ReadonlyArray<RecordedAnswer>
): RecordedAnswer | undefined => said[(sightings.find((sighting) => sighting.platform === platform)?.page ?? 0) - 1]

const platformsOf = (runs: ReadonlyArray<Run>): ReadonlyArray<string> =>
  Array.from(new Set(runs.flatMap(({ sightings }) => sightings.map(({ platform }) => platform))))

/** The changes since the last run with any answer, on the platforms that answered in both. */
const changesOf = (
  { earlier, run, watch: { brand } }: Told,
  said: ReadonlyArray<RecordedAnswer>
): ReadonlyArray<string> => {
  const before = earlier.at(-1)
  const pairs = platformsOf([run]).flatMap((platform) => {
    const [now, then] = [saidIn(run, platform, said), before && saidIn(before, platform, said)]
    if (now === undefined || (before !== undefined && then === undefined)) return []
    return [
      { to: placeOf(now, brand), from: then === undefined ? null : placeOf(then, brand), isKnown: then !== undefined }
    ]
  })
  const signs = {
    mention_added: pairs.some(({ from, to }) => from === null && to !== null),
    mention_removed: pairs.some(({ from, to }) => from !== null && to === null),
    rank_changed: pairs.some(({ from, to }) => from !== null && to !== null && from !== to),
    citation_changed: pairs.some(({ isKnown }) => isKnown)
  }
  return Object.entries(signs).flatMap(([trigger, isSo]) => (isSo ? [trigger] : []))
}

const firedRightly = (told: Told, said: ReadonlyArray<RecordedAnswer>): boolean => {
  const { earlier, run, watch } = told
  const fired = run.triggers.join(" ")
  if (watch.sensitivity === "evidence") return fired === "" || earlier.length > unsureRuns
  const due = hasAnswer(run) ? changesOf(told, said) : []
  return fired === due.filter((trigger) => watch.triggerOn.includes(trigger)).join(" ")
}

/** The platforms for which a run leaves another state than the values of all runs, while no change can be certain yet. */
const forgotten = (
  { earlier, run, watch: { brand } }: Told,
  said: ReadonlyArray<RecordedAnswer>
): ReadonlyArray<string> => {
  const { presence } = run
  if (presence === null || earlier.length > unsureRuns) return []
  const seen = [...earlier, run].filter(hasAnswer)
  return platformsOf(seen).filter((platform) => {
    const values = seen.map((one) => {
      const answer = saidIn(one, platform, said)
      return answer === undefined ? null : Number(answer.brands.includes(brand))
    })
    const since = values.slice(values.findIndex((value) => value !== null))
    return JSON.stringify(presence[platform]) !== JSON.stringify(since)
  })
}

const wrongOf = (told: Told, said: ReadonlyArray<RecordedAnswer>): ReadonlyArray<string> => {
  const { id, sightings, started, triggers } = told.run
  const isOld = sightings.some(({ page }) => (said[page - 1]?.askedAt ?? 0) < (started?.getTime() ?? 0))
  return [
    ...(isOld ? [`run ${id} is told what was asked before it began`] : []),
    ...(firedRightly(told, said) ? [] : [`run ${id} fired ${triggers.join(" ")} and ought not to`]),
    ...forgotten(told, said).map((platform) => `run ${id} forgot what ${platform} said before`)
  ]
}

/** When a run's delivery failed, if it did. */
const failedAt = ({ attempts, deliveries }: State): ReadonlyMap<string, number> => {
  const ends = by(attempts, ({ delivery }) => delivery)
  return new Map(
    deliveries.flatMap(({ cause, id, status }) =>
      status === "failed"
        ? [[cause, Math.max(...(ends.get(id) ?? []).map(({ begun, duration }) => begun.getTime() + (duration ?? 0)))]]
        : []
    )
  )
}

/**
 * The possible histories with which a run was compared, each from its earliest run on. A run whose delivery has failed is in none of
 * them, nor is one without an event after it; if it failed while this run was under way, both histories are possible.
 */
const linesBefore = (
  run: Run,
  done: ReadonlyArray<Run>,
  failed: ReadonlyMap<string, number>
): ReadonlyArray<ReadonlyArray<Run>> => {
  const lines: Array<ReadonlyArray<Run>> = []
  const before = done.filter((other) => hasAnswer(other) && finishedAt(other) < finishedAt(run))
  for (const other of before.toSorted((a, b) => finishedAt(b) - finishedAt(a))) {
    const own = linesBefore(other, done, failed).map((line) => {
      const whole = [...line, other]
      return { whole, end: failed.get(whole.findLast(({ triggers }) => triggers.length > 0)?.id ?? "") ?? Infinity }
    })
    for (const { whole, end } of own) if (end >= (run.started?.getTime() ?? 0) - lostMillis) lines.push(whole)
    if (own.every(({ end }) => end > finishedAt(run))) return lines
  }
  return [...lines, []]
}

/** Runs use fresh answers, are compared with the last reported run, and the latest one leaves the values of all runs to the next. */
export const runsTrue: Law = (state, { said }) => {
  const failed = failedAt(state)
  const own = by(state.runs, ({ watch }) => watch)
  return state.watches.flatMap((watch) => {
    const done = (own.get(watch.id) ?? []).filter(({ status }) => status === "completed")
    const latest = done.filter(hasAnswer).toSorted((a, b) => finishedAt(b) - finishedAt(a))[0]
    const gone = latest?.presence === null ? [`run ${latest.id} leaves nothing, and none came after it`] : []
    const untrue = done.flatMap((run) => {
      const wrongs = linesBefore(run, done, failed).map((earlier) => wrongOf({ run, watch, earlier }, said))
      return wrongs.some(({ length }) => length === 0) ? [] : (wrongs[0] ?? [])
    })
    return [...gone, ...untrue]
  })
}

/** A run is skipped only if its wallet could not pay for it at some moment while it was under way. */
export const skippedRightly: Law = ({ entries, runs, watches }) => {
  const own = by(entries, ({ wallet }) => wallet)
  const wallets = new Map(watches.map(({ id, wallet }) => [id, wallet]))
  return runs.flatMap(({ finished, id, started, status, watch }) => {
    if (status !== "skipped_insufficient_balance" || started === null || finished === null) return []
    const mine = own.get(wallets.get(watch) ?? "") ?? []
    const before = mine.findLast(({ stamp }) => Date.parse(stamp) < started.getTime())
    const since = mine.filter(({ stamp }) => {
      const at = Date.parse(stamp)
      return at >= started.getTime() && at <= finished.getTime()
    })
    return [before?.available ?? 0n, ...since.map(({ available }) => available)].some((has) => has < runPrice)
      ? []
      : [`run ${id} was skipped, and its wallet could pay`]
  })
}
