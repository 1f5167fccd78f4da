/**
 * Each row of the books is altered by hand, with the triggers off, and the audit must report it.
 *
 * Planted faults, each seen red:
 * - no comparison of hashes, of sequences, of the wallet's balance, of its chain head
 * - charges not recomputed; a charge's entries not compared; open holds not judged; charges without entries overlooked
 * - second pages not read
 * - actions not re-hashed, their order and their head not compared
 * - asks not read; their cached answers priced at zero, or at the fresh price
 * - wallets counted as accounts; wallets without an entry overlooked, also one whose account has another wallet
 * - rows with a sequence below one, or a charge with the lowest id, not read
 * - a failure on numbers too large or on infinite timestamps
 * - a wallet's row and its entries read at two moments
 * - a lease of less than 150 s reported
 */
import { assert, describe, layer } from "@effect/vitest"
import { credits } from "@sightline/domain/Credits"
import { Auditor } from "@sightline/engine/Auditor"
import { AuditRecords } from "@sightline/store/AuditRecords"
import { Charges, holding } from "@sightline/store/Charges"
import { post } from "@sightline/store/Movements"
import { TimesAhead } from "@sightline/store/TimesAhead"
import { Wallets } from "@sightline/store/Wallets"
import { Array, Deferred, Duration, Effect, Fiber, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { ending, layerMoney, order, wallet } from "../store/purse.ts"
import { askEnding, askOrder, enqueued } from "../store/queued.ts"

const layerAudit = Auditor.layer.pipe(
  Layer.provideMerge(
    Layer.mergeAll(AuditRecords.layer, TimesAhead.layer({ retryDelays: [Duration.minutes(1), Duration.minutes(5)] }))
  ),
  Layer.provideMerge(layerMoney)
)

/** One of everything that can happen to a wallet; charges are named by their outcome. */
const history = Effect.gen(function* () {
  const charges = yield* Charges
  const { topUp } = yield* Wallets
  const purse = yield* wallet(1000)
  yield* topUp({ wallet: purse, amount: credits(500), reference: "invoice 7|b" })
  const [partial, whole, failed] = [order(purse), order(purse), order(purse)]
  const [voided, open, cached] = [order(purse), order(purse), order(purse)]
  for (const call of [partial, whole, failed, voided, open]) yield* charges.hold(call)
  yield* charges.settle({ id: partial.id, ...ending(3) })
  yield* charges.settle({ id: whole.id, ...ending(4) })
  yield* charges.settle({ id: failed.id, ...ending(0) })
  yield* charges.void(voided.id)
  const [mixed, recalled] = [askOrder(purse), askOrder(purse)]
  yield* charges.hold(mixed)
  yield* charges.settle({ id: mixed.id, ...askEnding(mixed, "cached", "ok") })
  yield* charges.charge({ ...recalled, ...askEnding(recalled, "cached", "provider_timeout") })
  const { order: job } = yield* enqueued(purse)
  yield* charges.charge({ ...cached, ...ending(4, true) })
  return { purse, partial, whole, failed, voided, open, cached, mixed, recalled, job }
})

/** Runs one statement as a superuser with all triggers and keys off until the transaction ends. */
const tamper = Effect.fnUntraced(function* (statement: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`SET LOCAL session_replication_role = replica`
  yield* sql.unsafe(statement)
})

/** The columns of an action whose change can be detected, each with another value. */
const otherActions: Readonly<Record<string, string>> = {
  created_at: "created_at + interval '1 us'",
  action: "'account_created'",
  principal: "'operator'",
  key_id: "gen_random_uuid()",
  request_id: "'another'",
  account_id: "gen_random_uuid()",
  subject: "'live-7'",
  facts: "json_build_object('credits', 1)",
  hash: "sha256('x')"
}

const allOfIt = Object.keys(otherActions).join()

/** The largest bigint, which is more than a JavaScript number represents exactly. */
const largest = "9223372036854775807"

/** Alterations of the record of actions, and the kind of difference the audit must report. */
const actionTamperings: ReadonlyArray<readonly [statement: string, kind: string]> = [
  ...Object.entries(otherActions).map(
    ([column, value]) => [`UPDATE actions SET ${column} = ${value} WHERE sequence = 2`, "action_hash"] as const
  ),
  [`UPDATE actions SET sequence = 99 WHERE sequence = 2`, "action_sequence"],
  [`DELETE FROM actions WHERE sequence = 1`, "action_sequence"],
  [`DELETE FROM actions WHERE sequence = 2`, "action_sequence"],
  [
    `UPDATE actions a SET (${allOfIt}) = (SELECT ${allOfIt} FROM actions b WHERE b.sequence = 5 - a.sequence)
      WHERE sequence IN (2, 3)`,
    "action_hash"
  ],
  [`DELETE FROM actions WHERE sequence = (SELECT actions FROM action_chain)`, "action_chain_actions"],
  [`DELETE FROM actions WHERE sequence = (SELECT actions FROM action_chain)`, "action_chain_head"],
  [
    `WITH cut AS (DELETE FROM actions WHERE sequence = (SELECT actions FROM action_chain))
      UPDATE action_chain SET actions = actions - 1`,
    "action_chain_head"
  ],
  [`DELETE FROM actions`, "action_chain_actions"],
  [`INSERT INTO actions SELECT actions + 1, ${allOfIt} FROM actions, action_chain WHERE sequence = 1`, "action_hash"],
  [`INSERT INTO actions SELECT 0, ${allOfIt} FROM actions WHERE sequence = 1`, "action_sequence"],
  [`UPDATE actions SET sequence = ${largest} WHERE sequence = 2`, "action_sequence"],
  [`UPDATE actions SET created_at = 'infinity' WHERE sequence = 2`, "action_hash"],
  [`UPDATE action_chain SET actions = ${largest}`, "action_chain_actions"],
  [`UPDATE action_chain SET head = sha256('x')`, "action_chain_head"],
  [`DELETE FROM action_chain`, "action_chain_missing"]
]

/** Alterations of one row, and the kind of difference the audit must report. */
const tamperings = (
  world: Effect.Success<typeof history>
): ReadonlyArray<readonly [statement: string, kind: string]> => {
  const { purse, partial, whole, failed, voided, open, cached, mixed, recalled, job } = world
  const mine = `account_id = '${purse.accountId}'`
  const entry = (kind: string) => `${mine} AND kind = '${kind}'`
  const charged = `${entry("charge")} AND charge_id = '${cached.id}'`
  const outcome = (platform: string, came: string, { id }: typeof mixed) =>
    `UPDATE charges SET outcomes = jsonb_set(outcomes, '{${platform}}', '"${came}"') WHERE id = '${id}'`
  return [
    [`UPDATE wallets SET available = available + 1000 WHERE ${mine}`, "wallet_available"],
    [`UPDATE wallets SET held = held + 1000 WHERE ${mine}`, "wallet_held"],
    [`UPDATE wallets SET entries = entries + 1 WHERE ${mine}`, "wallet_entries"],
    [`UPDATE wallets SET head = sha256('x') WHERE ${mine}`, "wallet_head"],
    [`DELETE FROM wallets WHERE ${mine}`, "wallet_missing"],
    [
      `INSERT INTO wallets (account_id, environment, available, held, entries, head)
        SELECT '00000000-0000-0000-0000-000000000001', 'live', 5, 0, 0, head FROM wallets WHERE ${mine}`,
      "wallet_available"
    ],
    [
      `INSERT INTO wallets (account_id, environment, available, held, entries, head)
        SELECT account_id, 'test', 5, 0, 0, head FROM wallets WHERE ${mine}`,
      "wallet_available"
    ],
    [`UPDATE ledger_entries SET amount = amount + 1 WHERE ${mine} AND sequence = 1`, "wallet_available"],
    [outcome("gemini_api", "cached", mixed), "charge_amount"],
    [outcome("chatgpt_api", "ok", mixed), "charge_amount"],
    [outcome("chatgpt_api", "provider_error", mixed), "charge_amount"],
    [outcome("gemini_api", "cached", recalled), "charge_amount"],
    [outcome("gemini_api", "provider_error", recalled), "charge_entries"],
    [`UPDATE charges SET cached = true WHERE id = '${mixed.id}'`, "charge_entries"],
    [`UPDATE charges SET mode = 'live' WHERE id = '${mixed.id}'`, "charge_price"],
    [`UPDATE charges SET mode = 'standard_no_search' WHERE id = '${job.id}'`, "charge_price"],
    [`UPDATE charges SET state = 'voided' WHERE id = '${job.id}'`, "charge_state"],
    [`UPDATE ledger_entries SET amount = amount - 1 WHERE ${entry("capture")}`, "charge_entries"],
    [
      `UPDATE ledger_entries SET available_after = available_after + 1 WHERE ${mine} AND sequence = 4`,
      "entry_availableAfter"
    ],
    [`UPDATE ledger_entries SET held_after = held_after + 1 WHERE ${mine} AND sequence = 4`, "entry_heldAfter"],
    [`UPDATE ledger_entries SET memo = 'invoice 8' WHERE ${mine} AND sequence = 2`, "entry_hash"],
    [`UPDATE ledger_entries SET memo = NULL WHERE ${entry("release")} AND charge_id = '${failed.id}'`, "entry_hash"],
    [
      `UPDATE ledger_entries SET created_at = created_at + interval '1 us' WHERE ${mine} AND sequence = 1`,
      "entry_hash"
    ],
    [`UPDATE ledger_entries SET hash = sha256('x') WHERE ${mine} AND sequence = 5`, "entry_hash"],
    [`UPDATE ledger_entries SET kind = 'gift' WHERE ${mine} AND sequence = 1`, "entry_kind"],
    [`UPDATE ledger_entries SET debit = 'revenue' WHERE ${mine} AND sequence = 1`, "entry_debit"],
    [`UPDATE ledger_entries SET credit = 'held' WHERE ${mine} AND sequence = 1`, "entry_credit"],
    [`UPDATE ledger_entries SET charge_id = '${open.id}' WHERE ${mine} AND sequence = 1`, "entry_charge"],
    [`UPDATE ledger_entries SET charge_id = NULL WHERE ${charged}`, "entry_charge"],
    [`UPDATE ledger_entries SET sequence = 99 WHERE ${charged}`, "entry_sequence"],
    [`UPDATE ledger_entries SET sequence = ${largest} WHERE ${charged}`, "entry_sequence"],
    [
      `INSERT INTO ledger_entries SELECT account_id, environment, 0, NULL, 'topup', 'topups', 'available', 5, 5, 0, NULL,
        now(), sha256('x') FROM wallets WHERE ${mine}`,
      "entry_sequence"
    ],
    [`UPDATE ledger_entries SET amount = ${largest} WHERE ${mine} AND sequence = 1`, "entry_hash"],
    [`UPDATE ledger_entries SET amount = ${2 ** 53 - 1} WHERE ${mine} AND sequence = 2`, "entry_availableAfter"],
    [`UPDATE ledger_entries SET held_after = ${largest} WHERE ${mine} AND sequence = 4`, "entry_heldAfter"],
    [`UPDATE ledger_entries SET created_at = 'infinity' WHERE ${mine} AND sequence = 4`, "entry_hash"],
    [`UPDATE wallets SET entries = ${largest} WHERE ${mine}`, "wallet_entries"],
    [`UPDATE ledger_entries SET environment = 'test' WHERE ${charged}`, "wallet_missing"],
    [`DELETE FROM ledger_entries WHERE ${mine} AND sequence = 1`, "entry_sequence"],
    [`DELETE FROM ledger_entries WHERE ${charged}`, "wallet_entries"],
    [
      `INSERT INTO ledger_entries SELECT account_id, environment, entries + 1, NULL, 'topup', 'topups', 'available', 5,
        available + 5, held, NULL, now(), sha256('x') FROM wallets WHERE ${mine}`,
      "entry_hash"
    ],
    [`UPDATE charges SET price = price - 1 WHERE id = '${whole.id}'`, "charge_price"],
    [`UPDATE charges SET amount = amount - 1 WHERE id = '${whole.id}'`, "charge_amount"],
    [`UPDATE charges SET state = 'voided' WHERE id = '${partial.id}'`, "charge_state"],
    [`UPDATE charges SET state = 'voided' WHERE id = '${open.id}'`, "charge_state"],
    [`UPDATE charges SET finished_at = now() WHERE id = '${open.id}'`, "charge_entries"],
    [
      `UPDATE charges SET outcomes = jsonb_set(outcomes, '{claude_api}', '"provider_error"') WHERE id = '${whole.id}'`,
      "charge_amount"
    ],
    [
      `UPDATE charges SET outcomes = jsonb_set(outcomes, '{claude_api}', '"provider_error"') WHERE id = '${failed.id}'`,
      "charge_entries"
    ],
    [`UPDATE charges SET outcomes = '{"claude_api": 3}' WHERE id = '${whole.id}'`, "charge_amount"],
    [`UPDATE charges SET outcomes = '{"claude_api": "ok"}' WHERE id = '${voided.id}'`, "charge_amount"],
    [`UPDATE charges SET cached = false WHERE id = '${cached.id}'`, "charge_amount"],
    [`UPDATE charges SET cached = true WHERE id = '${partial.id}'`, "charge_amount"],
    [`UPDATE charges SET platforms = platforms[:3] WHERE id = '${whole.id}'`, "charge_price"],
    [`UPDATE charges SET platforms = '{}' WHERE id = '${whole.id}'`, "charge_unreadable"],
    [`UPDATE charges SET mode = 'all_live' WHERE id = '${partial.id}'`, "charge_price"],
    [`UPDATE charges SET mode = 'free' WHERE id = '${partial.id}'`, "charge_unreadable"],
    [`UPDATE charges SET endpoint = 'gift' WHERE id = '${partial.id}'`, "charge_unreadable"],
    [`UPDATE charges SET environment = 'test' WHERE id = '${partial.id}'`, "charge_wallet"],
    [`UPDATE charges SET sequence = sequence + 1 WHERE id = '${partial.id}'`, "charge_sequence"],
    [`UPDATE charges SET created_at = created_at - interval '1 us' WHERE id = '${open.id}'`, "charge_entries"],
    [`UPDATE charges SET finished_at = finished_at - interval '1 us' WHERE id = '${whole.id}'`, "charge_entries"],
    [
      `UPDATE charges SET lease_expires_at = lease_expires_at + interval '1 day' WHERE id = '${open.id}'`,
      "charge_lease"
    ],
    [`UPDATE charges SET price = ${largest} WHERE id = '${whole.id}'`, "charge_price"],
    [`UPDATE charges SET created_at = 'infinity' WHERE id = '${whole.id}'`, "charge_entries"],
    [`UPDATE charges SET lease_expires_at = 'infinity' WHERE id = '${whole.id}'`, "charge_lease"],
    [`UPDATE charges SET platforms = '{NULL}' WHERE id = '${whole.id}'`, "charge_unreadable"],
    [`UPDATE charges SET id = gen_random_uuid() WHERE id = '${whole.id}'`, "charge_without_entry"],
    [`DELETE FROM charges WHERE id = '${open.id}'`, "charge_missing"],
    [`DELETE FROM charges WHERE id = '${partial.id}'`, "charge_missing"],
    ...["gen_random_uuid()", "'00000000-0000-0000-0000-000000000000'"].map(
      (id) =>
        [
          `INSERT INTO charges SELECT ${id}, account_id, environment, sequence, endpoint, mode, platforms, price,
        state, amount, outcomes, cached, claim, lease_expires_at, created_at, finished_at FROM charges WHERE id = '${whole.id}'`,
          "charge_without_entry"
        ] as const
    )
  ]
}

layer(layerAudit, { excludeTestServices: true })("Auditor", (it) => {
  describe("an audit", () => {
    it.effect("of unaltered books finds no difference, and accounts for every top-up", () =>
      Effect.gen(function* () {
        const auditor = yield* Auditor
        yield* history
        const { purse } = yield* history
        // An account with a wallet in each environment counts once.
        const { topUp } = yield* Wallets
        yield* topUp({ wallet: { ...purse, environment: "test" }, amount: credits(7) })
        const { ok, differences, totals, ...counts } = yield* auditor.audit
        assert.deepStrictEqual(differences, [])
        assert.isTrue(ok)
        assert.deepStrictEqual(counts, { accounts: 2, charges: 18 })
        assert.deepStrictEqual(totals, {
          topups: BigInt(credits(3007)),
          available: BigInt(credits(7 + 2 * (1500 - 112.5 - 150 - 150 - 5 - 8 - 1 - 14))),
          held: BigInt(credits(2 * (150 + 14))),
          revenue: BigInt(credits(2 * (112.5 + 150 + 5 + 8 + 1)))
        })
      })
    )

    it.effect("reports any one row that was altered by hand, and nothing once it is restored", () =>
      Effect.gen(function* () {
        const auditor = yield* Auditor
        const sql = yield* SqlClient.SqlClient
        const world = yield* history
        for (const [statement, kind] of [...tamperings(world), ...actionTamperings]) {
          // The transaction fails on purpose: that rolls the alteration back.
          const seen = yield* sql
            .withTransaction(
              Effect.gen(function* () {
                yield* tamper(statement)
                const { differences } = yield* auditor.audit
                return yield* Effect.fail(differences.map((difference) => difference.kind))
              })
            )
            .pipe(Effect.catchTag("SqlError", Effect.die), Effect.flip)
          assert.include(seen, kind, statement)
        }
        assert.isTrue((yield* auditor.audit).ok)
      })
    )

    it.effect("of a hold from a time at which the clock was ahead finds no difference, before and after it ends", () =>
      Effect.gen(function* () {
        const auditor = yield* Auditor
        const sql = yield* SqlClient.SqlClient
        const { settle } = yield* Charges
        const { tables } = yield* TimesAhead
        const call = order(yield* wallet(1000))
        yield* sql`CREATE SCHEMA ahead`
        yield* sql`
          CREATE FUNCTION ahead.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$
            SELECT pg_catalog.clock_timestamp() + interval '1 day'
          $$`
        yield* sql`SET LOCAL search_path = ahead, pg_catalog, public`.pipe(
          Effect.andThen(post(sql)([holding(call)])),
          sql.withTransaction
        )
        yield* Effect.forEach(tables, ({ correct }) => correct)
        assert.deepStrictEqual((yield* auditor.audit).differences, [])
        yield* settle({ id: call.id, ...ending(4) })
        assert.deepStrictEqual((yield* auditor.audit).differences, [])
      })
    )

    it.effect("reads a wallet's row and its entries from one snapshot, even if money moves in between", () =>
      Effect.gen(function* () {
        const [records, { topUp }] = [yield* AuditRecords, yield* Wallets]
        const purse = yield* wallet(1000)
        const [begun, moved] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const both = Effect.gen(function* () {
          const entries = yield* records.entries(purse, null, 10)
          yield* Deferred.succeed(begun, undefined)
          yield* Deferred.await(moved)
          return { entries, row: yield* records.wallet(purse) }
        })
        const reading = yield* Effect.forkChild(records.snapshot(both))
        yield* Deferred.await(begun)
        yield* topUp({ wallet: purse, amount: credits(500) })
        yield* Deferred.succeed(moved, undefined)
        const { entries, row } = yield* Fiber.join(reading)
        assert.deepStrictEqual(
          Option.map(row, ({ available, head }) => ({ available, head })),
          Option.some({ available: 1_000_000, head: entries.at(-1)?.hash ?? "" })
        )
      })
    )

    it.effect("reads more actions than one page holds, and names the altered one", () =>
      Effect.gen(function* () {
        const auditor = yield* Auditor
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          SELECT record_action('key_revoked', 'operator', NULL, NULL, '{}', gen_random_uuid(), n::text)
          FROM generate_series(1, 1100) n`
        const [last] = yield* sql<{ sequence: bigint }>`SELECT max(sequence) AS sequence FROM actions`
        assert.deepStrictEqual((yield* auditor.audit).differences, [])
        const seen = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* tamper(`UPDATE actions SET principal = 'key' WHERE sequence = ${last?.sequence}`)
              return yield* Effect.flatMap(auditor.audit, Effect.fail)
            })
          )
          .pipe(Effect.catchTag("SqlError", Effect.die), Effect.flip)
        assert.deepStrictEqual(
          seen.differences.map(({ kind, sequence }) => [kind, sequence]),
          [["action_hash", Number(last?.sequence)]]
        )
      })
    )

    it.effect("reads more entries and charges than one page holds", () =>
      Effect.gen(function* () {
        const auditor = yield* Auditor
        const charges = yield* Charges
        const sql = yield* SqlClient.SqlClient
        const purse = yield* wallet(150_000)
        const before = yield* auditor.audit
        const calls = Array.makeBy(1100, () => order(purse))
        yield* Effect.forEach(calls, (call) => charges.charge({ ...call, ...ending(4, true) }), {
          concurrency: "unbounded"
        })
        const after = yield* auditor.audit
        assert.isTrue(after.ok)
        assert.strictEqual(after.charges - before.charges, 1100)
        const seen = yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* tamper(
                `UPDATE ledger_entries SET memo = 'x' WHERE account_id = '${purse.accountId}' AND sequence = 1101`
              )
              return yield* Effect.flatMap(auditor.audit, Effect.fail)
            })
          )
          .pipe(Effect.catchTag("SqlError", Effect.die), Effect.flip)
        assert.include(
          seen.differences.map(({ sequence }) => sequence),
          1101
        )
      })
    )
  })
})
