/**
 * Faults planted once, and the tests that saw them: 12 days ("12 hours"); neither time nor revocation checked ("ends with"); everything
 * pruned ("only those"); a session of a clock that was ahead left as it is, or given another end ("set back").
 */
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Sessions } from "@sightline/store/Sessions"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { layerDatabase } from "./database.ts"

const layerStore = Layer.mergeAll(
  Accounts.layer,
  ApiKeys.layer(Redacted.make(new Uint8Array(32).fill(1))),
  Sessions.layer,
  TimesAhead.layer({ retryDelays: [Duration.minutes(1), Duration.minutes(5)] })
).pipe(Layer.provideMerge(layerDatabase))

const signedIn = Effect.gen(function* () {
  const account = yield* (yield* Accounts).create("Acme")
  const limits = { default: { burst: 3, perSecond: 1 } }
  const options = { accountId: account.id, environment: "test", readOnly: true, rateLimits: limits } as const
  const { id } = yield* (yield* ApiKeys).create(options)
  return { account, keyId: id, ...(yield* (yield* Sessions).create(id)) }
})

const isKnown = (token: Redacted.Redacted) =>
  Sessions.use((sessions) => Effect.map(sessions.find(token), Option.isSome))

layer(layerStore, { excludeTestServices: true })("Sessions", (it) => {
  it.effect("identifies its key, for 12 hours of the database's clock", () =>
    Effect.gen(function* () {
      const { account, keyId, token, expiresAt } = yield* signedIn
      const found = yield* (yield* Sessions).find(token)
      const caller = { keyId, accountId: account.id, environment: "test", readOnly: true } as const
      const limits = { default: { burst: 3, perSecond: 1 } }
      assert.deepStrictEqual(found, Option.some({ caller: { ...caller, rateLimits: limits }, expiresAt }))
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql<{ left: number }>`
        SELECT extract(epoch FROM ${expiresAt}::timestamptz - clock_timestamp())::float8 AS left`
      assert.closeTo(row?.left ?? 0, 12 * 3600, 60)
    })
  )

  it.effect("that is ahead because the clock was set back ends 12 hours after that; any other keeps its end", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM sessions`
      const well = yield* signedIn
      yield* sql`UPDATE sessions SET expires_at = expires_at - interval '1 hour'`
      const { keyId } = yield* signedIn
      yield* sql`UPDATE sessions SET expires_at = expires_at + interval '1 day' WHERE key_id = ${keyId}`
      const { tables } = yield* TimesAhead
      const rows = yield* Effect.forEach(tables, ({ correct }) => correct)
      assert.strictEqual(
        rows.reduce((sum, more) => sum + more, 0),
        1
      )
      const left = yield* sql<{ readonly hours: number }>`
        SELECT ceil(extract(epoch FROM expires_at - clock_timestamp()) / 3600)::float8 AS hours FROM sessions ORDER BY key_id = ${well.keyId}`
      assert.deepStrictEqual(
        left.map(({ hours }) => hours),
        [12, 11]
      )
    })
  )

  it.effect("ends with its key, its account, its time or its own end, and no other does", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [left, ...ended] = yield* Effect.replicateEffect(signedIn, 5)
      const [byKey, byAccount, byTime, byEnd] = ended
      if (
        left === undefined ||
        byKey === undefined ||
        byAccount === undefined ||
        byTime === undefined ||
        byEnd === undefined
      )
        return assert.fail("signed in five times")
      yield* (yield* ApiKeys).revoke(byKey.keyId)
      yield* (yield* Accounts).detach(byAccount.account.id)
      yield* sql`UPDATE sessions SET expires_at = clock_timestamp() WHERE key_id = ${byTime.keyId}`
      yield* (yield* Sessions).end(byEnd.token)
      yield* (yield* Sessions).end(byEnd.token)
      const known = yield* Effect.forEach([left, ...ended], ({ token }) => isKnown(token))
      assert.deepStrictEqual(known, [true, false, false, false, false])
    })
  )

  it.effect("the stored table reveals no token", () =>
    Effect.gen(function* () {
      const { token } = yield* signedIn
      const sql = yield* SqlClient.SqlClient
      const [dump] = yield* sql<{ text: string }>`SELECT string_agg(s::text, ' ') AS text FROM sessions s`
      const text = Redacted.value(token)
      assert.match(text, /^[A-Za-z0-9_-]{43}$/)
      for (const form of [text, Buffer.from(text, "base64url").toString("hex"), Buffer.from(text).toString("hex")])
        assert.notInclude(dump?.text, form)
      assert.isFalse(yield* isKnown(Redacted.make(`${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`)))
    })
  )

  it.effect("prunes those that are over, and only those", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM sessions`
      const [one, two] = [yield* signedIn, yield* signedIn]
      yield* sql`UPDATE sessions SET expires_at = clock_timestamp() WHERE key_id = ${two.keyId}`
      assert.deepStrictEqual([yield* sessions.prune, yield* sessions.prune], [1, 0])
      assert.isTrue(yield* isKnown(one.token))
    })
  )
})
