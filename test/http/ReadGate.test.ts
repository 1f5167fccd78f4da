/**
 * The order in which heavy reads run, on a test clock.
 *
 * Planted and seen red:
 * - three reads at once;
 * - two reads of one account at once;
 * - one first-come, first-served order for all accounts;
 * - a queue without a bound;
 * - a wait without a limit;
 * - a place not released after a refused, failed or interrupted read;
 * - one queue for all accounts;
 * - a running read counted as waiting, or a read that was given up or interrupted counted as either;
 * - a refusal counted under the status of the other kind.
 */
import { assert, describe, it } from "@effect/vitest"
import { inTurn, ReadGate } from "@sightline/server/keys/ReadGate"
import { Deferred, Effect, Exit, Fiber, Metric, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { TestClock } from "effect/testing"
import { accountOf, answering } from "./callers.ts"

/** Reads that run until they are told to end. */
const reading = Effect.gen(function* () {
  const gate = yield* ReadGate
  const begun: Array<string> = []
  const ends = new Map<string, Deferred.Deferred<void>>()
  const underWay = new Set<string>()
  /** A read of account `a`, such as `a1`, which runs until it is ended. */
  const start = Effect.fnUntraced(function* (name: string) {
    const end = yield* Deferred.make<void>()
    ends.set(name, end)
    const read = Effect.suspend(() => {
      begun.push(name)
      underWay.add(name)
      return Effect.ensuring(
        Deferred.await(end),
        Effect.sync(() => underWay.delete(name))
      )
    })
    const fiber = yield* Effect.forkChild(gate.run(accountOf(name.charAt(0)), read))
    yield* Effect.yieldNow
    return fiber
  })
  /** Lets every fiber run that can. */
  const settle = TestClock.adjust(0)
  const end = Effect.fnUntraced(function* (name: string) {
    const deferred = ends.get(name)
    if (deferred === undefined) return assert.fail(name)
    yield* Deferred.succeed(deferred, undefined)
    yield* settle
  })
  const startAll = (names: ReadonlyArray<string>) => Effect.tap(Effect.forEach(names, start), () => settle)
  return { begun, end, settle, startAll, underWay }
})

/** How a read has ended, or that it is still open. */
const endOf = (fiber: Fiber.Fiber<unknown, { readonly _tag: string }> | undefined) => {
  const exit = fiber?.pollUnsafe()
  if (exit === undefined) return "open"
  return Exit.isSuccess(exit)
    ? "done"
    : Option.match(Exit.findErrorOption(exit), { onNone: () => "gone", onSome: ({ _tag }) => _tag })
}

const numbered = (account: string, count: number) => Array.from({ length: count }, (_, n) => `${account}${n + 1}`)

/** The metrics of the gate: reads that run, reads that wait, and the refusals so far by 429 and by 503. */
const measured = Effect.map(Metric.snapshot, (all) => {
  const of = (id: string, label: string, is: string) =>
    all
      .filter((metric) => metric.id === id && metric.attributes?.[label] === is)
      .map(({ state }) => Number("value" in state ? state.value : "count" in state && state.count))
  const [underWay, waiting] = ["under_way", "waiting"].map((state) => of("sightline_heavy_reads", "state", state)[0])
  const [ahead, missed] = ["429", "503"].map((status) => of("sightline_heavy_reads_refused_total", "status", status)[0])
  return { underWay, waiting, refused: [ahead, missed] }
})

/** A test with its own gate. */
const gated = (title: string, body: Effect.Effect<void, unknown, ReadGate>) =>
  it.effect(title, () => Effect.provide(body, ReadGate.layer))

describe("the gate of heavy reads", () => {
  gated(
    "runs one read per account at a time, and two in all",
    Effect.gen(function* () {
      const { begun, end, startAll, underWay } = yield* reading
      yield* startAll(numbered("a", 5))
      assert.deepStrictEqual([...underWay], ["a1"])
      yield* startAll(["b1", "c1", "b2"])
      assert.deepStrictEqual([...underWay], ["a1", "b1"])
      for (let ended = 0; ended < 8; ended++) {
        const [next = ""] = underWay
        yield* end(next)
        assert.isAtMost(underWay.size, 2)
        assert.strictEqual(new Set([...underWay].map((name) => name.charAt(0))).size, underWay.size)
      }
      assert.lengthOf(begun, 8)
    })
  )

  gated(
    "gives turns to the accounts in rotation, and keeps the order within each account",
    Effect.gen(function* () {
      const { begun, end, startAll } = yield* reading
      yield* startAll(["d1", ...numbered("a", 4), "b1", "b2", "c1"])
      // `d1` keeps running; the other place rotates.
      for (const name of ["a1", "b1", "c1", "a2", "b2", "a3"]) yield* end(name)
      assert.deepStrictEqual(begun, ["d1", "a1", "b1", "c1", "a2", "b2", "a3", "a4"])
    })
  )

  gated(
    "refuses a read at once when 64 of its account wait; other accounts are not affected",
    Effect.gen(function* () {
      const { begun, end, startAll, underWay } = yield* reading
      const fibers = yield* startAll(numbered("a", 67))
      assert.deepStrictEqual(
        fibers.map(endOf),
        fibers.map((_, place) => (place < 65 ? "open" : "ReadsAhead"))
      )
      yield* startAll(["b1"])
      assert.deepStrictEqual([...underWay], ["a1", "b1"])
      yield* end("a1")
      const [again] = yield* startAll(["a68"])
      assert.strictEqual(endOf(again), "open")
      for (const name of numbered("a", 65).slice(1)) yield* end(name)
      assert.deepStrictEqual(begun, ["a1", "b1", ...numbered("a", 65).slice(1), "a68"])
    })
  )

  gated(
    "gives up a read that has waited for 30 s, for its own account or for others; it never begins, and blocks no other",
    Effect.gen(function* () {
      const { begun, end, startAll, underWay } = yield* reading
      const [, , ownTurn, otherTurn] = yield* startAll(["a1", "b1", "a2", "c1"])
      yield* TestClock.adjust("29999 millis")
      yield* startAll(["a3"])
      assert.deepStrictEqual([endOf(ownTurn), endOf(otherTurn)], ["open", "open"])
      yield* TestClock.adjust("1 milli")
      assert.deepStrictEqual([endOf(ownTurn), endOf(otherTurn)], ["TurnMissed", "TurnMissed"])
      // A read that runs has no limit.
      assert.deepStrictEqual([...underWay], ["a1", "b1"])
      yield* end("a1")
      yield* startAll(["c2"])
      yield* end("b1")
      assert.deepStrictEqual(begun, ["a1", "b1", "a3", "c2"])
    })
  )

  gated(
    "releases the place of a read that failed or was interrupted, also of one that waited",
    Effect.gen(function* () {
      const gate = yield* ReadGate
      for (let n = 0; n < 70; n++)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(gate.run(accountOf("a"), Effect.die(new Error("planted"))))))
      const { begun, end, settle, startAll } = yield* reading
      const [first, second, , , other] = yield* startAll(["a1", "a2", "a3", "b1", "c1"])
      for (const fiber of [second, first, other]) if (fiber !== undefined) yield* Fiber.interrupt(fiber)
      yield* settle
      yield* startAll(["c2"])
      yield* end("b1")
      assert.deepStrictEqual(begun, ["a1", "b1", "a3", "c2"])
    })
  )
})

