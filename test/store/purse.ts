import { assert } from "@effect/vitest"
import { randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import { credits } from "@sightline/domain/Credits"
import { chargeOf, type Outcomes } from "@sightline/domain/Proration"
import type { Environment } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { Asks } from "@sightline/store/Asks"
import { Charges, type Ending, type Order } from "@sightline/store/Charges"
import { type CheckRecord, type CheckSnapshot, type HashedSnapshot, hashSnapshot } from "@sightline/store/Checks"
import * as Postgres from "@sightline/store/Postgres"
import { type Claim, Replies } from "@sightline/store/Replies"
import { Wallets } from "@sightline/store/Wallets"
import { Array, Config, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "./database.ts"

/** Everything that moves or keeps money, over a database. */
export const layerMoneyOf = <E, R>(database: Layer.Layer<SqlClient.SqlClient, E, R>) =>
  Layer.mergeAll(Asks.layer, Charges.layer, Wallets.layer, Replies.layer).pipe(Layer.provideMerge(database))

/** Everything that moves or keeps money, over a fresh database. */
export const layerMoney = layerMoneyOf(layerDatabase)

/** The four platforms of `quick`. */
const four = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"] as const

/** The wallet of a new account, with this many credits. */
export const wallet = Effect.fnUntraced(function* (whole: number, environment: Environment = "live") {
  const sql = yield* SqlClient.SqlClient
  const { topUp } = yield* Wallets
  const accountId = AccountId.make(randomUUID())
  yield* sql`INSERT INTO accounts (id, name) VALUES (${accountId}, 'somebody')`
  const made: Wallet = { accountId, environment }
  if (whole > 0) yield* topUp({ wallet: made, amount: credits(whole) })
  return made
})

/** A quick check at its full price, to be paid from `wallet`. */
export const order = (wallet: Wallet, claim?: string): Order => ({
  id: randomUUID(),
  wallet,
  endpoint: "check",
  mode: "quick",
  platforms: four,
  price: credits(150),
  ...(claim === undefined ? {} : { claim })
})

/** The token of a claim that was won. */
export const tokenOf = (claim: Claim): string => (claim._tag === "Claimed" ? claim.token : assert.fail(claim._tag))

/** A new claim on an idempotency key, and how to take it over. */
export const claimed = Effect.fnUntraced(function* (wallet: Wallet) {
  const replies = yield* Replies
  const sql = yield* SqlClient.SqlClient
  const scope = { ...wallet, route: "POST /v1/ask", key: randomUUID() }
  const claim = replies.claim(scope, new Uint8Array(32))
  const takeOver = Effect.gen(function* () {
    yield* sql`UPDATE replies SET lease_expires_at = clock_timestamp() WHERE key = ${scope.key}`
    return tokenOf(yield* claim)
  })
  return { token: tokenOf(yield* claim), met: claim, takeOver }
})

/** The end of that check when `answered` of the four platforms answer. */
export const ending = (answered: number, cached = false): Ending => {
  const outcomes: Outcomes = Object.fromEntries(
    four.map((platform, place) => [platform, place < answered ? "ok" : "provider_timeout"])
  )
  return {
    amount: chargeOf({ endpoint: "check", mode: "quick", platforms: four, outcomes, cached }),
    outcomes,
    cached
  }
}

/** The row of a check, by its id. */
export const checkRow = (id: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(sql<Readonly<Record<string, unknown>>>`SELECT * FROM checks WHERE id = ${id}`, Array.head)
  )

/** The result of a check without findings, except for the given fields. */
export const seenAs = (more: Partial<CheckSnapshot> = {}): HashedSnapshot =>
  hashSnapshot({ result: {}, platforms: [], mentioned: [], ranks: [], texts: [], sites: [], pages: [], ...more })

/** A check with that result, to be paid for. */
export const checkSeeing = (snapshot: Partial<CheckSnapshot>): CheckRecord => ({
  id: randomUUID(),
  query: "best shoes",
  brand: "Acme",
  region: "us",
  request: {},
  durationMs: 1,
  snapshot: seenAs(snapshot)
})

/** Everything the books hold for one wallet, as text to compare. */
export const dump = Effect.fnUntraced(function* ({ accountId, environment }: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const tables = ["wallets", "charges", "ledger_entries", "topups", "checks", "replies", "asks", "deliveries"]
  const rows = yield* Effect.forEach(tables, (table) =>
    Effect.map(
      sql`SELECT t::text AS row FROM ${sql(table)} t
        WHERE account_id = ${accountId} AND environment = ${environment} ORDER BY 1`,
      (found) => [table, found.map(({ row }) => String(row))] as const
    )
  )
  return Object.fromEntries(rows)
})

/** Lets the lease of a hold expire. */
export const expire = Effect.fnUntraced(function* (id: string, ago = "1 second") {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE charges SET lease_expires_at = clock_timestamp() - ${ago}::interval WHERE id = ${id}`
})

/** The services of another process on the same database: its own pool and batches, over its own connection path if one is given. */
export const inAnotherProcess = Effect.fnUntraced(function* <Services, E>(
  services: Layer.Layer<Services, E, SqlClient.SqlClient>,
  way?: string
) {
  const sql = yield* SqlClient.SqlClient
  const socket = way ?? (yield* Config.String("SIGHTLINE_TEST_POSTGRES"))
  const [row] = yield* sql`SELECT current_database() AS name`
  const pool = Postgres.layer({ socket, database: String(row?.["name"]) }, { maxConnections: 3 })
  return yield* Layer.build(Layer.fresh(services.pipe(Layer.provide(pool))))
})

/** The charges of another process. */
export const anotherProcess = Effect.map(inAnotherProcess(Charges.layer), Context.get(Charges))
