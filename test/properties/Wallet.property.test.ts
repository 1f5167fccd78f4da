/**
 * Any sequence of movements on real Postgres, compared with a small model, with the laws checked after every step. Sometimes the caller
 * of a movement leaves during it; then the movement has happened completely or not at all, and the ledger shows which. A failing run
 * prints its seed and the shortest sequence. `WALLET_RUNS` is the number of sequences.
 *
 * Planted faults, each seen red:
 * - a settlement that keeps the price; a release that leaves the held side; a cached charge that takes the price
 * - a sweep that releases young holds, or those of jobs
 * - admission against available + held
 * - a top-up that ignores its reference, or accepts it for any amount
 * - a hold and its job, or balances and their entries, in two statements
 */
import { assert, layer } from "@effect/vitest"
import { Credits, credits } from "@sightline/domain/Credits"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Asks } from "@sightline/store/Asks"
import { Charges, type Ending, type Order } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Fiber, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "../store/locks.ts"
import { dump, ending, expire, layerMoney, order, wallet } from "../store/purse.ts"
import { askEnding, askJob, askOrder, askRecord } from "../store/queued.ts"

const runs = Number(process.env["WALLET_RUNS"] ?? 60)

/** The movements of money. */
type Movement =
  | { readonly act: "topUp"; readonly whole: number; readonly reference: string | null }
  | { readonly act: "hold" | "queue" }
  | { readonly act: "settle"; readonly which: number; readonly answered: number }
  | { readonly act: "void"; readonly which: number }
  | { readonly act: "sweep" }
  | { readonly act: "charge" }

/** The caller of a movement leaves when the movement writes to one of its tables; the statement continues, or its connection is `cut`. */
interface Crash {
  readonly act: "crash"
  readonly within: Movement
  readonly place: number
  readonly isCut: boolean
}

type Step = Movement | Crash | { readonly act: "expire"; readonly which: number }

/** The tables to which a movement writes, besides its wallet, which it locks first. */
const tables: Readonly<Record<Movement["act"], ReadonlyArray<string>>> = {
  topUp: ["topups", "ledger_entries", "actions"],
  hold: ["ledger_entries", "charges"],
  queue: ["ledger_entries", "charges", "asks"],
  settle: ["charges", "ledger_entries"],
  void: ["charges", "ledger_entries"],
  sweep: ["charges", "ledger_entries"],
  charge: ["ledger_entries", "charges"]
}

const which = fc.nat(5)

const movement: fc.Arbitrary<Movement> = fc.oneof(
  fc.record({
    act: fc.constant("topUp" as const),
    whole: fc.constantFrom(1, 99, 200),
    reference: fc.constantFrom(null, null, "a", "b")
  }),
  fc.record({ act: fc.constantFrom("hold" as const, "queue" as const) }),
  fc.record({ act: fc.constant("settle" as const), which, answered: fc.nat(4) }),
  fc.record({ act: fc.constant("void" as const), which }),
  fc.record({ act: fc.constantFrom("sweep" as const, "charge" as const) })
)

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 16, arbitrary: movement },
  { weight: 2, arbitrary: fc.record({ act: fc.constant("expire" as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      act: fc.constant("crash" as const),
      within: movement,
      place: fc.nat(2),
      isCut: fc.boolean()
    })
  }
)

/** The expected state of one wallet. */
interface Model {
  available: number
  topups: number
  revenue: number
  references: Map<string, number>
  holds: Array<{ readonly order: Order; readonly job: string | null; open: boolean; over: boolean }>
}

/** The end of a call with this share of answers, from none to all in four steps. */
const endingOf = ({ order, job }: Model["holds"][number], answered: number): Ending => {
  if (job === null) return ending(answered)
  const failed = "provider_error"
  const ends = [
    [failed, failed],
    [failed, "cached"],
    ["ok", failed],
    ["ok", "cached"],
    ["ok", "ok"]
  ] as const
  return { ...askEnding(order, ...(ends[answered] ?? [])), ask: askRecord(job) }
}

/** A movement to be made, and its expected result. */
interface Due {
  readonly ask: Effect.Effect<unknown, unknown, Asks | Charges | Wallets>
  /** Whether anything changes, and how the model then changes. */
  readonly changes: boolean
  readonly happen: () => void
  /** The expected response after it has happened, or has not; none is a refusal. */
  readonly answer: () => unknown
}

const refused: unknown = undefined

