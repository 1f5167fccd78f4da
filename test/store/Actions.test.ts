/**
 * Faults planted once, and the tests that saw them:
 * - a key created without its row, a reference looked up in the account's other wallet, or its entries counted there ("one row each")
 * - a second revocation, a repeated reference and a known key at the start recorded ("changes nothing")
 * - the row written by a statement of its own ("rolled back")
 * - the head read without a lock ("concurrent actions")
 * - a reference looked up in a wallet that was not locked ("a repeated top-up")
 * - no limit on a transaction that holds the head ("stalls")
 * - the URL of an endpoint recorded ("no secret")
 * - a page that begins with the last row of the previous one ("each once")
 * - no trigger ("can never be changed")
 */
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Latch, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash, randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { credits } from "@sightline/domain/Credits"
import { balanceBound } from "@sightline/domain/Wallet"
import { WebhookId } from "@sightline/domain/Webhook"
import { Accounts } from "@sightline/store/Accounts"
import { Actions } from "@sightline/store/Actions"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Deliveries } from "@sightline/store/Deliveries"
import { Principal } from "@sightline/store/Principal"
import { Sessions } from "@sightline/store/Sessions"
import { Wallets } from "@sightline/store/Wallets"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { broken, countActions } from "./actions.ts"
import { layerDatabase } from "./database.ts"
import { key, write } from "./deliveries.ts"
import { keepOpen, untilLockedOut } from "./locks.ts"
import { inAnotherProcess } from "./purse.ts"

const pepper = Redacted.make(new Uint8Array(32).fill(1))

const layerStore = Layer.mergeAll(
  Accounts.layer,
  Actions.layer,
  ApiKeys.layer(pepper),
  Deliveries.layer,
  Sessions.layer,
  Wallets.layer,
  WebhookEndpoints.layer(key)
).pipe(Layer.provideMerge(layerDatabase))

const stranger = KeyId.make(randomUUID())

/** The rows that an action leaves, without time and hash. */
const left = <A, E, R>(act: Effect.Effect<A, E, R>, by: Principal = { kind: "key", keyId: stranger, requestId: "r" }) =>
  Effect.gen(function* () {
    const before = yield* countActions
    const made = yield* Effect.provideService(act, Principal, by)
    const { rows } = yield* (yield* Actions).page({ limit: 200 })
    const seen = rows.filter(({ sequence }) => sequence > before)
    return {
      made,
      rows: seen.map(({ action, principal, keyId, requestId, accountId, subject, facts }) => ({
        action,
        by: `${principal} ${keyId} ${requestId}`,
        accountId,
        subject,
        facts: JSON.parse(facts)
      }))
    }
  })

const url = "https://canary-user:canary-password@hooks.acme.com:8443/canary-path?token=canary-query"

const endpoint = { url, description: "canary-description", events: ["ask.completed"], enabled: true } as const

/** An account with a key, a session, an endpoint and a delivery. */
const settled = Effect.gen(function* () {
  const [accounts, keys] = [yield* Accounts, yield* ApiKeys]
  const { id: accountId } = yield* accounts.create("Acme")
  const wallet = { accountId, environment: "live" } as const
  const made = yield* keys.create({ ...wallet, readOnly: false, rateLimits: {} })
  const session = yield* (yield* Sessions).create(made.id)
  const webhook = yield* (yield* WebhookEndpoints).create(wallet, endpoint)
  const [delivery = assert.fail("one was written")] = yield* write({ wallet, id: webhook.endpoint.id })
  return { accountId, wallet, made, session, webhook, delivery }
})

