/**
 * Runs from their queueing to their settlement, which writes their result, cost and delivery in one transaction.
 *
 * Planted faults, each seen red:
 * - a requested run without a lock on the watch, or of a paused watch
 * - a lease ignored; a renewal by a former worker; announced again after 5 s
 * - a second settlement accepted; a settlement that comes too late treated as a defect
 * - an outage as the previous run; the previous run chosen by its slot
 * - a page that begins with the last row of the previous one
 * - an end of a run that has ended, or by a former worker
 * - another time than the run's in its event
 * - a requested run whose response is lost, at its COMMIT or before, not requested again, requested as another, or not found when it is
 *   done; its start time changed by each try
 * - a pending replay shown for a delivered event, or a failed original shown for its replay
 * - a run without an event counted as reported although the event before it failed
 * - the event of a paused watch missing from the failed deliveries
 * - a run that was released left as running, its pause not waited for, or a run that an earlier worker began dropped with it
 */
import { assert, describe, layer } from "@effect/vitest"
import { Array, Config, Context, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { credits, zero } from "@sightline/domain/Credits"
import { noEvidence, weigh } from "@sightline/domain/Evidence"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Deliveries } from "@sightline/store/Deliveries"
import { plainReply, Replies } from "@sightline/store/Replies"
import type { Position } from "@sightline/store/Page"
import { type RunRecord, Runs } from "@sightline/store/Runs"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { endLocked, holdCommits, keepOpen, slowCommits, untilLocked } from "./locks.ts"
import { makeProxy } from "./proxy.ts"
import { checkRow, checkSeeing, claimed, dump, ending, expire, inAnotherProcess, order, wallet } from "./purse.ts"
import { moments, withResponseLost } from "./lostResponse.ts"
import {
  ageRun,
  anotherProcess,
  clear,
  deliveriesOf,
  layerWatches,
  makeDue,
  queued,
  record,
  runsOf,
  settle,
  watching
} from "./watching.ts"

const all = { concurrency: "unbounded" } as const

const result: RunRecord["result"] = [
  { platform: "chatgpt_api", present: true, rank: 2, citations: ["https://a.com/"] },
  { platform: "claude_api", present: false, rank: null, citations: [] }
]

/** A run with a value in every field. */
const fullRecord = (id: string): RunRecord =>
  record(id, {
    triggers: ["mention_added", "rank_changed"],
    result,
    evidence: weigh(noEvidence, result).state,
    mentions: [
      {
        platform: "chatgpt_api",
        brand: "Acme",
        rank: 2,
        sentiment: "positive",
        cues: ["best"],
        context: "the \u0000 best \ud83d\udc5f"
      }
    ],
    event: { head: '{"a":"☂","fired_at":"', tail: '","b":"\\u0000"}' }
  })

