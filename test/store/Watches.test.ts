/**
 * Watches from their creation to their last slot, claimed by several schedulers concurrently. Their runs are tested in `Runs.test.ts`.
 *
 * Planted faults, each seen red:
 * - the next slot queued instead of the missed one; moved one period only, however late; a first slot that is not after now
 * - no locks; paused watches claimed; the shortest due first
 * - a queued run that survives the pause
 * - secrets in clear
 * - a resumption that moves an active watch, or is refused for one
 * - two open runs; two runs of a slot
 * - another account's pause accepted; the event of a paused watch delivered
 * - a claim that never allows for existing runs; any failure of a claim mistaken for an existing run
 * - pending deliveries of a paused watch left pending, or those of another watch, or of asks, given up
 * - queued runs of a detached account's watches left queued, or those of all accounts dropped; the watches of all accounts paused
 * - ended runs read by a pause of one watch, or of all
 * - concurrent creations not serialised, resumptions without a limit, paused watches or both environments counted together
 * - calendar days instead of hours
 * - watches of one moment left out of a list
 */
import { assert, describe, layer } from "@effect/vitest"
import { Array, DateTime, Deferred, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { periodMillis } from "@sightline/domain/Slot"
import type { Wallet } from "@sightline/domain/Wallet"
import { Interval, TooManyWatches } from "@sightline/domain/Watch"
import type { Position } from "@sightline/store/Page"
import { Runs } from "@sightline/store/Runs"
import { Watches } from "@sightline/store/Watches"
import { wallet } from "./purse.ts"
import { rowsRead } from "./rowsRead.ts"
import {
  anotherProcess,
  clear,
  deliveriesOf,
  layerWatches,
  makeDue,
  queued,
  record,
  runsOf,
  secret,
  settle,
  watching,
  wishes
} from "./watching.ts"
import { latestSlotAt, nextRunAt } from "./slots.ts"

const all = { concurrency: "unbounded" } as const

/** The database's clock. */
const now = SqlClient.SqlClient.use((sql) =>
  Effect.map(sql<{ at: Date }>`SELECT clock_timestamp() AS at`, ([row]) =>
    DateTime.makeUnsafe(row?.at ?? assert.fail("no clock"))
  )
)

const millis = (at: string | Date) => new Date(at).getTime()

/** Claims until nothing is due. Returns the number of watches moved. */
const drain = (claimDue: Watches["Service"]["claimDue"], limit = 7): Effect.Effect<number> =>
  Effect.flatMap(claimDue(limit), ({ moved }) =>
    moved < limit ? Effect.succeed(moved) : Effect.map(drain(claimDue, limit), (more) => moved + more)
  )

const nextOf = (id: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(sql<{ at: Date }>`SELECT next_run_at AS at FROM watches WHERE id = ${id}`, ([row]) =>
      millis(row?.at ?? assert.fail("no watch"))
    )
  )

layer(layerWatches, { excludeTestServices: true })("Watches", (it) => {
  describe("a new watch", () => {
    for (const interval of Interval.literals)
      it.effect(`runs first in the next slot of its phase strictly after now, ${interval}`, () =>
        Effect.gen(function* () {
          const { create } = yield* Watches
          for (let made = 0; made < 20; made++) {
            const purse = yield* wallet(1000)
            const before = yield* now
            const watch = yield* create(purse, wishes({ interval }), secret)
            const after = yield* now
            const due = [before, after].map((at) => DateTime.toEpochMillis(nextRunAt(watch.id, interval, at)))
            assert.include(due, millis(watch.nextRunAt))
            assert.isAbove(millis(watch.nextRunAt), millis(watch.createdAt))
          }
        })
      )

    it.effect("belongs to its owner, as it was requested, and to no other wallet", () =>
      Effect.gen(function* () {
        const watches = yield* Watches
        const wished = wishes({ interval: "weekly", triggerOn: ["rank_changed"], sensitivity: "evidence" })
        const { purse, watch, id } = yield* watching(wished)
        assert.deepInclude(watch, { ...wished, enabled: true })
        assert.deepStrictEqual(yield* watches.find(purse, id), Option.some(watch))
        for (const other of [yield* wallet(0), { ...purse, environment: "test" as const }])
          for (const call of [watches.find, watches.pause, watches.resume])
            assert.deepStrictEqual(yield* call(other, id), Option.none())
        assert.deepStrictEqual(yield* watches.find(purse, id), Option.some(watch))
      })
    )

    it.effect("has its secret nowhere in clear text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* watching()
        const clearly = Buffer.from(Redacted.value(secret)).toString("hex")
        const found = yield* sql`
          SELECT 1 FROM watches w WHERE id = ${id}
            AND (position(${Redacted.value(secret)} IN w::text) > 0 OR position(${clearly} IN encode(secret, 'hex')) > 0)`
        assert.lengthOf(found, 0)
      })
    )
  })

  describe("a claim", () => {
    it.effect(
      "by six concurrent schedulers in three processes gives each due watch one run, for its slot, and moves it on",
      () =>
        Effect.gen(function* () {
          yield* clear
          const processes = [yield* anotherProcess, yield* anotherProcess, { watches: yield* Watches }]
          const purse = yield* wallet(0)
          const made = yield* Effect.forEach(
            Array.range(1, 150),
            (n) => watching({ interval: Interval.literals[n % 3] ?? "hourly" }, purse),
            { concurrency: 8 }
          )
          for (const round of [1, 2]) {
            const ids = made.map(({ id }) => id)
            yield* makeDue(ids)
            const due = new Map(yield* Effect.forEach(ids, (id) => Effect.map(nextOf(id), (at) => [id, at] as const)))
            const moved = yield* Effect.forEach(
              [...processes, ...processes],
              ({ watches }) => drain(watches.claimDue),
              all
            )
            // A claim that finds all remaining rows locked ends; the next claim takes what was left.
            const left = yield* drain((yield* Watches).claimDue)
            assert.strictEqual(
              [...moved, left].reduce((sum, count) => sum + count, 0),
              ids.length
            )
            for (const { id, watch } of made) {
              const [run, ...others] = (yield* runsOf(id)).filter(({ status }) => status === "queued")
              assert.deepStrictEqual([run?.scheduledFor.getTime(), others.length], [due.get(id), 0], `round ${round}`)
              assert.strictEqual(yield* nextOf(id), (due.get(id) ?? 0) + periodMillis(watch.interval))
            }
            if (round === 1) yield* clearRuns
          }
        })
    )

    it.effect(
      "after 26 hours makes one run per watch, for the latest slot it missed, and moves its next run ahead",
      () =>
        Effect.gen(function* () {
          yield* clear
          const purse = yield* wallet(0)
          const hourly = yield* Effect.replicateEffect(watching({ interval: "hourly" }, purse), 30)
          const daily = yield* Effect.replicateEffect(watching({ interval: "daily" }, purse), 30)
          const weekly = yield* Effect.replicateEffect(watching({ interval: "weekly" }, purse), 5)
          yield* makeDue(
            hourly.map(({ id }) => id),
            26
          )
          yield* makeDue(
            daily.map(({ id }) => id),
            2
          )
          const before = yield* now
          assert.strictEqual(yield* drain((yield* Watches).claimDue), 60)
          const after = yield* now
          for (const { id, watch } of [...hourly, ...daily]) {
            const runs = yield* runsOf(id)
            const latest = [before, after].map((at) => DateTime.toEpochMillis(latestSlotAt(id, watch.interval, at)))
            assert.lengthOf(runs, 1)
            assert.include(latest, runs[0]?.scheduledFor.getTime())
            assert.strictEqual(yield* nextOf(id), millis(watch.nextRunAt))
          }
          for (const { id } of weekly) assert.lengthOf(yield* runsOf(id), 0)
          assert.strictEqual(yield* drain((yield* Watches).claimDue), 0)
        })
    )

    it.effect("moves a watch whose last run is open without a second run; once that is over, it runs again", () =>
      Effect.gen(function* () {
        yield* clear
        const { purse, id, watch } = yield* watching()
        const claim = (yield* Watches).claimDue(10)
        const open = yield* queued(purse, id)
        yield* makeDue([id], 2)
        assert.deepStrictEqual(yield* claim, { moved: 1, missed: 1, runs: [] })
        assert.strictEqual(yield* nextOf(id), millis(watch.nextRunAt))
        yield* settle(purse, record(open))
        yield* makeDue([id])
        const { runs } = yield* claim
        assert.lengthOf(runs, 1)
        yield* settle(purse, record(runs[0] ?? assert.fail()))
        // The slot already has its run, as after a clock that was set back.
        yield* makeDue([id])
        assert.deepStrictEqual(yield* claim, { moved: 1, missed: 0, runs: [] })
        assert.lengthOf(yield* runsOf(id), 2)
      })
    )

    it.effect(
      "counts in hours, and so does what is shown, even across a daylight saving change before the next slot",
      () =>
        Effect.gen(function* () {
          yield* clear
          const [sql, watches] = [yield* SqlClient.SqlClient, yield* Watches]
          for (const interval of ["daily", "weekly"] as const) {
            const { purse, id, watch } = yield* watching({ interval })
            const next = millis(watch.nextRunAt)
            // A time zone made up for this test: one hour ahead from a minute before the next slot.
            const change = new Date(next - 60_000)
            const day = Math.floor((change.getTime() - Date.UTC(change.getUTCFullYear())) / 86_400_000)
            const [at] = change.toISOString().slice(11).split(".")
            const zone = `STD0DST,${day}/${at},${(day + 100) % 365}/0`
            const there = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
              sql.withTransaction(Effect.andThen(sql`SELECT set_config('TimeZone', ${zone}, true)`, effect))
            yield* makeDue([id])
            const shown = Option.getOrThrow(yield* there(watches.find(purse, id)))
            assert.strictEqual(millis(shown.nextRunAt), next, interval)
            assert.strictEqual((yield* there(watches.claimDue(10))).moved, 1)
            assert.strictEqual(yield* nextOf(id), next, interval)
            const [run] = yield* runsOf(id)
            assert.strictEqual(run?.scheduledFor.getTime(), next - periodMillis(interval))
          }
        })
    )

    it.effect("that fails for another reason than an existing run is made once, and moves nothing", () =>
      Effect.gen(function* () {
        yield* clear
        const sql = yield* SqlClient.SqlClient
        const { id } = yield* watching()
        yield* makeDue([id])
        const due = yield* nextOf(id)
        // A sequence also counts what is rolled back.
        yield* sql`CREATE SEQUENCE claims`
        yield* sql`
          CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM nextval('claims'); RAISE EXCEPTION 'no runs today'; END $$`
        yield* sql`CREATE TRIGGER refuse BEFORE INSERT ON runs EXECUTE FUNCTION refuse()`
        const end = yield* Effect.exit((yield* Watches).claimDue(10))
        const claims = yield* sql`SELECT last_value::integer AS count, is_called FROM claims`
        yield* sql`DROP FUNCTION refuse CASCADE`
        yield* sql`DROP SEQUENCE claims`
        assert.isTrue(Exit.hasDies(end))
        assert.deepEqual(claims, [{ count: 1, isCalled: true }])
        assert.strictEqual(yield* nextOf(id), due)
      })
    )

    it.effect("takes no more than its limit, the longest due first", () =>
      Effect.gen(function* () {
        yield* clear
        const made = yield* Effect.replicateEffect(watching(), 3)
        for (const [place, { id }] of made.entries()) yield* makeDue([id], 10 - place)
        assert.strictEqual((yield* (yield* Watches).claimDue(2)).moved, 2)
        const counts = yield* Effect.forEach(made, ({ id }) => Effect.map(runsOf(id), (runs) => runs.length))
        assert.deepStrictEqual(counts, [1, 1, 0])
      })
    )
  })

  describe("a pause", () => {
    it.effect("that is committed means no run, however late, and a repeated pause returns the same", () =>
      Effect.gen(function* () {
        yield* clear
        const watches = yield* Watches
        const { purse, id } = yield* watching()
        const paused = yield* watches.pause(purse, id)
        assert.isFalse(Option.getOrThrow(paused).enabled)
        assert.deepStrictEqual(yield* watches.pause(purse, id), paused)
        yield* makeDue([id], 5)
        assert.deepStrictEqual(yield* watches.claimDue(10), { moved: 0, missed: 0, runs: [] })
        assert.lengthOf(yield* runsOf(id), 0)
      })
    )

    it.effect("that is concurrent with a claim of the watch comes first or second, and leaves no run either way", () =>
      Effect.gen(function* () {
        yield* clear
        const sql = yield* SqlClient.SqlClient
        const other = yield* anotherProcess
        const { purse, id } = yield* watching()
        yield* makeDue([id])
        const [locked, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const pausing = yield* (yield* Watches)
          .pause(purse, id)
          .pipe(
            Effect.andThen(Deferred.succeed(locked, undefined)),
            Effect.andThen(Deferred.await(release)),
            sql.withTransaction,
            Effect.forkChild
          )
        yield* Deferred.await(locked)
        assert.deepStrictEqual(yield* other.watches.claimDue(10), { moved: 0, missed: 0, runs: [] })
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(pausing)
        assert.deepStrictEqual(yield* other.watches.claimDue(10), { moved: 0, missed: 0, runs: [] })
        for (let round = 0; round < 20; round++) {
          yield* (yield* Watches).resume(purse, id)
          yield* makeDue([id], 1 + round)
          yield* Effect.all([(yield* Watches).pause(purse, id), other.watches.claimDue(10)], all)
          assert.lengthOf(yield* runsOf(id), 0)
        }
      })
    )

    it.effect("removes a queued run; a running one may finish, and its event is not delivered", () =>
      Effect.gen(function* () {
        const [watches, runs] = [yield* Watches, yield* Runs]
        const { purse, id } = yield* watching()
        const waiting = yield* queued(purse, id)
        yield* watches.pause(purse, id)
        assert.lengthOf(yield* runsOf(id), 0)
        assert.deepStrictEqual(yield* runs.claim(waiting), Option.none())
        yield* watches.resume(purse, id)
        const running = yield* queued(purse, id)
        assert.isTrue(Option.isSome(yield* runs.claim(running)))
        yield* watches.pause(purse, id)
        const event = { head: '{"fired_at":"', tail: '"}' }
        yield* settle(purse, record(running, { triggers: ["mention_added"], event }))
        const [run] = yield* runsOf(id)
        assert.deepInclude(run, { status: "completed", triggersFired: ["mention_added"] })
        const given = (yield* deliveriesOf(running)).map(({ status, reason }) => ({ status, reason }))
        assert.deepStrictEqual(given, [{ status: "failed", reason: "watch_paused" }])
      })
    )
  })

  describe("a pause of one watch or of all", () => {
    it.effect(
      "of all an account's watches drops their queued runs, lets running ones finish, and pauses no other account's",
      () =>
        Effect.gen(function* () {
          const one = yield* watching()
          const rehearsal = { ...one.purse, environment: "test" as const }
          const [other, running, stranger] = [
            yield* watching({}, rehearsal),
            yield* watching({}, one.purse),
            yield* watching()
          ]
          for (const { purse, id } of [one, other, stranger]) yield* queued(purse, id)
          const begun = yield* queued(running.purse, running.id)
          assert.isTrue(Option.isSome(yield* (yield* Runs).claim(begun)))
          const watches = yield* Watches
          yield* watches.pauseAll(one.purse.accountId)
          const all = [one, other, running, stranger]
          const found = yield* Effect.forEach(all, ({ id, purse }) => watches.find(purse, id))
          assert.deepStrictEqual(
            found.map((watch) => Option.getOrThrow(watch).enabled),
            [false, false, false, true]
          )
          const left = yield* Effect.forEach(all, ({ id }) => runsOf(id))
          assert.deepStrictEqual(
            left.map((runs) => runs.map(({ status }) => status)),
            [[], [], ["running"], ["queued"]]
          )
        })
    )

    it.effect("reads no run that has ended", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, purse } = yield* watching()
        yield* sql`
          INSERT INTO runs (id, watch_id, scheduled_for, status, announced_at, finished_at)
          SELECT gen_random_uuid(), ${id}::uuid, now() - interval '1 hour' * n, 'completed', now(), now() FROM generate_series(1, 5000) n`
        yield* sql`VACUUM ANALYZE runs`
        const { pause, pauseAll } = yield* Watches
        const [before, , , after] = yield* sql.withTransaction(
          Effect.all([rowsRead("runs"), pause(purse, id), pauseAll(purse.accountId), rowsRead("runs")])
        )
        assert.isAtMost(after - before, 100)
      })
    )
  })

  describe("a pause of a watch that fired", () => {
    /** A watch with a run that fired and whose delivery is pending. */
    const fired = Effect.fnUntraced(function* (owner?: Wallet) {
      const { purse, id } = yield* watching({}, owner)
      const run = yield* queued(purse, id)
      const event = { head: '{"fired_at":"', tail: '"}' }
      yield* settle(purse, record(run, { triggers: ["mention_added"], event }))
      return { purse, id, run }
    })
    const told = Effect.fnUntraced(function* ({ id, run }: Effect.Success<ReturnType<typeof fired>>) {
      const [delivery] = yield* deliveriesOf(run)
      const { rows } = yield* (yield* Runs).page(id, { limit: 1 })
      return [delivery?.status, delivery?.reason, delivery?.nextAttemptAt, rows[0]?.deliveryStatus]
    })
    const given = ["failed", "watch_paused", null, "failed"]

    it.effect("ends its pending deliveries, and no resumption restores them", () =>
      Effect.gen(function* () {
        const watches = yield* Watches
        const one = yield* fired()
        const other = yield* fired(one.purse)
        for (const stranger of [yield* wallet(0), { ...one.purse, environment: "test" as const }])
          yield* watches.pause(stranger, one.id)
        assert.strictEqual((yield* told(one))[0], "pending")
        yield* watches.pause(one.purse, one.id)
        assert.deepStrictEqual(yield* told(one), given)
        yield* watches.pause(one.purse, one.id)
        yield* watches.resume(one.purse, one.id)
        assert.deepStrictEqual(yield* told(one), given)
        assert.strictEqual((yield* told(other))[0], "pending")
      })
    )

    it.effect("of all watches of an account ends their pending deliveries, and no other account's and no ask's", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const one = yield* fired()
        const { accountId, environment } = one.purse
        const [ofAsk] = yield* sql`
          INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
          SELECT gen_random_uuid(), ${accountId}, ${environment}, 'ask.completed', gen_random_uuid(), gen_random_uuid(),
            'https://acme.com/', '', 'pending', now(), now()
          RETURNING id`
        const others = [yield* fired(one.purse), yield* fired(one.purse)]
        const stranger = yield* fired()
        yield* (yield* Watches).pauseAll(one.purse.accountId)
        for (const watch of [one, ...others]) assert.deepStrictEqual(yield* told(watch), given)
        assert.strictEqual((yield* told(stranger))[0], "pending")
        const left = yield* sql`SELECT status FROM deliveries WHERE id = ${String(ofAsk?.["id"])}`
        assert.deepStrictEqual(left, [{ status: "pending" }])
      })
    )
  })

  describe("a resumption", () => {
    it.effect("runs the watch again from its next slot on: missed slots are not caught up", () =>
      Effect.gen(function* () {
        yield* clear
        const watches = yield* Watches
        const { purse, id, watch } = yield* watching({ interval: "daily" })
        yield* watches.pause(purse, id)
        yield* makeDue([id], 9)
        const before = yield* now
        const resumed = Option.getOrThrow(yield* watches.resume(purse, id))
        const after = yield* now
        assert.isTrue(resumed.enabled)
        assert.include(
          [before, after].map((at) => DateTime.toEpochMillis(nextRunAt(id, watch.interval, at))),
          millis(resumed.nextRunAt)
        )
        assert.deepStrictEqual(yield* watches.claimDue(10), { moved: 0, missed: 0, runs: [] })
      })
    )

    it.effect("leaves an active watch unchanged, even one that is due", () =>
      Effect.gen(function* () {
        const watches = yield* Watches
        const { purse, id } = yield* watching()
        yield* makeDue([id], 2)
        const [found, due] = [yield* watches.find(purse, id), yield* nextOf(id)]
        assert.deepStrictEqual(yield* watches.resume(purse, id), found)
        assert.deepStrictEqual(yield* watches.find(purse, id), found)
        // What is shown is the next slot; the row still has the due one.
        assert.strictEqual(yield* nextOf(id), due)
      })
    )
  })

  describe("active watches", () => {
    it.effect("are 10,000 at most, however many are created and resumed concurrently; a pause makes room", () =>
      Effect.gen(function* () {
        const [sql, watches] = [yield* SqlClient.SqlClient, yield* Watches]
        const { purse, id } = yield* watching()
        yield* sql`
          INSERT INTO watches
          SELECT gen_random_uuid(), account_id, environment, query, brand, mode, "interval", webhook_url, secret, trigger_on,
            sensitivity, true, next_run_at + interval '1 year', created_at - interval '1 day'
          FROM watches, generate_series(1, 9994) WHERE id = ${id}`
        const paused = yield* Effect.replicateEffect(watching({}, purse), 3)
        for (const watch of paused) yield* watches.pause(purse, watch.id)
        const attempts = yield* Effect.all(
          [
            ...paused.map((watch) => Effect.result(watches.resume(purse, watch.id))),
            ...Array.makeBy(8, () => Effect.result(watches.create(purse, wishes(), secret)))
          ],
          { concurrency: 4 }
        )
        assert.lengthOf(Array.getSuccesses(attempts), 5)
        for (const refused of Array.getFailures(attempts))
          assert.deepEqual(refused, new TooManyWatches({ most: 10_000 }))
        assert.isTrue(Option.isSome(yield* watches.resume(purse, id)))
        yield* watching({}, { ...purse, environment: "test" })
        yield* watching()
        yield* watches.pause(purse, id)
        yield* watching({}, purse)
        assert.strictEqual((yield* Effect.flip(watches.resume(purse, id)))._tag, "TooManyWatches")
        assert.strictEqual(Option.getOrThrow(yield* watches.find(purse, id)).enabled, false)
      })
    )
  })

  describe("a list", () => {
    it.effect(
      "followed to its end gives each watch once, newest first, including those of one moment, while others are added",
      () =>
        Effect.gen(function* () {
          const watches = yield* Watches
          const purse = yield* wallet(0)
          const ids = (yield* Effect.replicateEffect(watching({}, purse), 11)).map(({ id }) => id)
          yield* watching()
          const together = ids.slice(3, 8)
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            UPDATE watches SET created_at = (SELECT created_at FROM watches WHERE id = ${ids[5]}) WHERE id = ANY(${together}::uuid[])`
          const expected = [...ids.slice(0, 3), ...together.toSorted(), ...ids.slice(8)].toReversed()
          const seen: Array<string> = []
          let after: Position | null = null
          do {
            const page: Effect.Success<ReturnType<typeof watches.list>> = yield* watches.list(purse, {
              limit: 3,
              ...(after === null ? {} : { after })
            })
            seen.push(...page.rows.map(({ id }) => id))
            after = page.next
            yield* watching({}, purse)
          } while (after !== null)
          assert.deepStrictEqual(seen, expected)
        })
    )
  })
})

const clearRuns = SqlClient.SqlClient.use((sql) => sql`TRUNCATE runs`)
