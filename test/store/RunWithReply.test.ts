/**
 * A piece of work and its reply in one transaction under an idempotency key. The work is here the claim of another key.
 *
 * Planted and seen red:
 * - the reply stored after the transaction
 * - a claim that another owner has taken over, or that was answered, not noticed
 * - a failure that leaves the work done
 * - a lost response of the database treated as a defect, as done or as not done, or checked while its COMMIT is under way
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

/** A claimed scope, and the work to do under it: another scope's claim. */
const setting = Effect.gen(function* () {
  const replies = yield* Replies
  const [scope, other] = [yield* newScope, yield* newScope]
  const token = tokenOf(yield* replies.claim(scope, body))
  return { replies, scope, token, other, work: Effect.map(replies.claim(other, body), tokenOf) }
})

layer(layerMoney, { excludeTestServices: true })("work together with its reply", (it) => {
  it.effect("is done, and its reply is replayed as it was given", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const done = Option.getOrThrow(yield* replies.runWithReply(token, work, replyTo))
      assert.deepStrictEqual(yield* replies.claim(other, body), Claim.InFlight())
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo(done), zero)))
    })
  )

  it.effect("is undone under a token that is already answered, whose reply stays unchanged", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      yield* replies.runWithReply(token, Effect.succeed("first"), replyTo)
      assert.deepStrictEqual(yield* replies.runWithReply(token, work, replyTo), Option.none())
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo("first"), zero)))
    })
  )

  it.effect("is undone if another owner has taken the claim over, and that owner can do it", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE replies SET lease_expires_at = clock_timestamp() - interval '1 second' WHERE key = ${scope.key}`
      const second = tokenOf(yield* replies.claim(scope, body))
      assert.deepStrictEqual(yield* replies.runWithReply(token, work, replyTo), Option.none())
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
      assert.isTrue(Option.isSome(yield* replies.runWithReply(second, newScope, ({ key }) => replyTo(key))))
    })
  )

  it.effect("is undone if it fails, and the key is still its owner's", () =>
    Effect.gen(function* () {
      const { other, replies, scope, token, work } = yield* setting
      const failing = Effect.andThen(work, Effect.fail("refused"))
      assert.strictEqual(yield* Effect.flip(replies.runWithReply(token, failing, replyTo)), "refused")
      assert.strictEqual((yield* replies.claim(other, body))._tag, "Claimed")
      assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.InFlight())
      assert.isTrue(yield* replies.renew(token))
    })
  )

  it.effect("is done once if the connection ends before it is done, or before its reply is stored", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const lock of [
        () => sql`LOCK TABLE replies IN SHARE MODE`,
        (key: string) => sql`SELECT FROM replies WHERE key = ${key} FOR UPDATE`
      ]) {
        const { other, replies, scope, token, work } = yield* setting
        const release = yield* keepOpen(lock(scope.key))
        const doing = yield* Effect.forkChild(replies.runWithReply(token, work, replyTo))
        yield* endLocked
        yield* release
        const done = Option.getOrThrow(yield* Fiber.join(doing))
        assert.isTrue(yield* replies.renew(done))
        assert.deepStrictEqual(yield* replies.claim(other, body), Claim.InFlight())
        assert.deepStrictEqual(yield* replies.claim(scope, body), Claim.Replay(renderReply(replyTo(done), zero)))
      }
    })
  )

  it.effect("is done once, and its caller's, if the connection ends while its COMMIT is under way or after it", () =>
    Effect.gen(function* () {
      yield* slowCommits("UPDATE ON replies", "NEW.status IS NOT NULL")
      for (const moment of ["under way", "done"]) {
        const { other, replies, scope, token } = yield* setting
        const proxy = yield* makeProxy(yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
        const distant = Context.get(yield* inAnotherProcess(Replies.layer, proxy.socket), Replies)
        const release = yield* holdCommits
        const work = Effect.map(distant.claim(other, body), tokenOf)
        const doing = yield* Effect.forkChild(distant.runWithReply(token, work, replyTo))
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