layer(layerWatches, { excludeTestServices: true })("Runs", (it) => {
  describe("a requested run", () => {
    it.effect("is queued at once; while it is open there is no other, whatever requests one", () =>
      Effect.gen(function* () {
        yield* clear
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        const first = Option.getOrThrow(yield* runs.start(purse, id))
        assert.strictEqual(first.status, "queued")
        assert.deepStrictEqual(yield* runs.start(purse, id), Option.some(first))
        yield* runs.claim(first.id)
        assert.deepStrictEqual(yield* runs.start(purse, id), Option.some({ id: first.id, status: "running" }))
        yield* makeDue([id])
        assert.deepStrictEqual(yield* (yield* Watches).claimDue(10), { moved: 1, missed: 0, runs: [] })
        yield* settle(purse, record(first.id))
        const second = Option.getOrThrow(yield* runs.start(purse, id))
        assert.notStrictEqual(second.id, first.id)
        assert.lengthOf(yield* runsOf(id), 2)
      })
    )

    it.effect("of sixty concurrent callers and schedulers in three processes is one run, and all get its id", () =>
      Effect.gen(function* () {
        yield* clear
        const processes = [yield* anotherProcess, yield* anotherProcess, yield* anotherProcess]
        const { purse, id } = yield* watching()
        for (let round = 0; round < 5; round++) {
          yield* makeDue([id], 1 + round)
          const told = yield* Effect.forEach(
            Array.range(1, 60),
            (n) => {
              const { runs, watches } = processes[n % 3] ?? assert.fail()
              return n % 4 === 0
                ? Effect.map(watches.claimDue(10), (claimed) => claimed.runs)
                : Effect.map(runs.start(purse, id), (run) => [Option.getOrThrow(run).id])
            },
            all
          )
          const open = (yield* runsOf(id)).filter(({ status }) => status === "queued")
          assert.lengthOf(open, 1)
          assert.deepStrictEqual(new Set(told.flat()), new Set(open.map((run) => run.id)))
          yield* settle(purse, record(open[0]?.id ?? assert.fail()))
        }
      })
    )

    it.effect(
      "over a connection that ends before its answer arrives is one run, and its caller's, even if it is done by then",
      () =>
        Effect.gen(function* () {
          const { purse, id } = yield* watching()
          const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
          const distant = Context.get(yield* inAnotherProcess(Runs.layer, proxy.socket), Runs)
          const quick = yield* slowCommits("INSERT ON runs")
          const release = yield* holdCommits
          const starting = yield* Effect.forkChild(distant.start(purse, id))
          yield* untilLocked
          yield* proxy.clog
          yield* release
          const [run = assert.fail()] = yield* Effect.repeat(runsOf(id), { until: (rows) => rows.length > 0 })
          yield* quick
          yield* settle(purse, record(run.id))
          yield* proxy.mend
          assert.deepStrictEqual(yield* Fiber.join(starting), Option.some({ id: run.id, status: "completed" }))
          assert.lengthOf(yield* runsOf(id), 1)
        })
    )

    it.effect("over a connection that ends before it is made is still made once, also under a key", () =>
      Effect.gen(function* () {
        const [replies, runs, sql] = [yield* Replies, yield* Runs, yield* SqlClient.SqlClient]
        const { purse, id } = yield* watching()
        const { token } = yield* claimed(purse)
        const start = runs.start(purse, id)
        const underKey = Effect.map(
          replies.runWithReply(token, start, () => plainReply(202, "{}")),
          Option.flatten
        )
        for (const asking of [start, underKey]) {
          const release = yield* keepOpen(sql`LOCK TABLE runs IN SHARE MODE`)
          const starting = yield* Effect.forkChild(asking)
          yield* endLocked
          yield* release
          const run = Option.getOrThrow(yield* Fiber.join(starting))
          assert.deepStrictEqual(
            (yield* runsOf(id)).map((row) => row.id),
            [run.id]
          )
          yield* sql`DELETE FROM runs WHERE id = ${run.id}`
        }
      })
    )

    it.effect("is none if the watch is another's, unknown or paused, even if the pause is concurrent", () =>
      Effect.gen(function* () {
        const [runs, watches] = [yield* Runs, yield* Watches]
        const { purse, id } = yield* watching()
        const strangers = [yield* wallet(0), { ...purse, environment: "test" as const }]
        for (const other of strangers) assert.deepStrictEqual(yield* runs.start(other, id), Option.none())
        assert.deepStrictEqual(yield* runs.start(purse, randomUUID()), Option.none())
        for (let round = 0; round < 20; round++) {
          yield* Effect.all([runs.start(purse, id), watches.pause(purse, id)], all)
          assert.lengthOf(yield* runsOf(id), 0)
          assert.deepStrictEqual(yield* runs.start(purse, id), Option.none())
          yield* watches.resume(purse, id)
        }
      })
    )
  })

  describe("a run", () => {
    it.effect("is claimed with its watch, as it was created", () =>
      Effect.gen(function* () {
        const purse = yield* wallet(0, "test")
        const { id, watch } = yield* watching({ query: 'a "b" \u2028 ☂', sensitivity: "evidence" }, purse)
        const runId = yield* queued(purse, id)
        const { query, brand, mode, triggerOn, sensitivity } = watch
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE runs SET scheduled_for = clock_timestamp() - interval '90 seconds' WHERE id = ${runId}`
        const { late, ...run } = Option.getOrThrow(yield* (yield* Runs).claim(runId))
        assert.isAtLeast(late, 90)
        const [begun] = yield* sql`
          SELECT extract(epoch FROM started_at - scheduled_for)::float8 AS late FROM runs WHERE id = ${runId}`
        assert.deepStrictEqual(begun, { late })
        assert.deepStrictEqual(run, {
          id: runId,
          watchId: id,
          attempt: 1,
          tries: 1,
          ...purse,
          query,
          brand,
          mode,
          triggerOn,
          sensitivity
        })
        const [row] = yield* runsOf(id)
        assert.deepInclude(row, { status: "running", attempts: 1 })
        yield* ageRun("lease_expires_at", "1 second", [runId])
        assert.strictEqual(Option.getOrThrow(yield* (yield* Runs).claim(runId)).late, late)
      })
    )

    it.effect(
      "goes to exactly one of a hundred concurrent claims in three processes, each time its lease is over",
      () =>
        Effect.gen(function* () {
          const processes = [yield* anotherProcess, yield* anotherProcess, { runs: yield* Runs }]
          const { purse, id } = yield* watching()
          const runId = yield* queued(purse, id)
          for (const attempt of [1, 2, 3]) {
            const taken = yield* Effect.forEach(
              Array.range(1, 100),
              (n) => (processes[n % 3] ?? assert.fail()).runs.claim(runId),
              all
            )
            assert.deepStrictEqual(
              Array.getSomes(taken).map((run) => run.attempt),
              [attempt]
            )
            yield* ageRun("lease_expires_at", "0 seconds", [runId])
          }
        })
    )

    it.effect("is leased to its worker for 30 s, and for 30 s more from each renewal, until another has it", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const sql = yield* SqlClient.SqlClient
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        const left = Effect.map(
          sql`SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS left FROM runs WHERE id = ${runId}`,
          ([row]) => Number(row?.["left"])
        )
        const isWhole = (seconds: number) => assert.isTrue(seconds > 25 && seconds <= 30, `${seconds}`)
        const first = Option.getOrThrow(yield* runs.claim(runId))
        isWhole(yield* left)
        yield* ageRun("lease_expires_at", "1 second", [runId])
        yield* runs.renew(first)
        isWhole(yield* left)
        assert.deepStrictEqual(yield* runs.claim(runId), Option.none())
        yield* ageRun("lease_expires_at", "1 second", [runId])
        const second = Option.getOrThrow(yield* runs.claim(runId))
        yield* ageRun("lease_expires_at", "1 second", [runId])
        yield* runs.renew(first)
        assert.isBelow(yield* left, 0)
        yield* runs.renew(second)
        isWhole(yield* left)
      })
    )

    it.effect("is ended by its worker, not by a former one", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        const first = Option.getOrThrow(yield* runs.claim(runId))
        yield* ageRun("lease_expires_at", "1 second", [runId])
        const second = Option.getOrThrow(yield* runs.claim(runId))
        yield* runs.end(first, "skipped_insufficient_balance")
        assert.strictEqual((yield* runsOf(id))[0]?.status, "running")
        yield* runs.end(second, "failed")
        assert.strictEqual((yield* runsOf(id))[0]?.status, "failed")
      })
    )

    it.effect("can be claimed for one particular try, or for any other than that one", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        assert.deepStrictEqual(yield* runs.claim(runId, { tries: 1, isExact: true }), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* runs.claim(runId, { tries: 1, isExact: false })).attempt, 1)
        yield* ageRun("lease_expires_at", "1 second", [runId])
        assert.deepStrictEqual(yield* runs.claim(runId, { tries: 1, isExact: false }), Option.none())
        assert.strictEqual(Option.getOrThrow(yield* runs.claim(runId, { tries: 1, isExact: true })).attempt, 2)
      })
    )

    it.effect("that has ended, in any way, cannot be claimed or ended again, like one that never existed", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        for (const end of ["completed", "failed", "skipped_insufficient_balance"] as const) {
          const runId = yield* queued(purse, id)
          const run = Option.getOrThrow(yield* runs.claim(runId))
          yield* end === "completed" ? settle(purse, record(runId)) : runs.end(run, end)
          yield* ageRun("lease_expires_at", "1 second", [runId])
          assert.deepStrictEqual(yield* runs.claim(runId), Option.none())
          yield* runs.end(run, "failed")
          assert.strictEqual((yield* runsOf(id)).at(-1)?.status, end)
        }
        assert.deepStrictEqual(yield* runs.claim(randomUUID()), Option.none())
      })
    )

    it.effect("that was begun before its watch was paused can be taken over and finished", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* runs.claim(runId)
        yield* (yield* Watches).pause(purse, id)
        yield* ageRun("lease_expires_at", "1 second", [runId])
        assert.strictEqual(Option.getOrThrow(yield* runs.claim(runId)).attempt, 2)
      })
    )

    it.effect("that was released is queued as if it had never been begun", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        const shown = Effect.map(runs.page(id, { limit: 1 }), ({ rows: [run = assert.fail()] }) => run)
        assert.isTrue(yield* runs.release(Option.getOrThrow(yield* runs.claim(runId))))
        assert.deepInclude(yield* shown, { id: runId, status: "queued", startedAt: null })
        assert.deepStrictEqual(yield* runs.start(purse, id), Option.some({ id: runId, status: "queued" }))
        assert.strictEqual(Option.getOrThrow(yield* runs.claim(runId)).attempt, 2)
        const { startedAt, status } = yield* shown
        assert.deepStrictEqual([startedAt === null, status], [false, "running"])
      })
    )

    for (const [moment, pausing] of [
      ["before it was released", "pause"],
      ["after it was released", "pause"],
      ["before it was released", "pauseAll"],
      ["after it was released", "pauseAll"]
    ] as const)
      it.effect(`is removed if its watch was paused ${moment}, by ${pausing}`, () =>
        Effect.gen(function* () {
          const [runs, watches] = [yield* Runs, yield* Watches]
          const { purse, id } = yield* watching()
          const runId = yield* queued(purse, id)
          const run = Option.getOrThrow(yield* runs.claim(runId))
          const pause: Effect.Effect<unknown> =
            pausing === "pause" ? watches.pause(purse, id) : watches.pauseAll(purse.accountId)
          const isBefore = moment.startsWith("before")
          if (isBefore) yield* pause
          assert.strictEqual(yield* runs.release(run), !isBefore)
          if (!isBefore) yield* pause
          assert.deepStrictEqual(yield* runs.claim(runId), Option.none())
          assert.deepStrictEqual(yield* runsOf(id), [])
          yield* watches.resume(purse, id)
          assert.deepStrictEqual(yield* runs.claim(runId), Option.none())
          assert.notStrictEqual(yield* queued(purse, id), runId)
        })
      )

    it.effect("that is released during a pause of its watch waits for the pause, and is removed", () =>
      Effect.gen(function* () {
        const [runs, watches] = [yield* Runs, yield* Watches]
        const { purse, id } = yield* watching()
        const run = Option.getOrThrow(yield* runs.claim(yield* queued(purse, id)))
        const release = yield* keepOpen(watches.pause(purse, id))
        const giving = yield* Effect.forkChild(runs.release(run))
        yield* untilLocked
        yield* release
        assert.isFalse(yield* Fiber.join(giving))
        assert.deepStrictEqual(yield* runsOf(id), [])
      })
    )

    it.effect("is removed by a pause of its watch, however pause and release interleave", () =>
      Effect.gen(function* () {
        const [runs, watches] = [yield* Runs, yield* Watches]
        const { purse, id } = yield* watching()
        for (let round = 0; round < 20; round++) {
          const run = Option.getOrThrow(yield* runs.claim(yield* queued(purse, id)))
          yield* Effect.all([runs.release(run), watches.pause(purse, id)], all)
          assert.deepStrictEqual(yield* runsOf(id), [])
          yield* watches.resume(purse, id)
        }
      })
    )

    it.effect("that was lost once continues after a pause, even if its next worker gave it back", () =>
      Effect.gen(function* () {
        const [runs, watches] = [yield* Runs, yield* Watches]
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* runs.claim(runId)
        yield* ageRun("lease_expires_at", "1 second", [runId])
        for (const attempt of [2, 3]) {
          const run = Option.getOrThrow(yield* runs.claim(runId))
          assert.deepInclude(run, { attempt, tries: 2 })
          if (attempt === 3) yield* watches.pause(purse, id)
          assert.isTrue(yield* runs.release(run))
        }
        assert.deepInclude((yield* runsOf(id))[0], { id: runId, status: "running" })
        assert.deepInclude(Option.getOrThrow(yield* runs.claim(runId)), { attempt: 4, tries: 2 })
      })
    )
  })

  it.effect("the due runs are exactly the free ones that were not announced for 10 s, each once in 10 s", () =>
    Effect.gen(function* () {
      yield* clear
      const runs = yield* Runs
      const purse = yield* wallet(1000)
      const make = Effect.fnUntraced(function* (announced: string, taken: "no" | "yes" | "lost" | "done" = "no") {
        const { id } = yield* watching({}, purse)
        const runId = yield* queued(purse, id)
        if (taken !== "no") yield* runs.claim(runId)
        if (taken === "lost") yield* ageRun("lease_expires_at", "1 second", [runId])
        if (taken === "done") yield* settle(purse, record(runId))
        yield* ageRun("announced_at", announced, [runId])
        return runId
      })
      const waiting = yield* make("10 seconds")
      const lost = yield* make("1 hour", "lost")
      yield* make("8 seconds")
      yield* make("8 seconds", "lost")
      yield* make("1 hour", "yes")
      yield* make("1 hour", "done")
      assert.sameDeepMembers(
        [...(yield* runs.due)],
        [
          { id: waiting, turn: 0, again: 0, tries: 0 },
          { id: lost, turn: 1, again: 0, tries: 1 }
        ]
      )
      assert.deepStrictEqual(yield* runs.due, [])
    })
  )

  describe("a settlement", () => {
    it.effect("stores the result of the run with its cost and its delivery", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const { purse, id, watch } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* runs.claim(runId)
        const kept = fullRecord(runId)
        const chargeId = yield* settle(purse, kept, 3)
        const [row] = yield* runsOf(id)
        const { triggers, evidence, mentions } = kept
        const left = { status: "completed", chargeId, triggersFired: triggers, result, evidence }
        assert.deepInclude(row, left)
        assert.deepStrictEqual(yield* runs.previous(id), Option.some({ toldBy: runId, result, evidence, mentions }))
        const [delivery, ...others] = yield* deliveriesOf(runId)
        assert.lengthOf(others, 0)
        assert.deepInclude(delivery, { status: "pending", url: watch.webhookUrl, event: "watch.fired" })
        const { rows } = yield* runs.page(id, { limit: 10 })
        assert.deepInclude(rows[0], {
          id: runId,
          status: "completed",
          triggersFired: triggers,
          deliveryStatus: "pending",
          cost: credits(112.5)
        })
        const body = Buffer.from(delivery?.body ?? []).toString()
        const firedAt = `${rows[0]?.finishedAt?.slice(0, 23)}Z`
        assert.strictEqual(body, `${kept.event?.head}${firedAt}${kept.event?.tail}`)
      })
    )

    it.effect("of a run in which nothing fired delivers nothing", () =>
      Effect.gen(function* () {
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* settle(purse, record(runId))
        assert.lengthOf(yield* deliveriesOf(runId), 0)
        const { rows } = yield* (yield* Runs).page(id, { limit: 10 })
        assert.deepInclude(rows[0], {
          status: "completed",
          triggersFired: [],
          deliveryStatus: null,
          cost: credits(150)
        })
      })
    )

    it.effect("of a run without answers costs nothing", () =>
      Effect.gen(function* () {
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* settle(purse, record(runId, { result: [] }), 0)
        assert.deepInclude((yield* (yield* Runs).page(id, { limit: 1 })).rows[0], { status: "completed", cost: zero })
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(1000), held: zero })
      })
    )

    for (const moment of moments)
      it.effect(
        `over a connection that ends ${moment} ends the run once, with one delivery, and reports its balance`,
        () =>
          Effect.gen(function* () {
            const { purse, id } = yield* watching()
            const runId = yield* queued(purse, id)
            const call = order(purse)
            yield* (yield* Charges).hold(call)
            const balance = yield* withResponseLost(purse, moment, (distant) =>
              Context.get(distant, Charges).settle({ id: call.id, ...ending(3), run: fullRecord(runId) })
            )
            assert.strictEqual(balance, credits(887.5))
            const [row] = yield* runsOf(id)
            assert.deepInclude(row, { status: "completed", chargeId: call.id })
            assert.lengthOf(yield* deliveriesOf(runId), 1)
          })
      )

    it.effect("that cannot be written completely leaves money, run and delivery unchanged", () =>
      Effect.gen(function* () {
        const [charges, runs] = [yield* Charges, yield* Runs]
        const { purse, id } = yield* watching()
        const runId = yield* queued(purse, id)
        yield* runs.claim(runId)
        const call = order(purse)
        yield* charges.hold(call)
        const [before, open] = [yield* dump(purse), yield* runsOf(id)]
        const check = checkSeeing({})
        const half = { ...fullRecord(runId), event: { head: '{"a":"\u0000', tail: '"}' } }
        const attempt = charges.settle({ id: call.id, ...ending(4), check, run: half })
        assert.isTrue(Exit.hasDies(yield* Effect.exit(attempt)))
        assert.deepStrictEqual([yield* dump(purse), yield* runsOf(id)], [before, open])
        assert.lengthOf(yield* deliveriesOf(runId), 0)
        assert.isTrue(Option.isNone(yield* checkRow(check.id)))
        yield* charges.settle({ id: call.id, ...ending(4), check, run: fullRecord(runId) })
        assert.isTrue(Option.isSome(yield* checkRow(check.id)))
      })
    )

    it.effect("of a run that has ended is refused: nothing is charged, and the sweeper releases its hold", () =>
      Effect.gen(function* () {
        const [charges, runs] = [yield* Charges, yield* Runs]
        const other = yield* anotherProcess
        for (const end of ["settled", "skipped_insufficient_balance", "failed"] as const) {
          const { purse, id } = yield* watching()
          const runId = yield* queued(purse, id)
          yield* end === "settled"
            ? settle(purse, record(runId), 4, other.charges)
            : runs.end({ id: runId, attempt: 0 }, end)
          const ended = yield* runsOf(id)
          const call = order(purse)
          yield* charges.hold(call)
          const late = charges.settle({ id: call.id, ...ending(4), run: fullRecord(runId) })
          assert.deepStrictEqual(yield* Effect.flip(late), new HoldLost({ id: call.id }))
          assert.deepStrictEqual(yield* runsOf(id), ended)
          assert.lengthOf(yield* deliveriesOf(runId), 0)
          yield* expire(call.id)
          assert.strictEqual(yield* charges.sweepExpired, 1)
          const paid = end === "settled" ? 150 : 0
          const left = yield* (yield* Wallets).balanceOf(purse)
          assert.deepStrictEqual(left, { available: credits(1000 - paid), held: zero })
        }
      })
    )

    it.effect("that is refused affects no other call of its batch, and a run with two workers is charged once", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(10_000)
        const runIds = yield* Effect.forEach(
          Array.range(1, 12),
          () => Effect.flatMap(watching({}, purse), ({ id }) => queued(purse, id)),
          { concurrency: 4 }
        )
        const plain = yield* Effect.forEach(Array.range(1, 12), () => {
          const call = order(purse)
          return Effect.as(charges.hold(call), call)
        })
        const exits = yield* Effect.all(
          [
            Effect.forEach(runIds, (runId) => Effect.exit(settle(purse, record(runId))), all),
            Effect.forEach(runIds, (runId) => Effect.exit(settle(purse, record(runId))), all),
            Effect.forEach(plain, ({ id }) => Effect.exit(charges.settle({ id, ...ending(4) })), all)
          ],
          all
        )
        const [first, second, others] = exits
        for (const [place] of runIds.entries())
          assert.lengthOf(
            [first[place], second[place]].filter((exit) => exit !== undefined && Exit.isSuccess(exit)),
            1
          )
        assert.isTrue(others.every(Exit.isSuccess))
        const { available, held } = yield* (yield* Wallets).balanceOf(purse)
        // The holds of the refused settlements remain, for the sweeper to release.
        assert.deepStrictEqual([available, held], [credits(10_000 - 36 * 150), credits(12 * 150)])
      })
    )
  })

  describe("the state of the previous run", () => {
    it.effect(
      "is none before the first run, then that of the latest run with an answer, across outages and failures",
      () =>
        Effect.gen(function* () {
          const runs = yield* Runs
          const { purse, id } = yield* watching()
          const next = Effect.fnUntraced(function* (more: Partial<RunRecord>) {
            const runId = yield* queued(purse, id)
            yield* settle(purse, record(runId, more), 0)
          })
          const left = Effect.map(
            runs.previous(id),
            Option.map((previous) => previous.result)
          )
          assert.deepStrictEqual(yield* left, Option.none())
          yield* next({ result: [] })
          assert.deepStrictEqual(yield* left, Option.none())
          yield* next({})
          yield* next({ result, evidence: weigh(noEvidence, result).state })
          yield* next({ result: [] })
          for (const end of ["failed", "skipped_insufficient_balance"] as const)
            yield* runs.end({ id: yield* queued(purse, id), attempt: 0 }, end)
          assert.deepStrictEqual(yield* left, Option.some(result))
        })
    )

    it.effect("is none if that run's state was emptied by hand", () =>
      Effect.gen(function* () {
        const [sql, runs] = [yield* SqlClient.SqlClient, yield* Runs]
        const { purse, id } = yield* watching()
        for (const column of ["evidence", "mentions"]) {
          yield* settle(purse, record(yield* queued(purse, id)), 0)
          assert.isTrue(Option.isSome(yield* runs.previous(id)))
          yield* sql`UPDATE runs SET ${sql(column)} = NULL WHERE watch_id = ${id}`
          assert.deepStrictEqual(yield* runs.previous(id), Option.none())
        }
      })
    )

    it.effect(
      "is that of the run that ended last, not of the latest slot: a slot can be caught up after a requested run",
      () =>
        Effect.gen(function* () {
          yield* clear
          const runs = yield* Runs
          const { purse, id } = yield* watching()
          yield* settle(purse, record(yield* queued(purse, id)))
          yield* makeDue([id])
          const [late = assert.fail()] = (yield* (yield* Watches).claimDue(10)).runs
          yield* settle(purse, record(late, { result }))
          assert.deepStrictEqual(
            Option.map(yield* runs.previous(id), (previous) => previous.result),
            Option.some(result)
          )
        })
    )
  })

  it.effect(
    "a run whose event failed is not the previous run; one whose event is replayed, or whose deliveries are pruned, is",
    () =>
      Effect.gen(function* () {
        const [runs, sql] = [yield* Runs, yield* SqlClient.SqlClient]
        const { purse, id } = yield* watching()
        const left = Effect.map(
          runs.previous(id),
          Option.map((previous) => previous.result)
        )
        const runId = yield* queued(purse, id)
        yield* settle(purse, fullRecord(runId))
        const told = (status: string) => sql`UPDATE deliveries SET status = ${status} WHERE run_id = ${runId}`
        assert.deepStrictEqual(yield* left, Option.some(result))
        yield* told("failed")
        assert.deepStrictEqual(yield* left, Option.none())
        const [failed] = yield* sql<{ id: string }>`SELECT id FROM deliveries WHERE run_id = ${runId}`
        yield* (yield* Deliveries).replay(purse, failed?.id ?? assert.fail("no delivery"))
        assert.deepStrictEqual(yield* left, Option.some(result))
        yield* told("failed")
        assert.deepStrictEqual(yield* left, Option.none())
        yield* sql`DELETE FROM deliveries WHERE run_id = ${runId}`
        assert.deepStrictEqual(yield* left, Option.some(result))
      })
  )

  it.effect(
    "a run without an event counts as reported if the event before it was, however many runs are in between",
    () =>
      Effect.gen(function* () {
        const [runs, sql] = [yield* Runs, yield* SqlClient.SqlClient]
        const { purse, id } = yield* watching()
        const before = Effect.map(runs.previous(id), Option.getOrThrow)
        const next = Effect.fnUntraced(function* (more: Partial<RunRecord>) {
          const runId = yield* queued(purse, id)
          yield* settle(purse, { ...fullRecord(runId), ...more })
          return runId
        })
        const quiet = { triggers: [], event: null }
        const first = yield* next({ ...quiet, result: result.slice(1) })
        const news = yield* next({})
        for (const _ of [1, 2]) yield* next({ ...quiet, toldBy: (yield* before).toldBy })
        assert.deepInclude(yield* before, { toldBy: news, result })
        const told = (status: string) => sql`UPDATE deliveries SET status = ${status} WHERE run_id = ${news}`
        yield* told("failed")
        assert.deepInclude(yield* before, { toldBy: first, result: result.slice(1) })
        yield* told("delivered")
        assert.deepInclude(yield* before, { toldBy: news, result })
        const later = yield* next({})
        assert.deepInclude(yield* before, { toldBy: later })
      })
  )

  it.effect("the event of a run whose watch was paused meanwhile is a failed delivery", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { pause } = yield* Watches
      const { purse, id } = yield* watching()
      const first = yield* queued(purse, id)
      yield* settle(purse, record(first))
      const second = yield* queued(purse, id)
      yield* runs.claim(second)
      yield* pause(purse, id)
      yield* settle(purse, fullRecord(second))
      const [delivery, ...others] = yield* deliveriesOf(second)
      assert.deepInclude(delivery, { status: "failed", reason: "watch_paused", nextAttemptAt: null })
      assert.lengthOf(others, 0)
      assert.strictEqual(Option.getOrThrow(yield* runs.previous(id)).toldBy, first)
    })
  )

  it.effect("a run has the status of its latest delivery, and is delivered once any of them was", () =>
    Effect.gen(function* () {
      const [runs, sql, { replay }] = [yield* Runs, yield* SqlClient.SqlClient, yield* Deliveries]
      const { purse, id } = yield* watching()
      const runId = yield* queued(purse, id)
      yield* settle(purse, fullRecord(runId))
      const [first] = yield* sql<{ id: string }>`SELECT id FROM deliveries WHERE run_id = ${runId}`
      const { id: original } = first ?? assert.fail("no delivery")
      const told = (status: string) => sql`UPDATE deliveries SET status = ${status} WHERE id = ${original}`
      const shown = Effect.map(runs.page(id, { limit: 1 }), ({ rows: [run] }) => run?.deliveryStatus)
      yield* told("failed")
      assert.strictEqual(yield* shown, "failed")
      yield* replay(purse, original)
      assert.strictEqual(yield* shown, "pending")
      yield* told("delivered")
      assert.strictEqual(yield* shown, "delivered")
    })
  )

  it.effect("pages followed to their end give each run once, newest first, while others are added", () =>
    Effect.gen(function* () {
      const runs = yield* Runs
      const { purse, id } = yield* watching()
      const made: Array<string> = []
      const add = Effect.gen(function* () {
        const runId = yield* queued(purse, id)
        yield* runs.end({ id: runId, attempt: 0 }, "failed")
        return runId
      })
      for (let count = 0; count < 11; count++) made.push(yield* add)
      const seen: Array<string> = []
      let after: Position | null = null
      do {
        const page: Effect.Success<ReturnType<typeof runs.page>> = yield* runs.page(id, {
          limit: 3,
          ...(after === null ? {} : { after })
        })
        seen.push(...page.rows.map((row) => row.id))
        after = page.next
        yield* add
      } while (after !== null)
      assert.deepStrictEqual(seen, made.toReversed())
    })
  )
})
