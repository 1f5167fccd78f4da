/**
 * Faults planted once, and the tests that saw them: nothing written at the end ("a closed scope"), counts in place of the
 * older ones ("added up"), a failed flush that forgets its counts ("written later"), the current hour in the week before
 * ("each hour in one span"), the environment not looked at ("apart"), everything pruned ("only hours").
 */
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Layer, Logger, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { EndedCapture } from "@sightline/domain/EndedCapture"
import type { CaptureCount } from "@sightline/domain/Health"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { layerDatabase } from "./database.ts"

const capture: EndedCapture = { environment: "live", platform: "ai_mode", ending: "ok", millis: 1000, adverts: 0 }

/** What a process of its own has counted once it has ended. */
const during = Effect.fnUntraced(function* (captures: ReadonlyArray<EndedCapture>) {
  const scope = yield* Scope.make()
  const services = yield* Scope.provide(Layer.build(Layer.fresh(CaptureStats.layer)), scope)
  const { record } = Context.get(services, CaptureStats)
  yield* Effect.forEach(captures, record, { discard: true })
  yield* Scope.close(scope, Exit.void)
})

const week = { environment: "live", from: "7 days", until: 0 } as const

const total = (counts: ReadonlyArray<CaptureCount>) => counts.reduce((sum, { count }) => sum + count, 0)

/** Moves everything that is written so many hours into the past. */
const age = (hours: number) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE capture_stats SET hour = hour - make_interval(hours => ${hours})`)

/** Done when a flush has said that it failed. */
class Refused extends Context.Service<Refused, Deferred.Deferred<void>>()("Refused") {}

const listening = Layer.unwrap(
  Effect.map(Refused, (refused) => Logger.layer([Logger.make(() => Deferred.doneUnsafe(refused, Effect.void))]))
).pipe(Layer.provideMerge(Layer.effect(Refused, Deferred.make<void>())))

const forget = SqlClient.SqlClient.use((sql) => sql`DELETE FROM capture_stats`)

layer(CaptureStats.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })(
  "CaptureStats",
  (it) => {
    it.effect("a closed scope has written every capture, added up by kind over processes", () =>
      Effect.gen(function* () {
        yield* forget
        const mixed: ReadonlyArray<EndedCapture> = [
          ...Array.from({ length: 40 }, () => capture),
          ...Array.from({ length: 7 }, () => ({ ...capture, adverts: 2 })),
          { environment: "live", platform: "gemini_live", ending: "ok", millis: 90 },
          { environment: "live", platform: "ai_mode", ending: "timeout", millis: 90_000 }
        ]
        yield* Effect.all([during(mixed), during(mixed), during(mixed)], { concurrency: 3 })
        const counts = yield* (yield* CaptureStats).counts(week)
        const plain = counts.map(({ platform, ending, adverts, count }) => `${platform} ${ending} ${adverts} ${count}`)
        assert.sameMembers(plain, [
          "ai_mode ok false 120",
          "ai_mode ok true 21",
          "gemini_live ok null 3",
          "ai_mode timeout null 3"
        ])
        for (const { latency, ending, adverts } of counts)
          if (ending === "ok" && adverts !== null) assert.isTrue(latency >= 1000 && latency <= 1250)
      })
    )

    it.effect("what could not be written is written later, once", () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const scope = yield* Scope.make()
        const services = yield* Scope.provide(Layer.build(Layer.fresh(CaptureStats.layer)), scope)
        const { record } = Context.get(services, CaptureStats)
        // A value that the table refuses fails the whole statement, as a database that is away would.
        yield* sql`ALTER TABLE capture_stats ADD CONSTRAINT closed CHECK (captures > 1000) NOT VALID`
        yield* record(capture)
        yield* TestClock.adjust("3 seconds")
        yield* Effect.flatMap(Refused, Deferred.await)
        assert.deepStrictEqual(yield* (yield* CaptureStats).counts(week), [])
        yield* sql`ALTER TABLE capture_stats DROP CONSTRAINT closed`
        yield* record(capture)
        yield* Scope.close(scope, Exit.void)
        assert.strictEqual(total(yield* (yield* CaptureStats).counts(week)), 2)
      }).pipe(Effect.provide([listening, TestClock.layer()]))
    )

    it.effect("live and test captures are counted apart", () =>
      Effect.gen(function* () {
        yield* forget
        yield* during([capture, { ...capture, environment: "test" }, { ...capture, environment: "test" }])
        const stats = yield* CaptureStats
        assert.strictEqual(total(yield* stats.counts(week)), 1)
        assert.strictEqual(total(yield* stats.counts({ ...week, environment: "test" })), 2)
      })
    )

    it.effect("spans that meet have each hour in one of them", () =>
      Effect.gen(function* () {
        yield* forget
        const stats = yield* CaptureStats
        yield* during([capture])
        yield* SqlClient.SqlClient.use(
          (sql) => sql`
            INSERT INTO capture_stats
            SELECT hour - make_interval(hours => ago), environment, platform, ending, adverts, latency_ms, captures
            FROM capture_stats, generate_series(1, 29) AS ago`
        )
        const day = yield* stats.counts({ environment: "live", from: "1 day", until: 0 })
        const before = yield* stats.counts({ environment: "live", from: "8 days", until: "1 day" })
        const recent = yield* stats.counts({ environment: "live", from: "2 hours", until: 0 })
        assert.deepStrictEqual([total(day), total(before), total(recent)], [24, 6, 2])
      })
    )

    it.effect("only hours that nobody looks at are pruned", () =>
      Effect.gen(function* () {
        yield* forget
        const stats = yield* CaptureStats
        yield* during([capture])
        yield* age(24 * 8)
        assert.strictEqual(yield* stats.prune, 0)
        yield* age(25)
        assert.strictEqual(yield* stats.prune, 1)
      })
    )
  }
)