layer(layerStore, { excludeTestServices: true })("Actions", (it) => {
  describe("an action", () => {
    it.effect("leaves one row each: by whom, on what, and its facts", () =>
      Effect.gen(function* () {
        const [accounts, keys, wallets] = [yield* Accounts, yield* ApiKeys, yield* Wallets]
        const [sessions, webhooks, deliveries] = [yield* Sessions, yield* WebhookEndpoints, yield* Deliveries]
        const { accountId, wallet, made, session, webhook, delivery } = yield* settled
        const hash = (token: Redacted.Redacted) =>
          createHash("sha256").update(Redacted.value(token)).digest("hex").slice(0, 16)
        const own = { by: `key ${stranger} r`, accountId }

        const account = yield* left(accounts.create("Beta"))
        const { id } = account.made
        assert.deepStrictEqual(account.rows, [
          { ...own, accountId: id, action: "account_created", subject: id, facts: { name: "Beta" } }
        ])
        const one = yield* left(keys.create({ ...wallet, readOnly: true, rateLimits: {} }))
        const facts = { environment: "live", read_only: true }
        assert.deepStrictEqual(one.rows, [{ ...own, action: "key_created", subject: one.made.id, facts }])
        const two = yield* left(keys.createOwn(wallet, { maker: made.id, readOnly: false }))
        assert.deepStrictEqual(two.rows, [
          { ...own, action: "key_created", subject: two.made.record.id, facts: { ...facts, read_only: false } }
        ])
        for (const [revoke, subject] of [
          [keys.revoke(one.made.id), one.made.id],
          [keys.revokeOwn(wallet, two.made.record.id), two.made.record.id]
        ] as const)
          assert.deepStrictEqual((yield* left(revoke)).rows, [{ ...own, action: "key_revoked", subject, facts: {} }])

        const paid = yield* left(wallets.topUp({ wallet, amount: credits(10.5), reference: "invoice 7" }))
        const testWallet = { accountId, environment: "test" } as const
        const again = yield* left(wallets.topUp({ wallet: testWallet, amount: credits(1) }))
        const other = yield* left(wallets.topUp({ wallet: testWallet, amount: credits(2), reference: "invoice 7" }))
        const money = { ...own, action: "wallet_topped_up" }
        assert.deepStrictEqual(
          [...paid.rows, ...again.rows, ...other.rows],
          [
            { ...money, subject: "live-1", facts: { environment: "live", credits: 10.5, reference: "invoice 7" } },
            { ...money, subject: "test-1", facts: { environment: "test", credits: 1 } },
            { ...money, subject: "test-2", facts: { environment: "test", credits: 2, reference: "invoice 7" } }
          ]
        )

        const opened = yield* left(sessions.create(made.id))
        assert.deepStrictEqual(opened.rows, [
          { ...own, action: "session_opened", subject: hash(opened.made.token), facts: {} }
        ])
        assert.deepStrictEqual((yield* left(sessions.end(session.token))).rows, [
          { ...own, action: "session_closed", subject: hash(session.token), facts: {} }
        ])

        const hook = yield* left(webhooks.create(wallet, endpoint))
        const host = "hooks.acme.com:8443"
        assert.deepStrictEqual(hook.rows, [
          { ...own, action: "webhook_created", subject: hook.made.endpoint.id, facts: { environment: "live", host } }
        ])
        const changed = { ...own, action: "webhook_updated", subject: webhook.endpoint.id }
        const update = (change: Parameters<typeof webhooks.update>[2]) =>
          Effect.map(left(webhooks.update(wallet, webhook.endpoint.id, change)), ({ rows }) => rows)
        assert.deepStrictEqual(yield* update({ url, enabled: false }), [
          { ...changed, facts: { fields: ["enabled", "url"], host } }
        ])
        assert.deepStrictEqual(yield* update({ rotateSecret: true }), [{ ...changed, facts: { fields: ["secret"] } }])
        yield* update({ enabled: true })
        const replayed = yield* left(deliveries.replay(wallet, delivery))
        assert.deepStrictEqual(replayed.rows, [
          {
            ...own,
            action: "delivery_replayed",
            subject: Option.getOrThrow(replayed.made).id,
            facts: { replay_of: delivery }
          }
        ])
        assert.deepStrictEqual((yield* left(webhooks.remove(wallet, webhook.endpoint.id))).rows, [
          { ...changed, action: "webhook_deleted", facts: {} }
        ])
        assert.deepStrictEqual((yield* left(accounts.detach(accountId))).rows, [
          { ...own, action: "account_detached", subject: accountId, facts: {} }
        ])
        assert.deepStrictEqual(yield* broken, [])
      })
    )

    it.effect("of the program itself has no key or request, and is recorded once", () =>
      Effect.gen(function* () {
        const [accounts, keys] = [yield* Accounts, yield* ApiKeys]
        const account = { id: AccountId.make(randomUUID()), name: "Demo" }
        const as = { accountId: account.id, environment: "test", readOnly: false, rateLimits: {} } as const
        const start = Effect.andThen(accounts.ensure(account), keys.ensure(`text of ${account.id}`, as))
        const before = yield* countActions
        assert.isTrue(yield* start)
        const { rows } = yield* (yield* Actions).page({ accountId: account.id, limit: 9 })
        assert.deepStrictEqual(
          rows.map(({ action, principal, keyId, requestId }) => [action, principal, keyId, requestId]),
          [
            ["key_created", "service", null, null],
            ["account_created", "service", null, null]
          ]
        )
        assert.isTrue(yield* start)
        assert.strictEqual(yield* countActions, before + 2)
        yield* keys.revoke(KeyId.make(rows[0]?.subject ?? ""))
        assert.isFalse(yield* start)
        assert.strictEqual(yield* countActions, before + 3)
      })
    )
  })

  it.effect("an action that is refused or changes nothing leaves no row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [accounts, keys, wallets] = [yield* Accounts, yield* ApiKeys, yield* Wallets]
      const [sessions, webhooks, deliveries] = [yield* Sessions, yield* WebhookEndpoints, yield* Deliveries]
      const { accountId, wallet, made, session, webhook, delivery } = yield* settled
      const foreign = { accountId: (yield* settled).accountId, environment: "live" } as const
      const paid = { wallet, amount: credits(5), reference: "invoice 8" }
      yield* wallets.topUp(paid)
      yield* sessions.end(session.token)
      const { id: hook } = webhook.endpoint
      yield* sql`
        INSERT INTO webhook_endpoints SELECT gen_random_uuid(), account_id, 'test', url, description, events, enabled, secret, now(), now()
        FROM webhook_endpoints, generate_series(1, 100) WHERE id = ${hook}`
      yield* sql`
        INSERT INTO api_keys SELECT gen_random_uuid(), account_id, environment, sha256(n::text::bytea), read_only, rate_limits
        FROM api_keys, generate_series(1, 99) n WHERE id = ${made.id}`
      const before = yield* countActions
      const refused: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        wallets.topUp(paid),
        wallets.topUp({ ...paid, amount: credits(6) }),
        wallets.topUp({ wallet, amount: balanceBound }),
        sessions.end(session.token),
        keys.revoke(stranger),
        keys.revokeOwn(foreign, made.id),
        keys.createOwn(wallet, { maker: made.id, readOnly: false }),
        webhooks.create({ ...wallet, environment: "test" }, endpoint),
        webhooks.update(foreign, hook, { enabled: false }),
        webhooks.update(wallet, WebhookId.make(randomUUID()), { rotateSecret: true }),
        webhooks.remove(foreign, hook),
        deliveries.replay(foreign, delivery),
        accounts.detach(AccountId.make(randomUUID()))
      ]
      for (const attempt of refused) yield* Effect.exit(attempt)
      assert.strictEqual(yield* countActions, before)
      const twice: ReadonlyArray<Effect.Effect<unknown>> = [
        keys.revoke(made.id),
        webhooks.remove(wallet, hook),
        accounts.detach(accountId)
      ]
      for (const attempt of twice) yield* Effect.all([attempt, attempt], { concurrency: 2 })
      for (const attempt of twice) yield* attempt
      assert.strictEqual(yield* countActions, before + twice.length)
    })
  )

  it.effect("an action that is rolled back has no row, and one that cannot be recorded is not done", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [accounts, keys] = [yield* Accounts, yield* ApiKeys]
      const { accountId, wallet, made } = yield* settled
      const dump = Effect.all([
        countActions,
        sql`SELECT * FROM action_chain`,
        sql`SELECT id, revoked_at FROM api_keys ORDER BY id`,
        sql`SELECT * FROM wallets ORDER BY account_id`,
        sql`SELECT id, detached_at FROM accounts ORDER BY id`
      ])
      const acts: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
        keys.create({ ...wallet, readOnly: false, rateLimits: {} }),
        keys.revoke(made.id),
        (yield* Wallets).topUp({ wallet, amount: credits(5), reference: "invoice 9" }),
        accounts.detach(accountId)
      ]
      const before = yield* dump
      for (const act of acts) {
        yield* Effect.exit(sql.withTransaction(Effect.andThen(act, Effect.fail("undone"))))
        assert.deepStrictEqual(yield* dump, before)
        yield* sql`ALTER TABLE action_chain RENAME TO gone`
        const unrecorded = yield* Effect.exit(act)
        yield* sql`ALTER TABLE gone RENAME TO action_chain`
        assert.isTrue(Exit.isFailure(unrecorded))
        assert.deepStrictEqual(yield* dump, before)
      }
    })
  )

  it.effect("concurrent actions of several processes form one intact chain, with each top-up once", () =>
    Effect.gen(function* () {
      const { wallet } = yield* settled
      const others = yield* inAnotherProcess(Layer.mergeAll(Accounts.layer, Wallets.layer))
      const stores = [
        [yield* Accounts, yield* Wallets],
        [Context.get(others, Accounts), Context.get(others, Wallets)]
      ] as const
      yield* stores[0][1].topUp({ wallet, amount: credits(1) })
      const before = yield* countActions
      const acts: ReadonlyArray<Effect.Effect<unknown, unknown>> = Array.from({ length: 25 }, (_, n) =>
        stores.flatMap(([accounts, wallets]) => [
          accounts.create(`account ${n}`),
          wallets.topUp({ wallet, amount: credits(1), reference: `invoice ${n}` })
        ])
      ).flat()
      yield* Effect.all(acts, { concurrency: "unbounded" })
      assert.strictEqual(yield* countActions, before + 50 + 25)
      assert.deepStrictEqual(yield* broken, [])
      const sql = yield* SqlClient.SqlClient
      const heads = yield* sql`
        SELECT c.actions = a.sequence AND c.head = a.hash AS same FROM action_chain c, actions a
        ORDER BY a.sequence DESC LIMIT 1`
      assert.deepStrictEqual(heads, [{ same: true }])
    }).pipe(Effect.scoped)
  )

  it.effect("a top-up and a repeated top-up that both wait for the wallet leave one row", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const wallets = yield* Wallets
      const { accountId, wallet } = yield* settled
      yield* wallets.topUp({ wallet, amount: credits(1) })
      const before = yield* countActions
      const release = yield* keepOpen(sql`SELECT FROM wallets WHERE account_id = ${accountId} FOR UPDATE`)
      const topUp = wallets.topUp({ wallet, amount: credits(1), reference: "invoice" })
      const both = yield* Effect.forkChild(Effect.replicateEffect(topUp, 2, { concurrency: 2 }))
      yield* untilLockedOut(2)
      yield* release
      assert.deepStrictEqual(yield* Fiber.join(both), [{ available: credits(2) }, { available: credits(2) }])
      assert.strictEqual(yield* countActions, before + 1)
    })
  )

  it.effect("a process that stalls during an action blocks no other, and its own action is undone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = yield* countActions
      const name = `halted ${randomUUID()}`
      const halted = yield* inAnotherProcess(
        Layer.merge(Accounts.layer, Layer.effect(SqlClient.SqlClient, SqlClient.SqlClient))
      )
      const acted = yield* Latch.make()
      const standing = Context.get(halted, Accounts)
        .create(name)
        .pipe(
          Effect.andThen(acted.open),
          Effect.andThen(Effect.never),
          Context.get(halted, SqlClient.SqlClient).withTransaction
        )
      const act = Effect.andThen(acted.await, (yield* Accounts).create("Acme"))
      yield* Effect.raceFirst(act, standing)
      assert.strictEqual(yield* countActions, before + 1)
      assert.deepStrictEqual(yield* sql`SELECT id FROM accounts WHERE name = ${name}`, [])
    }).pipe(Effect.scoped)
  )

  it.effect("no secret is in any row, and of a URL only the host", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const webhooks = yield* WebhookEndpoints
      const { wallet, made, session, webhook } = yield* settled
      yield* webhooks.update(wallet, webhook.endpoint.id, { ...endpoint, rotateSecret: true })
      const [dump] = yield* sql<{ text: string }>`SELECT string_agg(a::text, ' ') AS text FROM actions a`
      const token = Redacted.value(session.token)
      const secrets = [made.key, made.key.slice("lvk_live_".length), token, Redacted.value(webhook.secret), "canary"]
      for (const secret of secrets.flatMap((text) => [text, Buffer.from(text).toString("hex")]))
        assert.notInclude(dump?.text, secret)
      assert.include(dump?.text, "hooks.acme.com")
    })
  )

  describe("a page", () => {
    it.effect("leads to all rows, newest first and each once, of all accounts or of one", () =>
      Effect.gen(function* () {
        const actions = yield* Actions
        const { accountId } = yield* settled
        yield* settled
        const all = yield* countActions
        const walk = Effect.fnUntraced(function* (limit: number, of: { readonly accountId?: AccountId }) {
          let page = yield* actions.page({ ...of, limit })
          const rows = [...page.rows]
          while (page.next !== null) {
            yield* (yield* Accounts).create("meanwhile")
            assert.lengthOf(page.rows, limit)
            page = yield* actions.page({ ...of, limit, after: page.next })
            rows.push(...page.rows)
          }
          return rows
        })
        const own = yield* walk(1, { accountId })
        assert.deepStrictEqual(
          own.map(({ action }) => action),
          ["webhook_created", "session_opened", "key_created", "account_created"]
        )
        const everybody = yield* walk(7, {})
        const sequences = everybody.map(({ sequence }) => sequence)
        assert.isAtLeast(sequences.length, all)
        assert.deepStrictEqual(
          sequences,
          sequences.map((_, at) => sequences.length - at)
        )
      })
    )
  })

  it.effect("a row can never be changed, deleted or truncated", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const attempts = [sql`UPDATE actions SET action = 'x'`, sql`DELETE FROM actions`, sql`TRUNCATE actions`]
      for (const attempt of attempts) assert.isTrue(Exit.isFailure(yield* Effect.exit(attempt)))
    })
  )
})
