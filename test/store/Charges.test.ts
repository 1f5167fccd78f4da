/**
 * Planted faults, each seen red:
 * - a settlement that does not check whether the charge is held; a settlement above the price; the check not written
 * - wallets not locked
 * - a refusal that ends its batch; a batch that fails as a whole for one rejected call
 * - `<=` for `<` in the admission; a cached charge admitted at its amount; the rest of a hold not released
 * - a sweep that releases young holds, waits for a locked wallet before it has released the others', or never waits for one
 * - a batch posted again after its connection ended
 * - after a lost response: nothing asked again, or the reply believed whatever it says; the ledger not read if the second statement
 *   is refused, or breaks off; another entry of the charge mistaken for the right one; a settlement reported as lost although nothing
 *   is known of it; a hold not released because the response to its void was lost
 * - a wallet's own holds released only up to 500, or after those of others
 */
import { assert, describe, layer } from "@effect/vitest"
import { type Credits, credits, zero } from "@sightline/domain/Credits"
import { InsufficientBalance, type Wallet } from "@sightline/domain/Wallet"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Array, Context, Effect, Exit, Fiber, Option, Result } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "./locks.ts"
import { anotherProcess, checkRow, claimed, dump, ending, expire, layerMoney, order, seenAs, wallet } from "./purse.ts"
import { accepted as reply } from "./queued.ts"
import { moments, withResponseLost } from "./lostResponse.ts"

const all = { concurrency: "unbounded" } as const

const record = (query: string) => ({
  id: randomUUID(),
  query,
  brand: "Nike",
  region: "us" as const,
  request: { query },
  durationMs: 12,
  snapshot: seenAs({ result: { text: "a \u0000 b \ud800 c" } })
})

/** The wallet's entries as their owner reads them, and the number of checks they paid for. */
const booked = Effect.fnUntraced(function* ({ accountId }: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const entries = yield* sql`
    SELECT kind, amount, available_after, held_after, memo FROM ledger_entries WHERE account_id = ${accountId}
    ORDER BY sequence`
  const [checks] = yield* sql`SELECT count(*) FROM checks WHERE account_id = ${accountId}`
  return { entries, checks }
})