const dueOf = (step: Movement, model: Model, purse: Order["wallet"]): Due => {
  const hold = "which" in step ? model.holds[step.which % Math.max(1, model.holds.length)] : undefined
  const open = hold?.open === true ? hold : undefined
  switch (step.act) {
    case "topUp": {
      const { reference, whole } = step
      const stated = reference === null ? undefined : model.references.get(reference)
      const ordered = { wallet: purse, amount: credits(whole), ...(reference === null ? {} : { reference }) }
      return {
        ask: Wallets.use(({ topUp }) => Effect.map(topUp(ordered), ({ available }) => available)),
        changes: stated === undefined,
        happen: () => {
          if (reference !== null) model.references.set(reference, whole)
          model.available += whole * 1000
          model.topups += whole * 1000
        },
        answer: () => (stated === undefined || stated === whole ? model.available : refused)
      }
    }
    case "hold":
    case "queue":
    case "charge": {
      const [call, job] = step.act === "queue" ? [askOrder(purse), askJob()] : [order(purse), null]
      const changes = model.available >= call.price
      return {
        ask:
          job !== null
            ? Asks.use(({ enqueue }) => enqueue(call, job))
            : Charges.use(({ charge, hold }) =>
                step.act === "hold" ? hold(call) : charge({ ...call, ...ending(4, true) })
              ),
        changes,
        happen: () => {
          model.available -= step.act === "charge" ? 5000 : call.price
          if (step.act === "charge") model.revenue += 5000
          else model.holds.unshift({ order: call, job: job?.id ?? null, open: true, over: false })
        },
        answer: () => (changes ? model.available : refused)
      }
    }
    case "settle": {
      const end = hold === undefined ? ending(step.answered) : endingOf(hold, step.answered)
      return {
        ask: Charges.use(({ settle }) => settle({ id: hold?.order.id ?? randomUUID(), ...end })),
        changes: open !== undefined,
        happen: () => {
          if (open === undefined) return
          open.open = false
          model.available += open.order.price - end.amount
          model.revenue += end.amount
        },
        answer: () => (open === undefined ? refused : model.available)
      }
    }
    case "void":
      return {
        ask: Charges.use((charges) => charges.void(hold?.order.id ?? randomUUID())),
        changes: open !== undefined,
        happen: () => {
          if (open === undefined) return
          open.open = false
          model.available += open.order.price
        },
        answer: () => open !== undefined
      }
    case "sweep": {
      const lost = model.holds.filter(({ job, open, over }) => job === null && open && over)
      return {
        ask: Charges.use(({ sweepExpired }) => sweepExpired),
        changes: lost.length > 0,
        happen: () => {
          for (const one of lost) one.open = false
          model.available += lost.length * 150_000
        },
        answer: () => lost.length
      }
    }
  }
}

/**
 * Makes the call and hangs up, so that its response is lost, and ends its connection if `isCut`. When this returns, nothing of the call
 * is under way.
 */
