/**
 * Planted faults, each seen red:
 * - a takeover under the old token; a sweep that overlooks takeovers
 * - the fingerprint not compared at a takeover, or not at all
 * - a settlement and a charge that ignore their claim
 * - the balance rendered with one decimal; the balance before the settlement
 * - an answered key released; an answered key taken over once its lease is over, or charged again
 * - a look-up without the route
 * - keys kept from the last claim on; a lease of 31 s, of a claim or of a renewal
 * - an answered key taken over by a caller that saw it unanswered, with its lease over
 * - an expired reply replayed, or compared, for a caller that arrived while its key was claimed anew
 * - a key locked for a caller that waits for it or is given its reply
 */
import { assert, describe, layer } from "@effect/vitest"
import { Credits, credits, zero } from "@sightline/domain/Credits"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges, HoldLost } from "@sightline/store/Charges"
import { Claim, plainReply, Replies, renderReply, type ReplyTemplate, type Scope } from "@sightline/store/Replies"
import { Wallets } from "@sightline/store/Wallets"
import { textOf, utf8 } from "@sightline/store/Utf8"
import { Array, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { keepOpen, untilLocked } from "./locks.ts"
import { dump, ending, layerMoney, order, tokenOf, wallet } from "./purse.ts"

const body = new Uint8Array(32).fill(7)
const otherBody = new Uint8Array(32).fill(8)

const scopeOf = (purse: Wallet): Scope => ({ ...purse, route: "POST /v1/check", key: randomUUID() })

const template: ReplyTemplate = {
  status: 200,
  headers: { "X-Mode": "quick", "X-Cost-Cents": "112.5" },
  balanceHeader: "X-Balance-After-Cents",
  head: utf8('{"brand":"Ünï \u2028 ☂ \\u0000","balance_after_cents":'),
  tail: utf8(',"cache_hit":false}')
}

const claimed = Effect.fnUntraced(function* (scope: Scope) {
  const replies = yield* Replies
  return tokenOf(yield* replies.claim(scope, body))
})

const age = Effect.fnUntraced(function* (key: string, column: "created_at" | "lease_expires_at", by: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE replies SET ${sql(column)} = clock_timestamp() - ${by}::interval WHERE key = ${key}`
})

/** A call that was held and settled with its reply, under a key of its own. */
const settled = Effect.fnUntraced(function* (purse: Wallet) {
  const charges = yield* Charges
  const scope = scopeOf(purse)
  const call = order(purse, yield* claimed(scope))
  yield* charges.hold(call)
  const balance = yield* charges.settle({ id: call.id, ...ending(3), reply: template })
  return { scope, call, balance }
})

layer(layerMoney, { excludeTestServices: true })("Replies", (it) => {
  describe("a key", () => {
    it.effect("is claimed by exactly one of a hundred callers; the others find it in flight", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const scope = scopeOf(yield* wallet(0))
        const met = yield* Effect.forEach(Array.range(1, 100), () => replies.claim(scope, body), {
          concurrency: "unbounded"
        })
        assert.strictEqual(met.filter(({ _tag }) => _tag === "Claimed").length, 1)
        assert.strictEqual(met.filter(({ _tag }) => _tag === "InFlight").length, 99)
      })
    )

    it.effect(
      "is not locked for a caller that cannot have it: one that waits for the owner, or one that gets its reply",
      () =>
        Effect.gen(function* () {
          const [replies, charges, sql] = [yield* Replies, yield* Charges, yield* SqlClient.SqlClient]
          const purse = yield* wallet(150)
          const scope = scopeOf(purse)
          const call = order(purse, yield* claimed(scope))
          // A lock leaves its transaction's number in the row.
          const mark = sql`SELECT xmax::text FROM replies WHERE key = ${scope.key}`
          const atWork = yield* mark
          assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
          assert.deepStrictEqual(yield* mark, atWork)
          yield* charges.hold(call)
          yield* charges.settle({ id: call.id, ...ending(3), reply: template })
          const answered = yield* mark
          assert.strictEqual((yield* replies.claim(scope, body))._tag, "Replay")
          assert.deepStrictEqual(yield* mark, answered)
        })
    )

    it.effect("with another body is a mismatch, in flight and answered; under another scope it is another key", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const scope = scopeOf(purse)
        const call = order(purse, yield* claimed(scope))
        assert.deepStrictEqual(yield* replies.claim(scope, otherBody), Claim.Mismatch())
        yield* charges.hold(call)
        yield* charges.settle({ id: call.id, ...ending(3), reply: template })
        assert.deepStrictEqual(yield* replies.claim(scope, otherBody), Claim.Mismatch())
        const others: ReadonlyArray<Scope> = [
          { ...scope, environment: "test" },
          { ...scope, route: "POST /v1/compare" },
          { ...scope, accountId: (yield* wallet(0)).accountId }
        ]
        for (const other of others) {
          tokenOf(yield* replies.claim(other, otherBody))
          assert.deepStrictEqual(yield* replies.claim(other, otherBody), Claim.InFlight())
          assert.strictEqual((yield* replies.claim(scope, body))._tag, "Replay")
        }
      })
    )

    it.effect("that is released can be used again, with any body", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const scope = scopeOf(yield* wallet(0))
        yield* replies.release(yield* claimed(scope))
        const again = yield* replies.claim(scope, otherBody)
        assert.deepStrictEqual(again, Claim.Claimed({ token: tokenOf(again), inherited: false }))
      })
    )

    it.effect("is taken over under a new token once the lease is over, and the old owner's token becomes invalid", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const scope = scopeOf(yield* wallet(0))
        const old = yield* claimed(scope)
        yield* age(scope.key, "lease_expires_at", "-1 second")
        assert.isTrue(yield* replies.renew(old))
        yield* age(scope.key, "lease_expires_at", "1 second")
        assert.deepStrictEqual(yield* replies.claim(scope, otherBody), Claim.Mismatch())
        const inherited = yield* replies.claim(scope, body)
        const token = tokenOf(inherited)
        assert.deepStrictEqual(inherited, Claim.Claimed({ token, inherited: true }))
        assert.notStrictEqual(token, old)
        assert.isFalse(yield* replies.renew(old))
        yield* replies.release(old)
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
        assert.isTrue(yield* replies.renew(token))
      })
    )

    it.effect(
      "is taken over if its lease is far ahead because the clock was set back, unless its owner renews it",
      () =>
        Effect.gen(function* () {
          const replies = yield* Replies
          const [died, alive] = [scopeOf(yield* wallet(0)), scopeOf(yield* wallet(0))]
          const owner = yield* claimed(alive)
          const old = yield* claimed(died)
          for (const { key } of [died, alive]) yield* age(key, "lease_expires_at", "-1 hour")
          assert.isTrue(yield* replies.renew(owner))
          assert.deepStrictEqual(yield* replies.claim(alive, body), Claim.InFlight())
          const token = tokenOf(yield* replies.claim(died, body))
          assert.isFalse(yield* replies.renew(old))
          yield* age(died.key, "lease_expires_at", "-50 seconds")
          assert.deepStrictEqual(yield* replies.claim(died, body), Claim.InFlight())
          // A key of any age is pruned only when no owner can be at work under it.
          for (const ahead of ["-50 seconds", "-1 hour"]) {
            yield* age(died.key, "created_at", "25 hours")
            yield* age(died.key, "lease_expires_at", ahead)
            assert.strictEqual(yield* replies.prune, ahead === "-1 hour" ? 1 : 0)
          }
          assert.isFalse(yield* replies.renew(token))
        })
    )

    it.effect("is leased for 30 seconds, and for 30 more from each renewal", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const scope = scopeOf(yield* wallet(0))
        const token = yield* claimed(scope)
        const [row] = yield* sql`
          SELECT round(extract(epoch FROM lease_expires_at - created_at))::integer AS seconds FROM replies
          WHERE key = ${scope.key}`
        assert.deepStrictEqual(row, { seconds: 30 })
        yield* age(scope.key, "lease_expires_at", "-1 second")
        yield* (yield* Replies).renew(token)
        const [renewed] = yield* sql`
          SELECT extract(epoch FROM lease_expires_at - clock_timestamp())::float8 AS seconds FROM replies
          WHERE key = ${scope.key}`
        const seconds = Number(renewed?.["seconds"])
        assert.isTrue(seconds > 25 && seconds <= 30, `${seconds}`)
      })
    )

    it.effect("is kept for 24 hours from its first claim, then it is free and pruned", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const { scope } = yield* settled(yield* wallet(1000))
        yield* age(scope.key, "created_at", "23 hours 59 minutes 58 seconds")
        yield* age(scope.key, "lease_expires_at", "1 second")
        assert.strictEqual(yield* replies.prune, 0)
        assert.strictEqual((yield* replies.claim(scope, body))._tag, "Replay")
        yield* age(scope.key, "created_at", "24 hours")
        tokenOf(yield* replies.claim(scope, otherBody))
        assert.deepStrictEqual(yield* replies.claim(scope, otherBody), Claim.InFlight())
        yield* age(scope.key, "created_at", "24 hours")
        // Its owner is still at work.
        assert.deepStrictEqual(yield* replies.claim(scope, otherBody), Claim.InFlight())
        assert.strictEqual(yield* replies.prune, 0)
        yield* age(scope.key, "lease_expires_at", "31 seconds")
        assert.strictEqual(yield* replies.prune, 1)
        assert.strictEqual(yield* replies.prune, 0)
      })
    )

    it.effect("that has expired and is claimed anew is in flight for a concurrent caller, whatever it was before", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const purse = yield* wallet(1000)
        for (const next of [body, otherBody]) {
          const { scope } = yield* settled(purse)
          yield* age(scope.key, "created_at", "24 hours")
          const commit = yield* keepOpen(Effect.map(replies.claim(scope, next), tokenOf))
          const late = yield* Effect.forkChild(replies.claim(scope, next))
          yield* untilLocked
          yield* commit
          assert.deepStrictEqual(yield* Fiber.join(late), Claim.InFlight())
        }
      })
    )

    it.effect("that is answered while a caller takes it over is not that caller's: it is given the reply", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const scope = scopeOf(yield* wallet(0))
        const token = yield* claimed(scope)
        yield* age(scope.key, "lease_expires_at", "1 second")
        const answer = plainReply(201, "{}")
        const commit = yield* keepOpen(replies.runWithReply(token, Effect.void, () => answer))
        const late = yield* Effect.forkChild(replies.claim(scope, body))
        yield* untilLocked
        yield* commit
        assert.deepStrictEqual(yield* Fiber.join(late), Claim.InFlight())
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(answer, zero)))
      })
    )

    it.effect("is not kept longer because it was taken over", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const scope = scopeOf(yield* wallet(0))
        yield* claimed(scope)
        yield* age(scope.key, "created_at", "23 hours")
        yield* age(scope.key, "lease_expires_at", "1 second")
        yield* claimed(scope)
        const [row] = yield* sql`
          SELECT created_at <= clock_timestamp() - interval '23 hours' AS kept FROM replies WHERE key = ${scope.key}`
        assert.deepStrictEqual(row, { kept: true })
      })
    )
  })

  describe("a reply", () => {
    it.effect("is replayed with the bytes and headers of the first, including the balance of its settlement", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const { topUp } = yield* Wallets
        const purse = yield* wallet(200)
        const { scope, call, balance } = yield* settled(purse)
        const first = renderReply(template, balance)
        yield* topUp({ wallet: purse, amount: credits(1) })
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(first))
        assert.strictEqual(first.headers["X-Balance-After-Cents"], "87.5")
        assert.deepStrictEqual(JSON.parse(textOf(first.body)), {
          brand: "Ünï \u2028 ☂ \u0000",
          balance_after_cents: 87.5,
          cache_hit: false
        })
        yield* replies.release(call.claim ?? "")
        assert.strictEqual((yield* replies.claim(scope, body))._tag, "Replay")
      })
    )

    it.effect("of a charge from cache is kept and replayed in the same way", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const charges = yield* Charges
        const purse = yield* wallet(150)
        const scope = scopeOf(purse)
        const call = order(purse, yield* claimed(scope))
        const plain = { ...template, balanceHeader: null }
        const balance = yield* charges.charge({ ...call, ...ending(4, true), reply: plain })
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(plain, balance)))
      })
    )

    it.effect(
      "is written by the owner of the claim only: the settlement and charge of a former owner change nothing",
      () =>
        Effect.gen(function* () {
          const replies = yield* Replies
          const charges = yield* Charges
          const purse = yield* wallet(1000)
          const scope = scopeOf(purse)
          const zombie = order(purse, yield* claimed(scope))
          yield* charges.hold(zombie)
          yield* age(scope.key, "lease_expires_at", "1 second")
          const owner = order(purse, tokenOf(yield* replies.claim(scope, body)))
          yield* charges.hold(owner)
          const before = yield* dump(purse)
          const late = yield* Effect.flip(charges.settle({ id: zombie.id, ...ending(4), reply: template }))
          assert.deepStrictEqual(late, new HoldLost({ id: zombie.id }))
          const again = { ...zombie, id: randomUUID(), ...ending(4, true), reply: template }
          assert.deepStrictEqual(yield* Effect.flip(charges.charge(again)), new HoldLost({ id: again.id }))
          assert.deepStrictEqual(yield* dump(purse), before)
          yield* charges.settle({ id: owner.id, ...ending(4), reply: template })
          assert.deepStrictEqual(
            yield* Effect.flip(charges.settle({ id: zombie.id, ...ending(4), reply: template })),
            new HoldLost({ id: zombie.id })
          )
        })
    )

    it.effect("is written once: other calls under its claim cost nothing and change nothing", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const charges = yield* Charges
        const purse = yield* wallet(1000)
        const scope = scopeOf(purse)
        const token = yield* claimed(scope)
        const [one, other, more] = [order(purse, token), order(purse, token), order(purse, token)]
        yield* charges.hold(one)
        yield* charges.hold(other)
        const first = renderReply(template, yield* charges.settle({ id: one.id, ...ending(3), reply: template }))
        const before = yield* dump(purse)
        const [settled, charged] = [
          yield* Effect.flip(charges.settle({ id: other.id, ...ending(4), reply: template })),
          yield* Effect.flip(charges.charge({ ...more, ...ending(4, true), reply: template }))
        ]
        assert.deepStrictEqual([settled, charged], [new HoldLost({ id: other.id }), new HoldLost({ id: more.id })])
        assert.isFalse(yield* replies.renew(token))
        assert.deepStrictEqual(yield* dump(purse), before)
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(first))
        yield* charges.void(other.id)
      })
    )

    it.effect("under a claim that was taken over releases the first owner's hold at the next sweep", () =>
      Effect.gen(function* () {
        const replies = yield* Replies
        const charges = yield* Charges
        const wallets = yield* Wallets
        const purse = yield* wallet(300)
        const scope = scopeOf(purse)
        const first = order(purse, yield* claimed(scope))
        yield* charges.hold(first)
        yield* charges.sweepExpired
        assert.strictEqual((yield* wallets.balanceOf(purse)).held, credits(150))
        yield* age(scope.key, "lease_expires_at", "1 second")
        const second = order(purse, tokenOf(yield* replies.claim(scope, body)))
        yield* charges.hold(second)
        assert.strictEqual(yield* charges.sweepExpired, 1)
        assert.deepStrictEqual(yield* wallets.balanceOf(purse), { available: credits(150), held: credits(150) })
        yield* charges.settle({ id: second.id, ...ending(4), reply: template })
      })
    )
  })

  it.effect("renderReply formats the balance as JavaScript formats the number of credits", () =>
    Effect.sync(() => {
      for (const amount of [0, 1, 10, 27_500, 1_000, 999_999_999_999, 8_796_093_022_207]) {
        const { body } = renderReply(template, Credits.make(amount))
        assert.isTrue(body.includes(`"balance_after_cents":${String(amount / 1000)},`))
      }
    })
  )
})