layer(layerMoney, { excludeTestServices: true })("Charges", (it) => {
  describe("a hold", () => {
    it.effect("moves its price from available to held; its settlement keeps the charge and releases the rest", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(200)
        const call = order(purse)
        assert.strictEqual(yield* charges.hold(call), credits(50))
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(50), held: credits(150) })
        assert.strictEqual(yield* charges.settle({ id: call.id, ...ending(3) }), credits(87.5))
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(87.5), held: zero })
      })
    )

    it.effect("of a wallet that lacks one millicredit is refused with its balance, and changes nothing", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const { topUp } = yield* Wallets
        const purse = yield* wallet(149.999)
        const before = yield* dump(purse)
        const refused = yield* Effect.flip(charges.hold(order(purse)))
        assert.deepStrictEqual(refused, new InsufficientBalance({ balance: credits(149.999), required: credits(150) }))
        assert.deepStrictEqual(yield* dump(purse), before)
        yield* topUp({ wallet: purse, amount: credits(0.001) })
        assert.strictEqual(yield* charges.hold(order(purse)), zero)
      })
    )

    it.effect("of a wallet that was never topped up is refused with a balance of zero", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const refused = yield* Effect.flip(charges.hold(order(yield* wallet(0))))
        assert.strictEqual(refused.balance, zero)
      })
    )

    it.effect("that is refused does not refuse a cheaper one after it in the same batch", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(100)
        const cheap = () => ({
          ...order(purse),
          endpoint: "check" as const,
          mode: "ai_overview" as const,
          price: credits(15)
        })
        const cheapest = Array.range(1, 7).map(cheap)
        const verdicts = yield* Effect.forEach(
          [order(purse), ...cheapest, order(purse)],
          (call) => Effect.result(charges.hold(call)),
          all
        )
        assert.deepStrictEqual(
          verdicts.map((verdict) => Result.isSuccess(verdict)),
          [false, true, true, true, true, true, true, false, false]
        )
      })
    )

    it.effect("is admitted exactly as often as the wallet can pay, with 500 callers in four processes", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const wallets = yield* Wallets
        const processes = yield* Effect.forEach(Array.range(1, 4), () => anotherProcess)
        const purse = yield* wallet(1000)
        const lows: Array<number> = []
        const watch = yield* sql`
          SELECT available::double precision AS available FROM wallets WHERE account_id = ${purse.accountId}`.pipe(
          Effect.map(([row]) => lows.push(Number(row?.["available"]))),
          Effect.forever,
          Effect.forkChild
        )
        const verdicts = yield* Effect.forEach(
          Array.range(0, 499),
          (caller) => Effect.result((processes[caller % 4] ?? assert.fail("no process")).hold(order(purse))),
          all
        )
        yield* Fiber.interrupt(watch)
        assert.strictEqual(verdicts.filter(Result.isSuccess).length, 6)
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(100), held: credits(900) })
        assert.isAtLeast(Math.min(...lows), 0)
        const successes = Array.getSuccesses(verdicts)
        assert.deepStrictEqual(
          [...successes].sort((a, b) => b - a),
          [850, 700, 550, 400, 250, 100].map(credits)
        )
      })
    )

    it.effect(
      "is not refused because of load: 500 callers in four processes that the wallet can pay for are all admitted",
      () =>
        Effect.gen(function* () {
          const wallets = yield* Wallets
          const processes = yield* Effect.forEach(Array.range(1, 4), () => anotherProcess)
          const purse = yield* wallet(500 * 150)
          const calls = Array.makeBy(500, () => order(purse))
          const on = (caller: number) => processes[caller % 4] ?? assert.fail("no process")
          yield* Effect.forEach(calls, (call, caller) => on(caller).hold(call), all)
          assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: zero, held: credits(500 * 150) })
          yield* Effect.forEach(calls, ({ id }, caller) => on(caller + 1).settle({ id, ...ending(2) }), all)
          assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(500 * 75), held: zero })
        })
    )

    it.effect("made twice under one id dies the second time, and is held once", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(1000)
        const call = order(purse)
        yield* charges.hold(call)
        assert.isTrue(Exit.hasDies(yield* Effect.exit(charges.hold(call))))
        assert.strictEqual((yield* wallets.balanceOf(purse)).held, credits(150))
      })
    )
  })

  describe("a settlement", () => {
    it.effect("of zero voids the hold and stores the outcomes", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(150)
        const call = order(purse)
        yield* charges.hold(call)
        assert.strictEqual(yield* charges.settle({ id: call.id, ...ending(0) }), credits(150))
        const [row] = yield* sql`SELECT state, outcomes->>'claude_api' AS claude FROM charges WHERE id = ${call.id}`
        assert.deepStrictEqual(row, { state: "voided", claude: "provider_timeout" })
      })
    )

    it.effect("happens once: the second fails with HoldLost and changes nothing", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const call = order(purse)
        yield* charges.hold(call)
        yield* charges.settle({ id: call.id, ...ending(2) })
        const before = yield* dump(purse)
        const again = yield* Effect.flip(charges.settle({ id: call.id, ...ending(4) }))
        assert.deepStrictEqual(again, new HoldLost({ id: call.id }))
        assert.isFalse(yield* charges.void(call.id))
        assert.deepStrictEqual(yield* dump(purse), before)
      })
    )

    it.effect("above the price dies and leaves the hold", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(500)
        const call = order(purse)
        yield* charges.hold(call)
        const exit = yield* Effect.exit(charges.settle({ id: call.id, ...ending(4), amount: credits(150.001) }))
        assert.isTrue(Exit.hasDies(exit))
        assert.strictEqual((yield* wallets.balanceOf(purse)).held, credits(150))
      })
    )

    it.effect("writes the check with the money, whatever the text of the answer contains", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const call = order(purse)
        const check = record("best shoes")
        yield* charges.hold(call)
        yield* charges.settle({ id: call.id, ...ending(4), check })
        const found = Option.getOrThrow(yield* checkRow(check.id))
        assert.deepInclude(found, { chargeId: call.id, ...purse, mode: "quick", query: "best shoes", durationMs: 12 })
        assert.deepStrictEqual(found["result"], check.snapshot.result)
      })
    )

    it.effect("whose check cannot be written moves no money, and the others in its batch are settled", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purses = yield* Effect.forEach(Array.range(1, 8), () => wallet(150))
        const calls = purses.map((purse) => order(purse))
        yield* Effect.forEach(calls, charges.hold, all)
        const culprit = Option.getOrThrow(Array.get(purses, 3))
        const before = yield* dump(culprit)
        const exits = yield* Effect.forEach(
          calls,
          ({ id }, place) =>
            Effect.exit(charges.settle({ id, ...ending(4), check: record(place === 3 ? "a\u0000b" : "fine") })),
          all
        )
        assert.deepStrictEqual(exits.map(Exit.isSuccess), [true, true, true, false, true, true, true, true])
        assert.deepStrictEqual(yield* dump(culprit), before)
      })
    )
  })

  describe("a connection that ends", () => {
    for (const moment of moments)
      it.effect(`${moment} leaves holds, settlements and charges from cache as they would be without it`, () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const charges = yield* Charges
          type Work = (charges: Charges["Service"]) => Effect.Effect<Credits, InsufficientBalance | HoldLost>
          const spend = Effect.fnUntraced(function* <E, R>(
            purse: Wallet,
            by: (work: Work) => Effect.Effect<Credits, InsufficientBalance | HoldLost | E, R>
          ) {
            const claim = yield* claimed(purse)
            const [call, kept] = [order(purse), order(purse, claim.token)]
            const balances = [
              yield* by(({ hold }) => hold(call)),
              yield* by(({ settle }) => settle({ id: call.id, ...ending(3), check: record("settled") })),
              yield* by(({ charge }) => charge({ ...kept, ...ending(4, true), check: record("kept"), reply })),
              // The last one that the wallet can pay.
              yield* by(({ charge }) => charge({ ...order(purse), ...ending(4, true), check: record("charged") }))
            ]
            const [row] = yield* sql`SELECT status, balance FROM replies WHERE token = ${claim.token}`
            return { balances, row, booked: yield* booked(purse) }
          })
          const undisturbed = yield* spend(yield* wallet(267.5), (work) => work(charges))
          const purse = yield* wallet(267.5)
          const broken = yield* spend(purse, (work) =>
            withResponseLost(purse, moment, (distant) => work(Context.get(distant, Charges)))
          )
          assert.deepStrictEqual(undisturbed.balances, [117.5, 155, 150, 145].map(credits))
          assert.deepStrictEqual(broken, undisturbed)
        })
      )

    for (const moment of moments)
      it.effect(`${moment} leaves a voided hold released`, () =>
        Effect.gen(function* () {
          const charges = yield* Charges
          const purse = yield* wallet(150)
          const call = order(purse)
          yield* charges.hold(call)
          yield* withResponseLost(purse, moment, (distant) => Context.get(distant, Charges).void(call.id))
          assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(150), held: zero })
        })
      )

    it.effect("gives each call of a group its own result", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150 * 6 + 154)
        const held = Array.makeBy(4, () => order(purse))
        yield* Effect.forEach(held, charges.hold, all)
        const told = yield* withResponseLost(purse, "before its answer arrives", (distant) => {
          const { charge, hold, settle } = Context.get(distant, Charges)
          const calls = [
            ...held.map(({ id }) => settle({ id, ...ending(4) })),
            hold(order(purse)),
            ...Array.makeBy(2, () => charge({ ...order(purse), ...ending(4, true) }))
          ]
          return Effect.forEach(calls, Effect.result, all)
        })
        assert.deepStrictEqual(Array.getFailures(told), [])
        const { entries } = yield* booked(purse)
        const after = entries.slice(-7).map((entry) => Number(entry["availableAfter"]))
        assert.sameMembers(Array.getSuccesses(told), after)
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), {
          available: credits(294),
          held: credits(150)
        })
      })
    )

    it.effect("before a charge arrives leaves it refused if the wallet is spent by then", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const spent = yield* withResponseLost(
          purse,
          "before it arrives",
          (distant) => Effect.flip(Context.get(distant, Charges).charge({ ...order(purse), ...ending(4, true) })),
          ({ mend }) => Effect.andThen(Effect.orDie(charges.hold(order(purse))), mend)
        )
        assert.deepStrictEqual(spent, new InsufficientBalance({ balance: zero, required: credits(150) }))
        assert.lengthOf((yield* booked(purse)).entries, 2)
      })
    )

    it.effect("before a settlement arrives leaves it lost if its hold was released by then", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const call = order(purse)
        yield* charges.hold(call)
        const told = yield* withResponseLost(
          purse,
          "before it arrives",
          (distant) => Effect.flip(Context.get(distant, Charges).settle({ id: call.id, ...ending(4) })),
          ({ mend }) => Effect.andThen(charges.void(call.id), mend)
        )
        assert.deepStrictEqual(told, new HoldLost({ id: call.id }))
        assert.deepStrictEqual(yield* (yield* Wallets).balanceOf(purse), { available: credits(150), held: zero })
      })
    )

    it.effect("for good is a defect: a call that may have succeeded is never reported as lost", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const purse = yield* wallet(150 * 6)
        const calls = Array.makeBy(6, () => order(purse))
        yield* Effect.forEach(calls, charges.hold, all)
        const exits = yield* withResponseLost(
          purse,
          "before its answer arrives",
          (distant) =>
            Effect.forEach(
              calls,
              ({ id }) => Effect.exit(Context.get(distant, Charges).settle({ id, ...ending(4) })),
              all
            ),
          ({ cut }) => cut
        )
        assert.deepStrictEqual(exits.map(Exit.hasDies), Array.replicate(true, 6))
      })
    )
  })

  describe("a charge from cache", () => {
    it.effect("costs its amount and requires the full price", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(155)
        assert.strictEqual(yield* charges.charge({ ...order(purse), ...ending(4, true) }), credits(150))
        assert.strictEqual(yield* charges.charge({ ...order(purse), ...ending(4, true) }), credits(145))
        const before = yield* dump(purse)
        const refused = yield* Effect.flip(charges.charge({ ...order(purse), ...ending(4, true) }))
        assert.deepStrictEqual(refused, new InsufficientBalance({ balance: credits(145), required: credits(150) }))
        assert.deepStrictEqual(yield* dump(purse), before)
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(145), held: zero })
      })
    )
  })

  describe("the end of a hold", () => {
    it.effect("is exactly one of settlement, void and sweep, whichever comes first", () =>
      Effect.gen(function* () {
        const [ours, theirs] = [yield* Charges, yield* anotherProcess]
        const wallets = yield* Wallets
        const purse = yield* wallet(150 * 60)
        let spent = 0
        for (let round = 0; round < 60; round++) {
          const call = order(purse)
          yield* ours.hold(call)
          yield* expire(call.id)
          const settle = (by: typeof ours) =>
            Effect.map(Effect.result(by.settle({ id: call.id, ...ending(4) })), Result.isSuccess)
          const ends = [
            settle(ours),
            ours.void(call.id),
            Effect.map(theirs.sweepExpired, (count) => count === 1),
            settle(theirs),
            theirs.void(call.id)
          ]
          const rotated = ends.map((_, place) => ends[(place + round) % ends.length] ?? Effect.succeed(false))
          const won = yield* Effect.forEach(rotated, (end) => end, all)
          assert.strictEqual(won.filter(Boolean).length, 1)
          const settled = won.findIndex(Boolean)
          if ((settled + round) % ends.length === 0 || (settled + round) % ends.length === 3) spent += 150
        }
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(150 * 60 - spent), held: zero })
      })
    )

    it.effect("comes by the sweeper even if another wallet is locked, for which it waits a moment", () =>
      Effect.gen(function* () {
        const [charges, sql, wallets] = [yield* Charges, yield* SqlClient.SqlClient, yield* Wallets]
        const [free, kept, stuck] = [
          order(yield* wallet(150)),
          order(yield* wallet(150)),
          order(yield* wallet(150))
        ] as const
        for (const call of [free, kept, stuck]) {
          yield* charges.hold(call)
          yield* expire(call.id)
        }
        const keep = ({ accountId }: Wallet) =>
          keepOpen(sql`SELECT FROM wallets WHERE account_id = ${accountId} FOR UPDATE`)
        const [release, releaseStuck] = [yield* keep(kept.wallet), yield* keep(stuck.wallet)]
        assert.strictEqual(yield* charges.sweepExpired, 1)
        assert.deepStrictEqual(yield* wallets.balanceOf(free.wallet), { available: credits(150), held: zero })
        assert.strictEqual(yield* charges.sweepExpired, 0)
        const sweeping = yield* Effect.forkChild(charges.sweepExpired)
        yield* untilLocked
        yield* release
        assert.strictEqual((yield* Fiber.join(sweeping)) + (yield* charges.sweepExpired), 1)
        assert.deepStrictEqual(yield* wallets.balanceOf(kept.wallet), { available: credits(150), held: zero })
        yield* releaseStuck
        assert.strictEqual(yield* charges.sweepExpired, 1)
      })
    )

    it.effect(
      "comes for all holds of one wallet, however many of its own and of others have expired, even while it is locked",
      () =>
        Effect.gen(function* () {
          const [charges, sql, wallets] = [yield* Charges, yield* SqlClient.SqlClient, yield* Wallets]
          const [busy, other] = [yield* wallet(150 * 501), yield* wallet(150 * 501)]
          for (const purse of [other, busy]) {
            const calls = Array.makeBy(501, () => order(purse))
            yield* Effect.forEach(calls, charges.hold, all)
            yield* sql`
            UPDATE charges SET lease_expires_at = clock_timestamp() WHERE ${sql.in(
              "id",
              calls.map(({ id }) => id)
            )}`
          }
          const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${busy.accountId} FOR UPDATE`)
          const sweeping = yield* Effect.forkChild(charges.sweepWallet(busy))
          yield* untilLocked
          yield* release
          assert.strictEqual(yield* Fiber.join(sweeping), 501)
          assert.deepStrictEqual(yield* wallets.balanceOf(busy), { available: credits(150 * 501), held: zero })
          assert.deepStrictEqual(yield* wallets.balanceOf(other), { available: zero, held: credits(150 * 501) })
          assert.strictEqual(yield* charges.sweepWallet(other), 501)
        })
    )

    it.effect("comes by the sweeper once its lease is over, not before", () =>
      Effect.gen(function* () {
        const charges = yield* Charges
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(300)
        const [young, old] = [order(purse), order(purse)]
        yield* charges.hold(young)
        yield* charges.hold(old)
        const [lease] = yield* sql`
          SELECT extract(epoch FROM lease_expires_at - created_at)::integer AS seconds FROM charges WHERE id = ${old.id}`
        assert.deepStrictEqual(lease, { seconds: 150 })
        yield* expire(young.id, "-50 seconds")
        yield* expire(old.id)
        assert.strictEqual(yield* charges.sweepExpired, 1)
        assert.strictEqual(yield* charges.sweepExpired, 0)
        assert.deepStrictEqual(
          yield* Effect.flip(charges.settle({ id: old.id, ...ending(4) })),
          new HoldLost({ id: old.id })
        )
        assert.strictEqual(yield* charges.settle({ id: young.id, ...ending(4) }), credits(150))
      })
    )
  })
})
