/**
 * How concurrent requests for the same question share one answer: processes with a common database and, in most tests, a common bus.
 *
 * Planted and seen red:
 * - the message that a question is answered not sent, not received, or sent without its failure
 * - a message that cannot be decoded ends the subscription
 * - the store not read again when the message is lost
 * - no limit on the wait for a leader, for a flight that died, or for one that never began
 * - a flight that ends with the caller that began it
 * - a refresh that returns a cached answer, or does not store its own
 * - the failure codes of a silent platform and of an absent one swapped
 * - the cache tier of an answer reported wrongly
 * - a wait for a leader reported as a question of one's own
 * - a leader that does not read the store once more before it asks
 * - an answer that its own process does not remember
 * - a lease of one hour, when claimed or when renewed; no renewal
 * - all followers ask when the leader is gone
 * - a former leader that takes the lead back from its successor
 * - a question of one environment sent in the other
 * - an answer that waits until its flight is released
 * - a claim lost by a process that ends during the claim
 */
import { it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, Queue, Result, Scheduler, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { Bus } from "@sightline/actor/Bus"
import type { Answer } from "@sightline/domain/Answer"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import * as PlatformActors from "@sightline/platforms/PlatformActors"
import { answerKey, type AnswerSubject } from "@sightline/store/AnswerKey"
import { Flights } from "@sightline/store/Flights"
import { layerDatabase } from "../store/database.ts"
import { answer, failed, tables } from "./scripted.ts"

/** A question that is in no cache. */
const subject = (): AnswerSubject => ({
  platform: "chatgpt_api",
  environment: "test",
  question: { turns: [{ role: "user", content: randomUUID() }], model: "told", webSearch: true },
  scope: "shared"
})

type Outcome = Effect.Effect<Answer, PlatformFailed>

/** A bus on the current clock, with the platform on it: each question waits for the outcome that the test gives it. */
const makeBus = Effect.gen(function* () {
  const bus = Context.get(yield* Layer.build(Layer.fresh(Bus.layerMemory)), Bus)
  const asked = yield* Queue.unbounded<Deferred.Deferred<Outcome>>()
  const capture = Effect.fnUntraced(function* () {
    const outcome = yield* Deferred.make<Outcome>()
    yield* Queue.offer(asked, outcome)
    return yield* Effect.flatten(Deferred.await(outcome))
  })
  const [environment, platform] = ["test", "chatgpt_api"] as const
  yield* Layer.build(
    PlatformActors.layer([{ environment, platform, capture, concurrency: 8, mailboxMax: 8 }]).pipe(
      Layer.provide([Layer.succeed(Bus, bus), Layer.mock(CaptureJournal, { record: () => Effect.void })])
    )
  )
  return { bus, asked }
})

/** A process of its own on a bus. It reports each time that another process leads one of its flights. */
const makeProcess = Effect.fnUntraced(function* (bus: Bus["Service"]) {
  const flights = yield* Flights
  const follows = yield* Queue.unbounded<void>()
  const claim: typeof flights.claim = (...terms) =>
    Effect.tap(flights.claim(...terms), (won) => (won ? Effect.void : Queue.offer(follows, undefined)))
  const services = yield* Layer.build(
    Layer.fresh(AnswerSource.layer).pipe(
      Layer.provide([Layer.succeed(Bus, bus), Layer.succeed(Flights, { ...flights, claim })])
    )
  )
  return { ...Context.get(services, AnswerSource), follows }
})

const ok = (one: Answer): Outcome => Effect.succeed(one)

/** Where an answer came from and its text, or the code of a failure. */
const heard = ({ origin, result }: Effect.Success<ReturnType<AnswerSource["Service"]["obtain"]>>) =>
  Result.isSuccess(result) ? [origin, result.success.text] : [origin, result.failure.code]

type AnyFiber = Fiber.Fiber<unknown, unknown>

/** The default scheduler, except that one fiber yields before the given step, counted from 1, and is interrupted there. */
const interrupting = (isMeant: (fiber: AnyFiber) => boolean, step: number): Scheduler.Scheduler => {
  let steps = 0
  return Object.assign(new Scheduler.MixedScheduler(), {
    shouldYield: (fiber: AnyFiber) => {
      if (!isMeant(fiber) || ++steps !== step) return false
      queueMicrotask(() => fiber.interruptUnsafe())
      return true
    }
  })
}

const layer = Layer.provideMerge(tables, layerDatabase)

it.layer(layer, { excludeTestServices: true })("AnswerSource", (test) => {
  /** Runs under a test clock that only moves when adjusted, so that no answer is found by polling. */
  const still = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.provide(effect, TestClock.layer())

  test.effect("asks a question once for all processes: followers get the answer as soon as the leader has it", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const [leader, follower] = [yield* makeProcess(bus), yield* makeProcess(bus)]
      const one = subject()
      const leading = yield* Effect.forkChild(leader.obtain(one))
      const landing = yield* Queue.take(asked)
      // A message that cannot be decoded does not end the subscription.
      yield* bus.publish("answer.landed", "no JSON")
      const following = yield* Effect.forkChild(follower.obtain(one))
      yield* Queue.take(follower.follows)
      yield* Deferred.succeed(landing, ok(answer))
      assert.deepEqual(heard(yield* Fiber.join(leading)), ["fresh", answer.text])
      assert.deepEqual(heard(yield* Fiber.join(following)), ["l2", answer.text])
      assert.strictEqual(yield* Queue.size(asked), 0)
    }).pipe(still)
  )

  test.effect("gives followers the leader's failure, without asking again", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const [leader, follower] = [yield* makeProcess(bus), yield* makeProcess(bus)]
      const one = subject()
      const leading = yield* Effect.forkChild(leader.obtain(one))
      const landing = yield* Queue.take(asked)
      const following = yield* Effect.forkChild(follower.obtain(one))
      yield* Queue.take(follower.follows)
      yield* Deferred.succeed(landing, Effect.fail(failed("chatgpt_api", "provider_rate_limited")))
      assert.deepEqual(heard(yield* Fiber.join(leading)), ["fresh", "provider_rate_limited"])
      assert.deepEqual(heard(yield* Fiber.join(following)), ["l2", "provider_rate_limited"])
      assert.strictEqual(yield* Queue.size(asked), 0)
    }).pipe(still)
  )

  test.effect("lets followers read the store after one second, in case the message is lost", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const [leader, deaf] = [yield* makeProcess(bus), yield* makeProcess((yield* makeBus).bus)]
      const one = subject()
      const leading = yield* Effect.forkChild(leader.obtain(one))
      const landing = yield* Queue.take(asked)
      const following = yield* Effect.forkChild(deaf.obtain(one))
      yield* Queue.take(deaf.follows)
      yield* Deferred.succeed(landing, ok(answer))
      yield* Fiber.join(leading)
      yield* TestClock.adjust("999 millis")
      assert.isUndefined(following.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.deepEqual(heard(yield* Fiber.join(following)), ["l2", answer.text])
    }).pipe(still)
  )

  test.effect("holds a flight by a lease of 10 s, renewed for as long as the platform takes", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const [flights, sql] = [yield* Flights, yield* SqlClient.SqlClient]
      const renewed = yield* Queue.unbounded<void>()
      const renew: typeof flights.renew = (...terms) =>
        Effect.tap(flights.renew(...terms), () => Queue.offer(renewed, undefined))
      const process = yield* Effect.provideService(makeProcess(bus), Flights, { ...flights, renew })
      const one = subject()
      const leading = yield* Effect.forkChild(process.obtain(one))
      const landing = yield* Queue.take(asked)
      const isBrief = Effect.map(
        sql<{ brief: boolean }>`
          SELECT lease_expires_at <= clock_timestamp() + interval '10 seconds' AS brief
          FROM flights WHERE key = decode(${answerKey(one)}, 'hex')`,
        (rows) => rows.map(({ brief }) => brief)
      )
      assert.deepEqual(yield* isBrief, [true])
      for (let round = 0; round < 2; round++) {
        yield* TestClock.adjust("3 seconds")
        yield* Queue.take(renewed)
        assert.deepEqual(yield* isBrief, [true])
      }
      yield* Deferred.succeed(landing, ok(answer))
      yield* Fiber.join(leading)
      assert.deepEqual(yield* isBrief, [])
    }).pipe(still)
  )

  test.effect("lets one follower lead when the leader is gone, and the former leader does not take the lead back", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const sql = yield* SqlClient.SqlClient
      const [leader, one, other] = [yield* makeProcess(bus), yield* makeProcess(bus), yield* makeProcess(bus)]
      const same = subject()
      const late = yield* Effect.forkChild(leader.obtain(same))
      const [lost, followers] = [yield* Queue.take(asked), [one, other]]
      const following = yield* Effect.forEach(followers, ({ obtain }) => Effect.forkChild(obtain(same)))
      for (const { follows } of followers) yield* Queue.take(follows)
      yield* sql`UPDATE flights SET lease_expires_at = clock_timestamp() WHERE key = decode(${answerKey(same)}, 'hex')`
      yield* TestClock.adjust("1 second")
      const landing = yield* Queue.take(asked)
      // The other follower reads the store and continues to follow.
      yield* Effect.raceFirst(Queue.take(one.follows), Queue.take(other.follows))

      yield* Deferred.succeed(lost, Effect.fail(failed("chatgpt_api")))
      assert.deepEqual(heard(yield* Fiber.join(late)), ["fresh", "provider_unavailable"])
      const third = yield* makeProcess(bus)
      const latest = yield* Effect.forkChild(third.obtain(same))
      yield* Queue.take(third.follows)
      yield* Deferred.succeed(landing, ok(answer))
      assert.deepEqual(heard(yield* Fiber.join(latest)), ["l2", answer.text])
      yield* Effect.forEach(following, Fiber.join)
      assert.strictEqual(yield* Queue.size(asked), 0)
    }).pipe(still)
  )

  test.effect("waits at most 62 s for a leader that does not finish", () =>
    Effect.gen(function* () {
      const follower = yield* makeProcess((yield* makeBus).bus)
      const one = subject()
      yield* (yield* Flights).claim(answerKey(one), randomUUID(), "1 minute")
      const following = yield* Effect.forkChild(follower.obtain(one))
      yield* Queue.take(follower.follows)
      yield* TestClock.adjust("61 seconds")
      assert.isUndefined(following.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.deepEqual(heard(yield* Fiber.join(following)), ["l2", "provider_timeout"])
    }).pipe(still)
  )

  test.effect("gives up a silent platform after 62 s, and a platform without an actor at once", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const process = yield* makeProcess(bus)
      for (const ask of [process.obtain, process.refresh]) {
        const asking = yield* Effect.forkChild(ask(subject()))
        yield* Queue.take(asked)
        yield* TestClock.adjust("61 seconds")
        assert.isUndefined(asking.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.deepEqual(heard(yield* Fiber.join(asking)), ["fresh", "provider_timeout"])
        // The sandbox's actor does not answer for the live platform either.
        for (const unspoken of [{ platform: "claude_api" }, { environment: "live" }] as const) {
          const nobody = yield* ask({ ...subject(), ...unspoken })
          assert.deepEqual(heard(nobody), ["fresh", "provider_unavailable"])
        }
      }
    }).pipe(still)
  )

  test.effect("asks a question once per process, and continues when the caller that began it leaves", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const { obtain, recall } = yield* makeProcess(bus)
      const one = subject()
      const first = yield* Effect.forkChild(obtain(one))
      const landing = yield* Queue.take(asked)
      const others = yield* Effect.replicateEffect(Effect.forkChild(obtain(one), { startImmediately: true }), 2)
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(landing, ok(answer))
      for (const other of others) assert.deepEqual(heard(yield* Fiber.join(other)), ["l1", answer.text])
      assert.strictEqual(yield* Queue.size(asked), 0)
      assert.deepEqual((yield* recall([one])).map(Option.map(heard)), [Option.some(["l1", answer.text])])
    }).pipe(still)
  )

  test.effect("answers the next caller, at whatever step the first one left", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const { obtain } = yield* makeProcess(bus)
      for (let step = 1, hasLeft = true; hasLeft; step++) {
        const one = subject()
        const scheduler = interrupting((fiber) => fiber === first, step)
        const first: AnyFiber = yield* Effect.forkChild(
          Effect.provideService(obtain(one), Scheduler.Scheduler, scheduler)
        )
        const next = yield* Effect.forkChild(obtain(one))
        yield* Deferred.succeed(yield* Queue.take(asked), ok(answer))
        assert.strictEqual(heard(yield* Fiber.join(next))[1], answer.text)
        hasLeft = Exit.hasInterrupts(yield* Fiber.await(first))
      }
      assert.strictEqual(yield* Queue.size(asked), 0)
    }).pipe(still)
  )

  test.effect("asks again on a refresh whatever is cached, and stores the new answer", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const process = yield* makeProcess(bus)
      const one = subject()
      for (const text of ["before", "after"]) {
        const asking = yield* Effect.forkChild(process.refresh(one))
        yield* Deferred.succeed(yield* Queue.take(asked), ok({ ...answer, text }))
        assert.deepEqual(heard(yield* Fiber.join(asking)), ["fresh", text])
        const other = yield* makeProcess(bus)
        const known = [...(yield* process.recall([one])), ...(yield* other.recall([one]))]
        assert.deepEqual(known.map(Option.map(heard)), [Option.some(["l1", text]), Option.some(["l2", text])])
      }
    }).pipe(still)
  )

  test.effect("does not ask when another process has stored the answer since the caller looked", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const [other, process] = [yield* makeProcess(bus), yield* makeProcess(bus)]
      const one = subject()
      const asking = yield* Effect.forkChild(other.refresh(one))
      yield* Deferred.succeed(yield* Queue.take(asked), ok(answer))
      yield* Fiber.join(asking)
      assert.deepEqual(heard(yield* process.obtain(one)), ["l2", answer.text])
    }).pipe(still)
  )

  test.effect("delays an answer by at most 3 s for the release of its flight", () =>
    Effect.gen(function* () {
      const { asked, bus } = yield* makeBus
      const giving = yield* Deferred.make<void>()
      const release = () => Effect.andThen(Deferred.succeed(giving, undefined), Effect.sleep("20 seconds"))
      const slow = Layer.succeed(Flights, { ...(yield* Flights), release })
      const services = yield* Layer.build(
        Layer.fresh(AnswerSource.layer).pipe(Layer.provide([Layer.succeed(Bus, bus), slow]))
      )
      const asking = yield* Effect.forkChild(Context.get(services, AnswerSource).obtain(subject()))
      yield* Deferred.succeed(yield* Queue.take(asked), ok(answer))
      yield* Deferred.await(giving)
      yield* TestClock.adjust("3 seconds")
      const given = asking.pollUnsafe()
      yield* TestClock.adjust("20 seconds")
      assert.isDefined(given)
      assert.deepEqual(heard(yield* Fiber.join(asking)), ["fresh", answer.text])
    }).pipe(still)
  )

  test.effect("leaves no flight claimed by a process that ends during the claim", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const [flights, sql] = [yield* Flights, yield* SqlClient.SqlClient]
      const [won, hears] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      // The claim is stored, and its process does not know it yet.
      const claim: typeof flights.claim = (...terms) =>
        Effect.tap(flights.claim(...terms), () =>
          Effect.andThen(Deferred.succeed(won, undefined), Deferred.await(hears))
        )
      const scope = yield* Scope.make()
      const process = yield* makeProcess(bus).pipe(
        Effect.provideService(Flights, { ...flights, claim }),
        Scope.provide(scope)
      )
      const one = subject()
      yield* Effect.forkChild(process.obtain(one))
      yield* Deferred.await(won)
      const closing = yield* Effect.forkChild(Scope.close(scope, Exit.void), { startImmediately: true })
      yield* Deferred.succeed(hears, undefined)
      yield* Fiber.join(closing)
      assert.deepEqual(yield* sql`SELECT 1 FROM flights WHERE key = decode(${answerKey(one)}, 'hex')`, [])
    }).pipe(still)
  )

  test.effect("fails at once when a flight cannot be claimed because its store is lost", () =>
    Effect.gen(function* () {
      const { bus } = yield* makeBus
      const lost = Layer.mock(Flights, { claim: () => Effect.die("the database is lost") })
      const services = yield* Layer.build(
        Layer.fresh(AnswerSource.layer).pipe(Layer.provide([Layer.succeed(Bus, bus), lost]))
      )
      const exit = yield* Effect.exit(Context.get(services, AnswerSource).obtain(subject()))
      assert.isTrue(Exit.hasDies(exit))
    }).pipe(still)
  )
})