const crash = Effect.fnUntraced(function* ({ isCut, place, within }: Crash, ask: Due["ask"]) {
  const sql = yield* SqlClient.SqlClient
  const own = tables[within.act]
  const at = own[place % own.length] ?? ""
  const letGo = yield* keepOpen(sql`LOCK TABLE ${sql(at)} IN EXCLUSIVE MODE`)
  const caller = yield* Effect.forkChild(Effect.exit(ask))
  yield* Effect.raceFirst(untilLocked, Fiber.await(caller))
  const others = sql.literal("datname = current_database() AND pid <> pg_backend_pid()")
  // Before its connection ends, or it would ask again.
  yield* Fiber.interrupt(caller)
  if (isCut)
    yield* sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND ${others}`
  yield* letGo
  const busy = sql`SELECT 1 FROM pg_stat_activity WHERE state <> 'idle' AND ${others}`
  yield* Effect.repeat(busy, { until: (rows) => rows.length === 0 })
})

/** The number of a wallet's entries. */
const entriesOf = Effect.fnUntraced(function* ({ accountId }: Order["wallet"]) {
  const sql = yield* SqlClient.SqlClient
  return (yield* sql`SELECT 1 FROM ledger_entries WHERE account_id = ${accountId}`).length
})

/** Does one step in the store and in the model. Returns false if the step must have changed nothing. */
const perform = Effect.fnUntraced(function* (step: Step, model: Model, purse: Order["wallet"]) {
  if (step.act === "expire") {
    const hold = model.holds[step.which % Math.max(1, model.holds.length)]
    if (hold?.open !== true) return false
    yield* expire(hold.order.id)
    hold.over = true
    return true
  }
  const due = dueOf(step.act === "crash" ? step.within : step, model, purse)
  if (step.act === "crash") {
    const before = yield* entriesOf(purse)
    yield* crash(step, due.ask)
    // Only the ledger shows whether it happened; if so, it happened completely.
    const hasHappened = (yield* entriesOf(purse)) > before
    if (hasHappened) due.happen()
    assert.isTrue(due.changes || !hasHappened)
    return hasHappened
  }
  if (due.changes) due.happen()
  const result = yield* Effect.result(due.ask)
  assert.strictEqual(Result.getOrUndefined(result), due.answer())
  return due.changes
})

/** The laws that hold after every step. */
const lawful = Effect.fnUntraced(function* (model: Model, purse: Order["wallet"]) {
  const wallets = yield* Wallets
  const sql = yield* SqlClient.SqlClient
  const balance = yield* wallets.balanceOf(purse)
  const held = model.holds.reduce((sum, { open, order }) => sum + (open ? order.price : 0), 0)
  assert.deepStrictEqual(balance, { available: Credits.make(model.available), held: Credits.make(held) })
  const books = yield* sql`
    SELECT book, sum(change)::double precision AS sum FROM ledger_entries,
      LATERAL (VALUES (debit, -amount), (credit, amount)) AS side (book, change)
    WHERE account_id = ${purse.accountId} GROUP BY book`
  const sums: Readonly<Record<string, unknown>> = Object.fromEntries(books.map(({ book, sum }) => [book, sum]))
  assert.deepStrictEqual(
    [sums["topups"] ?? 0, sums["available"] ?? 0, sums["held"] ?? 0, sums["revenue"] ?? 0],
    [-model.topups, model.available, held, model.revenue]
  )
  const { accountId } = purse
  const beside = yield* sql<{ what: string }>`
    SELECT 'hold ' || id AS what FROM charges WHERE account_id = ${accountId} AND state = 'held'
    UNION ALL SELECT 'job ' || id FROM asks WHERE account_id = ${accountId}
    UNION ALL SELECT 'reference ' || reference FROM topups WHERE account_id = ${accountId}
    UNION ALL SELECT 'topped up ' || sum((facts->>'credits')::integer) FROM actions WHERE account_id = ${accountId}`
  assert.sameMembers(
    beside.map(({ what }) => what),
    [
      ...model.holds.flatMap(({ open, order }) => (open ? [`hold ${order.id}`] : [])),
      ...model.holds.flatMap(({ job }) => (job === null ? [] : [`job ${job}`])),
      ...Array.from(model.references.keys(), (reference) => `reference ${reference}`),
      `topped up ${model.topups / 1000}`
    ]
  )
})

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const charges = yield* Charges
  const purse = yield* wallet(0)
  const model: Model = { available: 0, topups: 0, revenue: 0, references: new Map(), holds: [] }
  // An open hold would be swept in another run.
  const tidy = Effect.suspend(() => Effect.forEach(model.holds, ({ order }) => charges.void(order.id)))
  const check = Effect.fnUntraced(function* (step: Step) {
    const before = yield* dump(purse)
    const changed = yield* perform(step, model, purse)
    if (!changed) assert.deepStrictEqual(yield* dump(purse), before)
    yield* lawful(model, purse)
  })
  const all: ReadonlyArray<Step> = [{ act: "topUp", whole: 400, reference: null }, ...steps]
  yield* Effect.ensuring(Effect.forEach(all, check), tidy)
})

const layerWorld = Auditor.layer.pipe(Layer.provide(AuditRecords.layer), Layer.provideMerge(layerMoney))

layer(layerWorld, { excludeTestServices: true })("a wallet", (it) => {
  it.effect(
    "matches the model after any sequence of movements, and its audit finds no difference",
    () =>
      Effect.gen(function* () {
        const context = yield* Effect.context<Asks | Charges | Wallets | SqlClient.SqlClient>()
        const run = Effect.runPromiseWith(context)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 100 }), (steps) => run(play(steps))),
            { numRuns: runs }
          )
        )
        const auditor = yield* Auditor
        assert.deepStrictEqual((yield* auditor.audit).differences, [])
      }),
    runs * 10_000
  )
})
