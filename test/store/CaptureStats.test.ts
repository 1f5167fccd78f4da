/**
 * Faults planted once, and the tests that saw them:
 * - nothing written at the end ("a closed scope")
 * - counts that replace the older ones ("added up")
 * - a failed flush that forgets its counts ("written later")
 * - the current hour counted in the week before ("each hour in one span")
 * - the environment ignored ("separately")
 * - everything pruned ("only hours")
 * - at the end of a connection: a commit under way counted as done, or as not done; a rollback counted as a commit; counts written without
 *   a transaction, or kept in doubt for ever; a flush that dies with its counts and is the last
 * - a log line for each failed flush, or for the first outage only
 */
import { assert, layer } from "@effect/vitest"
import { Config, Context, Deferred, Effect, Exit, Layer, Logger, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import type { EndedCapture } from "@sightline/domain/EndedCapture"
import type { CaptureCount } from "@sightline/domain/Health"
import { CaptureStats } from "@sightline/store/CaptureStats"
import { layerDatabase } from "./database.ts"
import { endLocked, keepOpen, untilLocked } from "./locks.ts"
import { makeProxy } from "./proxy.ts"
import { inAnotherProcess } from "./purse.ts"

const capture: EndedCapture = { environment: "live", platform: "ai_mode", ending: "ok", millis: 1000, adverts: 0 }

/** The counts of a process of its own, written when its scope closes. */
const during = Effect.fnUntraced(function* (captures: ReadonlyArray<EndedCapture>) {
  const scope = yield* Scope.make()
  const services = yield* Scope.provide(Layer.build(Layer.fresh(CaptureStats.layer)), scope)
  const { record } = Context.get(services, CaptureStats)
  yield* Effect.forEach(captures, record, { discard: true })
  yield* Scope.close(scope, Exit.void)
})

const week = { environment: "live", from: "7 days", until: 0 } as const

const total = (counts: ReadonlyArray<CaptureCount>) => counts.reduce((sum, { count }) => sum + count, 0)

/** Moves all written rows this many hours into the past. */
const age = (hours: number) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE capture_stats SET hour = hour - make_interval(hours => ${hours})`)

/** Done when a flush has logged its failure. */
class Refused extends Context.Service<Refused, Deferred.Deferred<void>>()("Refused") {}

const listening = Layer.unwrap(
  Effect.map(Refused, (refused) => Logger.layer([Logger.make(() => Deferred.doneUnsafe(refused, Effect.void))]))
).pipe(Layer.provideMerge(Layer.effect(Refused, Deferred.make<void>())))

/** Waits until a flush has been told how an earlier one ended. */
const untilAsked = SqlClient.SqlClient.use((sql) => {
  const asked = sql`SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle' AND query LIKE '%pg_xact_status(%'`
  return Effect.repeat(asked, { until: (rows) => rows.length > 0 })
})

/** The lock that commits wait for. */
const atCommit = 34

/** Makes each commit of counts wait for a lock, and then run this. */
const holdCommits = (then: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.andThen(
      sql.unsafe(`CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_advisory_xact_lock(${atCommit}); ${then} RETURN NULL; END $$`),
      sql`CREATE CONSTRAINT TRIGGER held AFTER INSERT OR UPDATE ON capture_stats DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION hold_commit()`
    )
  )

const freeCommits = SqlClient.SqlClient.use((sql) => sql`DROP FUNCTION hold_commit CASCADE`)

