/**
 * What is done and its reply, kept in one transaction under an idempotency key. What is done is here another key's claim.
 *
 * Planted and seen red: the reply kept after the transaction; a claim that is another's by now not noticed, or one that was
 * answered; a failure that leaves what was done; a lost answer of the database as a defect, taken for done or for not done, or
 * looked into while its COMMIT is under way.
 */
import { assert, layer } from "@effect/vitest"
import { zero } from "@sightline/domain/Credits"
import { Claim, Replies, renderReply, type ReplyTemplate, type Scope } from "@sightline/store/Replies"
import { utf8 } from "@sightline/store/Utf8"
import { Config, Context, Effect, Fiber, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { endLocked, holdCommits, keepOpen, slowCommits, untilLocked, untilLockedOut } from "./locks.ts"
import { makeProxy } from "./proxy.ts"
import { inAnotherProcess, layerMoney, tokenOf, wallet } from "./purse.ts"

const body = new Uint8Array(32).fill(7)

const newScope = Effect.map(wallet(0), (purse): Scope => ({ ...purse, route: "POST /v1/watch", key: randomUUID() }))

const replyTo = (done: string): ReplyTemplate => ({
  status: 201,
  headers: { "x-some": "header" },
  balanceHeader: null,
  head: utf8(JSON.stringify({ done })),
  tail: null
})

/** A scope that is claimed, and what is to be done under it: another scope's claim. */
const setting = Effect.gen(function* () {
  const replies = yield* Replies
  const [scope, other] = [yield* newScope, yield* newScope]
  const token = tokenOf(yield* replies.claim(scope, body))
  return { replies, scope, token, other, work: Effect.map(replies.claim(other, body), tokenOf) }
})

layer(layerMoney, { excludeTestServices: true })("what is done together with its reply", (it) => {
  it.effect("is there, and its reply is replayed as it was given", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const done = Option.getOrThrow(yield* replies.together(token, work, replyTo))
      assert.deepStrictEqual(yield* replies.claim(other, body), Claim.InFlight())
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo(done), zero)))
    })
  )

  it.effect("is undone under a token whose reply is kept already, which stays as it was given", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      yield* replies.together(token, Effect.succeed("first"), replyTo)
      assert.deepStrictEqual(yield* replies.together(token, work, replyTo), Option.none())
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo("first"), zero)))
    })
  )

  it.effect("is undone where the claim has gone to another owner meanwhile, who finds it free", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE replies SET lease_expires_at = clock_timestamp() - interval '1 second' WHERE key = ${scope.key}`
      const second = tokenOf(yield* replies.claim(scope, body))
      assert.deepStrictEqual(yield* replies.together(token, work, replyTo), Option.none())
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
      assert.isTrue(Option.isSome(yield* replies.together(second, newScope, ({ key }) => replyTo(key))))
    })
  )

  it.effect("is undone where it fails, and the key is still its owner's", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const failing = Effect.andThen(work, Effect.fail("refused"))
      assert.strictEqual(yield* Effect.flip(replies.together(token, failing, replyTo)), "refused")
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
      assert.isTrue(yield* replies.renew(token))
    })
  )

  it.effect(
    "is done once where the connection ends before it is done, and where it ends before its reply is kept",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const lock of [
          () => sql`LOCK TABLE replies IN SHARE MODE`,
          (key: string) => sql`SELECT FROM replies WHERE key = ${key} FOR UPDATE`
        ]) {
          const { other, replies, scope, token, work } = yield* setting
          const release = yield* keepOpen(lock(scope.key))
          const doing = yield* Effect.forkChild(replies.together(token, work, replyTo))
          yield* endLocked
          yield* release
          const done = Option.getOrThrow(yield* Fiber.join(doing))
          assert.isTrue(yield* replies.renew(done))
          assert.deepStrictEqual(yield* replies.claim(other, body), Claim.InFlight())
          assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo(done), zero)))
        }
      })
  )

  it.effect("is done once, and its caller's, where the connection ends while its COMMIT is under way or after it", () =>
    Effect.gen(function* () {
      yield* slowCommits("UPDATE ON replies", "NEW.status IS NOT NULL")
      for (const moment of ["under way", "done"]) {
        const { other, replies, scope, token } = yield* setting
        const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
        const distant = Context.get(yield* inAnotherProcess(Replies.layer, proxy.socket), Replies)
        const release = yield* holdCommits
        const work = Effect.map(distant.claim(other, body), tokenOf)
        const doing = yield* Effect.forkChild(distant.together(token, work, replyTo))
        yield* untilLocked
        yield* proxy.clog
        if (moment === "done") {
          yield* release
          yield* Effect.repeat(replies.claim(scope, body), { until: ({ _tag }) => _tag === "Replay" })
          yield* proxy.mend
        } else {
          yield* proxy.mend
          yield* untilLockedOut(2)
          yield* release
        }
        const done = Option.getOrThrow(yield* Fiber.join(doing))
        assert.isTrue(yield* replies.renew(done))
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo(done), zero)))
      }
    })
  )
})