describe("the metrics of the gate", () => {
  gated(
    "count running and waiting reads, and the refusals by status",
    Effect.gen(function* () {
      const { end, settle, startAll } = yield* reading
      const { refused, ...begun } = yield* measured
      const [ahead = 0, missed = 0] = refused
      assert.deepStrictEqual(begun, { underWay: 0, waiting: 0 })
      const [, gone] = yield* startAll(["b1", "b2", ...numbered("a", 67), "c1"])
      assert.deepStrictEqual(yield* measured, { underWay: 2, waiting: 66, refused: [ahead + 2, missed] })
      if (gone !== undefined) yield* Fiber.interrupt(gone)
      yield* end("b1")
      assert.deepStrictEqual(yield* measured, { underWay: 2, waiting: 64, refused: [ahead + 2, missed] })
      yield* TestClock.adjust("30 seconds")
      assert.deepStrictEqual(yield* measured, { underWay: 2, waiting: 0, refused: [ahead + 2, missed + 64] })
      yield* end("a1")
      yield* end("c1")
      yield* settle
      assert.deepStrictEqual(yield* measured, { underWay: 0, waiting: 0, refused: [ahead + 2, missed + 64] })
    })
  )
})

describe("an answer in its account's turn", () => {
  const ask = (answer: Effect.Effect<void>) => answering(inTurn(Effect.as(answer, HttpServerResponse.empty())))

  gated(
    "keeps its own 204, is a 429 with `Retry-After` if too many wait, and a 503 without a turn",
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const asked = yield* Effect.forEach(Array.from({ length: 66 }), () => ask(Deferred.await(end)))
      yield* TestClock.adjust("31 seconds")
      yield* Deferred.succeed(end, undefined)
      const answers = yield* Effect.forEach(asked, Fiber.join)
      assert.deepStrictEqual(
        [answers[0], answers[1], answers[65]].map((answer) => [answer?.status, answer?.headers["retry-after"]]),
        [
          [204, undefined],
          [503, undefined],
          [429, "5"]
        ]
      )
    })
  )
})
