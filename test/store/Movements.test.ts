/**
 * The effects of movements that share a statement.
 *
 * Planted faults, each seen red:
 * - movements of one wallet in another order than theirs; both wallets of an account treated as one
 * - a movement without a wallet that blocks those after it
 * - the check, or the reply, of a refused movement written
 * - one result left out, or two swapped; a check mistaken for that of the previous movement; each check recorded under the charge of the
 *   first movement
 * - a reply written wherever there is one
 * - a settlement that does not wait for a takeover of its claim
 * - a price of zero
 * - asks stored only by statements that contain nothing else
 */
import { assert, layer } from "@effect/vitest"
import { credits, zero } from "@sightline/domain/Credits"
import { outcomesMemo } from "@sightline/domain/Ledger"
import type { Wallet } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import { holding, type Order } from "@sightline/store/Charges"
import type { CheckRecord } from "@sightline/store/Checks"
import { Claim, type KeptReply, Replies } from "@sightline/store/Replies"
import { type Movement, post } from "@sightline/store/Movements"
import { Wallets } from "@sightline/store/Wallets"
import { utf8 } from "@sightline/store/Utf8"
import { Array, Effect, Exit, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "./locks.ts"
import { checkRow, checkSeeing, dump, ending, layerMoney, order, tokenOf, wallet } from "./purse.ts"
import { askEnding, askRecord, enqueued } from "./queued.ts"

const reply: KeptReply = { status: 200, headers: {}, balanceHeader: null, head: "{}", tail: null }

const check = (said = "") => checkSeeing({ result: { said } })

/** What the end of a call writes besides the money. */
interface Kept {
  readonly check?: CheckRecord
  readonly reply?: KeptReply
}

/** The end of a call of which so many platforms answered, in the database's format. */
const ended = (answered: number, kept: Kept) => {
  const { amount, outcomes, cached } = ending(answered)
  const memo = outcomesMemo({ outcomes, cached })
  return { amount, outcomes, cached, memo, ...kept, reply: kept.reply ?? null }
}

const settling = (id: string, answered: number, kept: Kept = {}): Movement => ({
  kind: "settle",
  charge_id: id,
  ...ended(answered, kept)
})

/** A call that is held and ended in one movement. */
const charging = (call: Order, kept: Kept): Movement => {
  const hold = holding(call)
  return hold.kind === "hold" ? { ...hold, ...ended(4, kept), kind: "charge" } : hold
}

/** The verdicts of movements that are posted together. */
const posted = (...movements: Array.NonEmptyArray<Movement>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(post(sql)(movements), (results) => results.map(({ verdict, balance }) => [verdict, balance] as const))
  )

const scopeOf = (purse: Wallet) => ({ ...purse, route: "POST /v1/check", key: randomUUID() })
const body = new Uint8Array(32)

const claimed = Effect.fnUntraced(function* (scope: ReturnType<typeof scopeOf>) {
  return tokenOf(yield* (yield* Replies).claim(scope, body))
})

layer(layerMoney, { excludeTestServices: true })("movements in one statement", (it) => {
  it.effect(
    "apply to a wallet in their order: released money can be held by a later movement, not by an earlier one",
    () =>
      Effect.gen(function* () {
        const purse = yield* wallet(150)
        const [first, early, late] = [order(purse), order(purse), order(purse)]
        yield* posted(holding(first))
        const verdicts = yield* posted(holding(early), settling(first.id, 0), holding(late))
        assert.deepStrictEqual(verdicts, [
          ["refused", zero],
          ["done", credits(150)],
          ["done", zero]
        ])
      })
  )

  it.effect("distinguish the wallets of an account, and do not block others where there is no wallet", () =>
    Effect.gen(function* () {
      const { topUp } = yield* Wallets
      const both = yield* Effect.replicateEffect(wallet(300), 12)
      for (const { accountId } of both)
        yield* topUp({ wallet: { accountId, environment: "test" }, amount: credits(450) })
      const strangers = yield* Effect.replicateEffect(wallet(0), 12)
      const half = yield* Effect.replicateEffect(wallet(150, "test"), 12)
      const inTurns = [...both, ...strangers, ...half].flatMap(({ accountId }): Array<Wallet> => [
        { accountId, environment: "live" },
        { accountId, environment: "test" },
        { accountId, environment: "live" }
      ])
      const [first, ...others] = inTurns.map((purse) => holding(order(purse)))
      const verdicts = yield* posted(first ?? assert.fail(), ...others)
      const refused = ["refused", zero] as const
      assert.deepStrictEqual(verdicts, [
        ...both.flatMap(() => [
          ["done", credits(150)] as const,
          ["done", credits(300)] as const,
          ["done", zero] as const
        ]),
        ...strangers.flatMap(() => [refused, refused, refused]),
        ...half.flatMap(() => [refused, ["done", zero] as const, refused])
      ])
    })
  )

  it.effect("write the check and the reply of each successful movement, and nothing of a refused one", () =>
    Effect.gen(function* () {
      const replies = yield* Replies
      const [purse, poor, other] = [yield* wallet(300), yield* wallet(0.001), yield* wallet(150)]
      const scopes = [purse, poor, other].map(scopeOf)
      const [mine, theirs, bystander] = scopes
      if (mine === undefined || theirs === undefined || bystander === undefined) return assert.fail()
      const [call, gone] = [order(purse, yield* claimed(mine)), order(purse)]
      const cheap = order(poor, yield* claimed(theirs))
      const apart = order(other, yield* claimed(bystander))
      yield* posted(holding(call), holding(gone), holding(apart))
      yield* posted(settling(gone.id, 4), settling(apart.id, 4, { reply: { ...reply, head: "another" } }))
      const [done, refused] = [check(), check()]
      const verdicts = yield* posted(
        settling(call.id, 4, { check: done, reply }),
        settling(gone.id, 4, { check: refused, reply }),
        charging(cheap, { reply })
      )
      assert.deepStrictEqual(
        verdicts.map(([verdict]) => verdict),
        ["done", "refused", "refused"]
      )
      assert.isTrue(Option.isSome(yield* checkRow(done.id)))
      assert.isTrue(Option.isNone(yield* checkRow(refused.id)))
      assert.deepInclude(yield* replies.claim(mine, body), { _tag: "Replay", body: utf8("{}") })
      assert.deepStrictEqual(yield* replies.claim(theirs, body), Claim.InFlight())
      assert.deepInclude(yield* replies.claim(bystander, body), { _tag: "Replay", body: utf8("another") })
    })
  )

  it.effect("write each check with its own charge and result, whatever its text, even after a refused one", () =>
    Effect.gen(function* () {
      const [purse, poor] = [yield* wallet(600), yield* wallet(1)]
      const [plain, refused, odd] = [check("plain"), check("refused"), check('\n\u0000 \u2028 \ud800 \\ "')]
      const [first, last] = [order(purse), order(purse)]
      const verdicts = yield* posted(
        charging(first, { check: plain }),
        holding(order(purse)),
        charging(order(poor), { check: refused }),
        charging(last, { check: odd })
      )
      assert.deepStrictEqual(
        verdicts.map(([verdict]) => verdict),
        ["done", "done", "refused", "done"]
      )
      const rows = yield* Effect.forEach([plain, refused, odd], ({ id }) => checkRow(id))
      assert.deepStrictEqual(
        rows.map((row) => Option.map(row, ({ chargeId, result }) => [chargeId, result])),
        [
          Option.some([first.id, { said: "plain" }]),
          Option.none(),
          Option.some([last.id, { said: '\n\u0000 \u2028 \ud800 \\ "' }])
        ]
      )
    })
  )

  it.effect("write an ask that shares the statement with others", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(300)
      const { id, order: call } = yield* enqueued(purse)
      const { request, mentions, ...record } = askRecord(id)
      const { amount, cached, outcomes } = askEnding(call, "ok", "ok")
      const ask = { ...record, request: JSON.stringify(request), mentions: JSON.stringify(mentions) }
      const memo = outcomesMemo({ outcomes, cached })
      yield* posted(
        { kind: "settle", charge_id: call.id, amount, cached, outcomes, memo, ask, reply: null },
        holding(order(purse))
      )
      const found = yield* (yield* Asks).find(purse, id)
      const { result } = record
      assert.deepStrictEqual(found, Option.some({ chargeId: call.id, status: "completed", result, expired: false }))
    })
  )

  it.effect("under a claim that is being taken over wait for the takeover, and then move nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const purse = yield* wallet(300)
      const scope = scopeOf(purse)
      const call = order(purse, yield* claimed(scope))
      yield* posted(holding(call))
      const before = yield* dump(purse)
      const takeOver = yield* keepOpen(sql`UPDATE replies SET token = ${randomUUID()} WHERE key = ${scope.key}`)
      const settling4 = yield* Effect.forkChild(posted(settling(call.id, 4, { reply })))
      yield* untilLocked
      yield* takeOver
      assert.deepStrictEqual(yield* Fiber.join(settling4), [["refused", credits(150)]])
      const after = yield* dump(purse)
      for (const table of ["wallets", "charges", "ledger_entries"]) assert.deepStrictEqual(after[table], before[table])
    })
  )

  it.effect("cannot have a price of zero, but a price of one millicredit", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1)
      assert.isTrue(Exit.hasDies(yield* Effect.exit(Effect.orDie(posted(holding({ ...order(purse), price: zero }))))))
      const verdicts = yield* posted(holding({ ...order(purse), price: credits(0.001) }))
      assert.deepStrictEqual(verdicts, [["done", credits(0.999)]])
    })
  )
})
