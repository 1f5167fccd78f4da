/**
 * Any sequence of movements on real Postgres, beside a model of a dozen lines, with the laws checked after every step.
 * A failing run prints its seed and the shortest sequence. `WALLET_RUNS` is how many sequences are played.
 *
 * Planted faults, each seen red: a settlement that keeps the price; a release that leaves the held side; a sweep that
 * takes young holds, or those of jobs; admission against available + held; a top-up that ignores its reference, or takes it for
 * any amount; a cached charge that takes the price.
 */
import { assert, layer } from "@effect/vitest"
import { Credits, credits } from "@sightline/domain/Credits"
import { Auditor } from "@sightline/engine/Auditor"
import { Books } from "@sightline/store/Books"
import { Asks } from "@sightline/store/Asks"
import { Charges, type Ending, type Order } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { randomUUID } from "node:crypto"
import { dump, ending, expire, layerMoney, order, wallet } from "../store/purse.ts"
import { askEnding, askJob, askOrder, askRecord } from "../store/queued.ts"

const runs = Number(process.env["WALLET_RUNS"] ?? 60)

type Step =
  | { readonly act: "topUp"; readonly whole: number; readonly reference: string | null }
  | { readonly act: "hold" | "queue" }
  | { readonly act: "settle"; readonly which: number; readonly answered: number }
  | { readonly act: "void" | "expire"; readonly which: number }
  | { readonly act: "sweep" }
  | { readonly act: "charge" }

const which = fc.nat(5)

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    act: fc.constant("topUp" as const),
    whole: fc.constantFrom(1, 99, 200),
    reference: fc.constantFrom(null, null, "a", "b")
  }),
  fc.record({ act: fc.constantFrom("hold" as const, "queue" as const) }),
  fc.record({ act: fc.constant("settle" as const), which, answered: fc.nat(4) }),
  fc.record({ act: fc.constantFrom("void" as const, "expire" as const), which }),
  fc.record({ act: fc.constantFrom("sweep" as const, "charge" as const) })
)

/** What the house should know of one wallet. */
interface Model {
  available: number
  topups: number
  revenue: number
  references: Map<string, number>
  holds: Array<{ readonly order: Order; readonly job: string | null; open: boolean; over: boolean }>
}

/** How a call ends of which so much is answered, from nothing to all in four steps. */
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

/** Does one step in the house and in the model. Returns false where the step must have changed nothing. */
const perform = Effect.fnUntraced(function* (step: Step, model: Model, purse: Order["wallet"]) {
  const charges = yield* Charges
  const wallets = yield* Wallets
  const hold = "which" in step ? model.holds[step.which % Math.max(1, model.holds.length)] : undefined
  switch (step.act) {
    case "topUp": {
      const reference = step.reference === null ? {} : { reference: step.reference }
      const stated = step.reference === null ? undefined : model.references.get(step.reference)
      const fresh = stated === undefined
      if (fresh && step.reference !== null) model.references.set(step.reference, step.whole)
      if (fresh) model.available += step.whole * 1000
      if (fresh) model.topups += step.whole * 1000
      const result = yield* Effect.result(wallets.topUp({ wallet: purse, amount: credits(step.whole), ...reference }))
      assert.strictEqual(Result.isSuccess(result), fresh || stated === step.whole)
      if (Result.isSuccess(result)) assert.strictEqual(result.success.available, model.available)
      return fresh
    }
    case "hold":
    case "queue":
    case "charge": {
      const [call, job] = step.act === "queue" ? [askOrder(purse), askJob()] : [order(purse), null]
      const affordable = model.available >= call.price
      const made =
        job !== null
          ? (yield* Asks).enqueue(call, job)
          : step.act === "hold"
            ? charges.hold(call)
            : charges.charge({ ...call, ...ending(4, true) })
      if (affordable) model.available -= step.act === "charge" ? 5000 : call.price
      if (affordable && step.act !== "charge")
        model.holds.unshift({ order: call, job: job?.id ?? null, open: true, over: false })
      if (affordable && step.act === "charge") model.revenue += 5000
      const result = yield* Effect.result(made)
      assert.strictEqual(Result.isSuccess(result), affordable)
      if (Result.isSuccess(result)) assert.strictEqual(result.success, model.available)
      return affordable
    }
    case "settle": {
      const end = hold === undefined ? ending(step.answered) : endingOf(hold, step.answered)
      const open = hold?.open === true
      const result = yield* Effect.result(charges.settle({ id: hold?.order.id ?? randomUUID(), ...end }))
      assert.strictEqual(Result.isSuccess(result), open)
      if (hold === undefined || !open) return false
      hold.open = false
      model.available += hold.order.price - end.amount
      model.revenue += end.amount
      if (Result.isSuccess(result)) assert.strictEqual(result.success, model.available)
      return true
    }
    case "void": {
      const open = hold?.open === true
      assert.strictEqual(yield* charges.void(hold?.order.id ?? randomUUID()), open)
      if (hold === undefined || !open) return false
      hold.open = false
      model.available += hold.order.price
      return true
    }
    case "expire": {
      if (hold?.open !== true) return false
      yield* expire(hold.order.id)
      hold.over = true
      return true
    }
    case "sweep": {
      const due = model.holds.filter(({ job, open, over }) => job === null && open && over)
      assert.strictEqual(yield* charges.sweepExpired, due.length)
      for (const lost of due) lost.open = false
      model.available += due.length * 150_000
      return due.length > 0
    }
  }
})

/** The laws that hold after every step, whatever it was. */
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
})

const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const charges = yield* Charges
  const purse = yield* wallet(0)
  const model: Model = { available: 0, topups: 0, revenue: 0, references: new Map(), holds: [] }
  // What is left open would be swept in another run.
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

const layerWorld = Auditor.layer.pipe(Layer.provide(Books.layer), Layer.provideMerge(layerMoney))

layer(layerWorld, { excludeTestServices: true })("a wallet", (it) => {
  it.effect(
    "is what the model says after any sequence of movements, and its audit finds nothing",
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
        // A lease that a test lets run out differs from the 150 s that the house gives.
        const { differences } = yield* auditor.audit
        assert.deepStrictEqual(
          differences.filter(({ kind }) => kind !== "charge_lease"),
          []
        )
      }),
    runs * 2000
  )
})
