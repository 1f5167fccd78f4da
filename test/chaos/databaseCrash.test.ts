/**
 * The books when the database itself is killed while money moves.
 *
 * Planted faults, each seen red: settlements committed without waiting for the disk; a database that never waits for it.
 */
import { assert, it } from "@effect/vitest"
import { Array, Effect, Fiber, Layer, Option, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { readdirSync, readFileSync } from "node:fs"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Charges } from "@sightline/store/Charges"
import { start } from "@sightline/store/EmbeddedPostgres"
import * as Postgres from "@sightline/store/Postgres"
import { dataDirectory, serverIn } from "../store/dataDirectory.ts"
import { ending, layerMoneyOf, order, wallet } from "../store/purse.ts"

const crashes = 3
const customers = 16
/** Settlements that are answered between two crashes. */
const between = 400

/** The child processes of a process. */
const begunBy = (pid: number): ReadonlyArray<number> =>
  readdirSync("/proc").flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const [, parent] = /^\d+ \(.*\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, "utf8")) ?? []
      return Number(parent) === pid ? [Number(entry)] : []
    } catch {
      return []
    }
  })

const kill = (pid: number) => {
  try {
    process.kill(pid, "SIGKILL")
  } catch {
    // It has already ended.
  }
}

/** Kills all processes of the server together, so that nothing in their memory reaches the disk. */
const crash = (dataDir: string) =>
  Effect.sync(() => {
    const { pid } = Option.getOrThrow(serverIn(dataDir))
    // A stopped process starts no new children.
    process.kill(pid, "SIGSTOP")
    for (const one of [...begunBy(pid), pid]) kill(one)
  })

it.live("a settlement that was answered is in the books after a crash, and the books are consistent", () =>
  Effect.gen(function* () {
    const dataDir = yield* dataDirectory
    const database = Layer.unwrap(
      Effect.map(start({ dataDir }), (address) =>
        Postgres.layerMigrations.pipe(Layer.provideMerge(Postgres.layer(address)))
      )
    )
    const money = Auditor.layer.pipe(Layer.provide(AuditRecords.layer), Layer.provideMerge(layerMoneyOf(database)))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const charges = yield* Charges
      const purses = yield* Effect.replicateEffect(wallet(1_000_000), 4)
      const answered = yield* Ref.make<ReadonlyArray<string>>([])

      const pay = Effect.fnUntraced(function* (customer: number) {
        const call = order(purses[customer % purses.length] ?? assert.fail())
        yield* charges.hold(call)
        yield* charges.settle({ id: call.id, ...ending(3) })
        yield* Ref.update(answered, Array.append(call.id))
      })
      // A call that meets the crash may fail; its customer then makes the next one.
      const customer = (nth: number) =>
        Effect.forever(Effect.retry(Effect.sandbox(pay(nth)), Schedule.spaced("50 millis")))
      const paying = yield* Effect.forkChild(
        Effect.forEach(Array.range(1, customers), customer, { concurrency: "unbounded" })
      )
      const more = Effect.gen(function* () {
        const before = (yield* Ref.get(answered)).length
        yield* Effect.repeat(Ref.get(answered), {
          schedule: Schedule.spaced("5 millis"),
          until: (ids) => ids.length >= before + between
        })
      })
      yield* Effect.repeat(Effect.andThen(more, crash(dataDir)), { times: crashes - 1 })
      yield* more
      yield* Fiber.interrupt(paying)

      const ids = yield* Ref.get(answered)
      const kept = yield* sql`
        SELECT charge_id FROM ledger_entries WHERE kind = 'capture' AND charge_id IN ${sql.in(ids)}`
      assert.strictEqual(kept.length, ids.length)
      const { differences, ok } = yield* Auditor.use(({ audit }) => audit)
      assert.deepStrictEqual([ok, differences], [true, []])
    }).pipe(Effect.provide(money, { local: true }))
  }).pipe(Effect.scoped)
)
