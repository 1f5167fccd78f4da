import { randomUUID } from "node:crypto"
import { AccountId } from "@sightline/domain/Account"
import { Credits, credits } from "@sightline/domain/Credits"
import { chargeOf } from "@sightline/domain/Proration"
import type { Outcomes } from "@sightline/domain/Proration"
import type { Environment } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import type { Ending, Order } from "@sightline/store/Charges"
import { Wallets } from "@sightline/store/Wallets"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The four platforms of `quick`. */
export const four = ["chatgpt_api", "claude_api", "gemini_api", "perplexity_api"] as const

/** A fresh account's wallet, with so many credits in it. */
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

/** How that check ends when `answered` of the four platforms answer. */
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

/** Everything the books hold for one wallet, as text to compare. */
export const dump = Effect.fnUntraced(function* ({ accountId, environment }: Wallet) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* Effect.forEach(["wallets", "charges", "ledger_entries", "checks", "replies"], (table) =>
    sql`SELECT t::text AS row FROM ${sql(table)} t
      WHERE account_id = ${accountId} AND environment = ${environment} ORDER BY 1`.pipe(
      Effect.map((found) => [table, found.map(({ row }) => row)])
    )
  )
  return Object.fromEntries(rows) as Readonly<Record<string, ReadonlyArray<string>>>
})

/** So many credits of the whole. */
export const sum = (amounts: ReadonlyArray<Credits>): Credits =>
  Credits.make(amounts.reduce<number>((total, amount) => total + amount, 0))