/** Waits until no session holds or awaits that lock. */
const untilUnlocked = SqlClient.SqlClient.use((sql) =>
  Effect.repeat(sql`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${atCommit}`, {
    until: (rows) => rows.length === 0
  })
)

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

    it.effect("counts that cannot be written are written later, once", () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const scope = yield* Scope.make()
        const services = yield* Scope.provide(Layer.build(Layer.fresh(CaptureStats.layer)), scope)
        const { record } = Context.get(services, CaptureStats)
        // A value that the table rejects fails the whole statement, as an unreachable database would.
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

    for (const moment of ["once it is committed", "before it is committed", "before it is rolled back"] as const)
      it.effect(`counts under way when their connection ends are counted once, ${moment}`, () =>
        Effect.gen(function* () {
          yield* forget
          const sql = yield* SqlClient.SqlClient
          const release = yield* keepOpen(sql`SELECT pg_advisory_xact_lock(${atCommit})`)
          yield* holdCommits(moment === "before it is rolled back" ? "RAISE 'not now';" : "")
          const scope = yield* Scope.make()
          const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
          const distant = yield* Scope.provide(inAnotherProcess(CaptureStats.layer, proxy.socket), scope)
          const stats = Context.get(distant, CaptureStats)
          yield* stats.record(capture)
          yield* TestClock.adjust("3 seconds")
          yield* untilLocked
          yield* proxy.clog
          const goOn = Effect.andThen(release, untilUnlocked)
          if (moment === "once it is committed") yield* goOn
          yield* proxy.mend
          yield* Effect.flatMap(Refused, Deferred.await)
          yield* stats.record(capture)
          if (moment !== "once it is committed") {
            yield* TestClock.adjust("3 seconds")
            yield* Effect.andThen(untilAsked, goOn)
          }
          yield* freeCommits
          yield* Scope.close(scope, Exit.void)
          assert.strictEqual(total(yield* (yield* CaptureStats).counts(week)), 2)
        }).pipe(Effect.provide([listening, TestClock.layer()]))
      )

    it.effect("counts are written by the next flush if the connection ends before they are written", () =>
      Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const release = yield* keepOpen(sql`LOCK TABLE capture_stats IN SHARE MODE`)
        const { counts, record } = Context.get(yield* Layer.build(Layer.fresh(CaptureStats.layer)), CaptureStats)
        yield* record(capture)
        yield* TestClock.adjust("3 seconds")
        yield* endLocked
        yield* Effect.flatMap(Refused, Deferred.await)
        yield* release
        yield* TestClock.adjust("3 seconds")
        yield* Effect.repeat(counts(week), { until: (found) => total(found) === 1 })
      }).pipe(Effect.provide([listening, TestClock.layer()]))
    )

    it.effect("counts are written by the next flush if one dies", () =>
      Effect.gen(function* () {
        yield* forget
        let isBroken = true
        const breaking = Layer.effect(
          SqlClient.SqlClient,
          SqlClient.SqlClient.use((sql) =>
            Effect.succeed(
              new Proxy(sql, {
                get: (target, key) =>
                  key === "withTransaction" && isBroken ? () => Effect.die("broken") : Reflect.get(target, key)
              })
            )
          )
        )
        const stats = Layer.fresh(CaptureStats.layer.pipe(Layer.provide(breaking)))
        const { counts, record } = Context.get(yield* Layer.build(stats), CaptureStats)
        yield* record(capture)
        yield* TestClock.adjust("3 seconds")
        yield* Effect.flatMap(Refused, Deferred.await)
        isBroken = false
        yield* TestClock.adjust("3 seconds")
        yield* Effect.repeat(counts(week), { until: (found) => total(found) === 1 })
      }).pipe(Effect.provide([listening, TestClock.layer()]))
    )

    it.effect("a failure to write is logged once, and again when it recurs", () => {
      let lines = 0
      return Effect.gen(function* () {
        yield* forget
        const sql = yield* SqlClient.SqlClient
        const { counts, record } = Context.get(yield* Layer.build(Layer.fresh(CaptureStats.layer)), CaptureStats)
        const flush = TestClock.adjust("3 seconds")
        const untilCounted = (count: number) =>
          Effect.repeat(Effect.andThen(flush, counts(week)), { until: (found) => total(found) === count })
        yield* sql`CREATE SEQUENCE tries`
        for (const outage of [1, 2]) {
          // A rollback does not undo a sequence.
          yield* sql`ALTER TABLE capture_stats ADD CONSTRAINT closed CHECK (nextval('tries') < 0) NOT VALID`
          yield* record(capture)
          const tried = sql`SELECT FROM tries WHERE last_value >= ${3 * outage}`
          yield* Effect.repeat(Effect.andThen(flush, tried), { until: (rows) => rows.length > 0 })
          yield* sql`ALTER TABLE capture_stats DROP CONSTRAINT closed`
          yield* untilCounted(1)
          // This flush ends only after the previous one has.
          yield* record(capture)
          yield* untilCounted(2)
          yield* forget
          assert.strictEqual(lines, outage)
        }
      }).pipe(Effect.provide([Logger.layer([Logger.make(() => void lines++)]), TestClock.layer()]))
    })

    it.effect("live and test captures are counted separately", () =>
      Effect.gen(function* () {
        yield* forget
        yield* during([capture, { ...capture, environment: "test" }, { ...capture, environment: "test" }])
        const stats = yield* CaptureStats
        assert.strictEqual(total(yield* stats.counts(week)), 1)
        assert.strictEqual(total(yield* stats.counts({ ...week, environment: "test" })), 2)
      })
    )

    it.effect("adjacent spans have each hour in one span", () =>
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

    it.effect("only hours that no span covers are pruned", () =>
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
