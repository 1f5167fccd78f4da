import { Clock, DateTime, Effect, Layer } from "effect"
import { periodMillis } from "@sightline/domain/Slot"
import type { Interval } from "@sightline/domain/Watch"
import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Watches } from "@sightline/store/Watches"
import { nextRunAt } from "../store/slots.ts"

/** The 5 minutes by which watches are spread. */
export const slotMillis = 300_000

/** The possible faults: each says whether it happens this time. */
export interface Faults {
  /** The scheduler dies while it holds the rows, and the database rolls its claim back. */
  readonly claimLost: () => boolean
  /** The scheduler dies after the commit of its claim, before it announces anything. */
  readonly announcementLost: () => boolean
}

export const noFaults: Faults = { claimLost: () => false, announcementLost: () => false }

/** A watch in the model, and its runs. */
interface Modelled {
  readonly id: string
  readonly interval: Interval
  nextRunAt: number
  /** The run that is queued or under way, or null. */
  open: { readonly announcedAt: number } | null
  /** The slots that had a run, and the number of runs that were done. */
  readonly slots: Array<number>
  done: number
}

const millis = DateTime.toEpochMillis

/**
 * The tables of watches and runs, and the queue and workers behind them, in memory. `Watches.claimDue`, which is one SQL statement, is
 * modelled here with the rules of `slots.ts` and Effect's clock.
 *
 * Shape: due watches are in buckets by their due time. Rows that a claim holds are in no bucket until it commits or is rolled back, so
 * that concurrent claims skip them.
 */
export const makeSchedule = (
  watches: ReadonlyArray<Pick<Modelled, "id" | "interval">>,
  start: number,
  faults: Faults
) => {
  const rows = watches.map(({ id, interval }): Modelled => {
    const next = millis(nextRunAt(id, interval, DateTime.makeUnsafe(start)))
    return { id, interval, nextRunAt: next, open: null, slots: [], done: 0 }
  })
  const buckets = new Map<number, Array<Modelled>>()
  const put = (row: Modelled) => {
    const bucket = buckets.get(row.nextRunAt)
    if (bucket === undefined) buckets.set(row.nextRunAt, [row])
    else bucket.push(row)
  }
  for (const row of rows) put(row)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const open = new Set<Modelled>()
  let earliest = start

  const lock = (now: number, limit: number): ReadonlyArray<Modelled> => {
    const held: Array<Modelled> = []
    for (let at = earliest; at <= now && held.length < limit; at += slotMillis) {
      const bucket = buckets.get(at) ?? []
      held.push(...bucket.splice(0, limit - held.length))
      if (bucket.length === 0) buckets.delete(at)
    }
    return held
  }

  const unlock = (held: ReadonlyArray<Modelled>) => {
    for (const row of held) {
      earliest = Math.min(earliest, row.nextRunAt)
      put(row)
    }
  }

  const commit = (held: ReadonlyArray<Modelled>, now: number) => {
    const at = DateTime.makeUnsafe(now)
    const made: Array<string> = []
    let missed = 0
    for (const row of held) {
      missed += Math.floor((now - row.nextRunAt) / periodMillis(row.interval))
      row.nextRunAt = millis(nextRunAt(row.id, row.interval, at))
      if (row.open !== null) continue
      row.open = { announcedAt: now }
      row.slots.push(row.nextRunAt - periodMillis(row.interval))
      open.add(row)
      made.push(row.id)
    }
    return { missed, runs: made }
  }

  const claimDue = Effect.fnUntraced(function* (limit: number) {
    const now = yield* Clock.currentTimeMillis
    return yield* Effect.acquireUseRelease(
      Effect.sync(() => lock(now, limit)),
      Effect.fnUntraced(function* (held) {
        // Others claim while this claim holds its rows.
        yield* Effect.yieldNow
        if (held.length > 0 && faults.claimLost()) return yield* Effect.die("killed in the claim")
        return { moved: held.length, ...commit(held, now) }
      }),
      (held) => Effect.sync(() => unlock(held))
    )
  })

  const finish = (id: string) => {
    const row = byId.get(id)
    if (row === undefined || !open.delete(row)) return
    row.open = null
    row.done += 1
  }

  /** Workers that do every run at once. */
  const push = (items: ReadonlyArray<{ readonly id: string }>) =>
    Effect.suspend(() => {
      if (items.length > 0 && faults.announcementLost()) return Effect.die("killed before the announcement")
      for (const { id } of items) finish(id)
      return Effect.void
    })

  /** Does every run that was not announced for 10 s. */
  const sweep = Effect.map(Clock.currentTimeMillis, (now) => {
    earliest = now - (now % slotMillis)
    for (const at of buckets.keys()) earliest = Math.min(earliest, at)
    for (const row of open) if (row.open !== null && row.open.announcedAt <= now - 10_000) finish(row.id)
  })

  return {
    rows,
    sweep,
    layer: Layer.merge(Layer.mock(Watches, { claimDue }), Layer.mock(WorkQueue, { push: (_, items) => push(items) }))
  }
}
