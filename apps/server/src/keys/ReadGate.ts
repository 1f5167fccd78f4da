import { Caller } from "@sightline/contract/Authorization"
import type { AccountId } from "@sightline/domain/Account"
import { refuse } from "@sightline/server/http/Refusal"
import type { Responding } from "@sightline/server/http/Respond"
import { Context, Effect, Layer, Metric, Schema, Scope, Semaphore } from "effect"
import { makeTurns, missed, turnTimeout, TurnMissed } from "./AccountTurns.ts"
import { counted } from "./RateLimit.ts"

/** Heavy reads that a process runs at a time. Bound: each takes up to two of the pool's 10 connections. */
const underWayMax = 2

/** Heavy reads of one account that may wait: enough to read a page of 50 and then each of its rows at once. */
const waitingMax = 64

/** The `Retry-After` of a refused read, in seconds. */
const retrySeconds = 5

const reads = Metric.gauge("sightline_heavy_reads", {
  description: "Heavy reads, by whether they are under way or wait for their turn"
})
const underWay = Metric.withAttributes(reads, { state: "under_way" })
const waiting = Metric.withAttributes(reads, { state: "waiting" })

const refusals = Metric.counter("sightline_heavy_reads_refused_total", {
  description: "Heavy reads that were refused, by the status of the answer",
  incremental: true
})
const aheads = Metric.withAttributes(refusals, { status: "429" })
const misses = Metric.withAttributes(refusals, { status: "503" })

/** Shows an effect in a gauge for as long as it runs. */
const shownIn =
  (gauge: Metric.Gauge<number>) =>
  <A, E, R>(running: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      Metric.modify(gauge, 1),
      () => running,
      () => Metric.modify(gauge, -1)
    )

/** The account already has as many waiting reads as allowed. */
export class ReadsAhead extends Schema.TaggedError<ReadsAhead>()("ReadsAhead", {}) {}

/**
 * The gate of free reads that take longer the more data an account has.
 *
 * Laws: a process runs at most two reads at a time, and one per account; accounts take turns, and the reads of an account
 * run in order, so that an account with many reads delays only itself. A refused read was not started. A place is free again
 * once its read has ended, however it ended.
 * Errors: 64 of the account are waiting, reported at once; or no turn came within 30 s.
 *
 * Choice: two plain semaphores, one per account and one in common. The common one is first come, first served, and only the
 * read that has its account's turn waits for it, so that accounts take turns. Effect's `PartitionedSemaphore` has turns as
 * well, but would give one account all places if no other account waits.
 */
export class ReadGate extends Context.Service<
  ReadGate,
  {
    readonly run: <A, E, R>(
      account: AccountId,
      read: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ReadsAhead | TurnMissed, R>
  }
>()("@sightline/server/keys/ReadGate") {
  static readonly layer = Layer.effect(
    ReadGate,
    Effect.gen(function* () {
      yield* Effect.all([
        Metric.update(underWay, 0),
        Metric.update(waiting, 0),
        Metric.update(aheads, 0),
        Metric.update(misses, 0)
      ])
      const places = Semaphore.makeUnsafe(underWayMax)
      const turns = makeTurns()

      const enter = Effect.fnUntraced(function* (account: AccountId) {
        if (turns.lengthOf(account) > waitingMax) {
          yield* Metric.update(aheads, 1)
          return yield* new ReadsAhead()
        }
        const turn = yield* turns.join(account)
        yield* Effect.timeoutOrElse(shownIn(waiting)(Effect.andThen(turn, places.takeScoped(1))), {
          duration: turnTimeout,
          orElse: () => Effect.andThen(Metric.update(misses, 1), Effect.fail(new TurnMissed()))
        })
      })

      return ReadGate.of({
        run: (account, read) =>
          Effect.scopedWith((scope) => Effect.andThen(Scope.provide(enter(account), scope), shownIn(underWay)(read)))
      })
    })
  )
}

const tooMany = refuse(
  429,
  "rate_limited",
  `${waitingMax} reads of this account wait for their turn already. Retry in ${retrySeconds} s.`,
  { headers: { "retry-after": String(retrySeconds) } }
)

/**
 * Answers in the account's turn, or with 429 if the account has too many waiting reads, or with 503 if no turn came in
 * time.
 */
export const inTurn = Effect.fnUntraced(function* <E, R>(answer: Responding<E, R>) {
  const { accountId } = yield* Caller
  return yield* (yield* ReadGate).run(accountId, answer).pipe(
    Effect.catchIf(Schema.is(ReadsAhead), () => tooMany),
    Effect.catchIf(Schema.is(TurnMissed), () => missed)
  )
})

/** Counts a call against the bucket `default`, and answers it in its account's turn. */
export const countedInTurn = <E, R>(answer: Responding<E, R>) => counted(inTurn(answer))
