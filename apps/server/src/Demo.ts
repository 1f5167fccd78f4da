import { AccountId } from "@sightline/domain/Account"
import { formatKey } from "@sightline/domain/ApiKey"
import { credits, subtract, zero } from "@sightline/domain/Credits"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Redacted } from "effect"
import { hash } from "node:crypto"
import type { Secrets } from "./settings/Secrets.ts"

/** Play credits of the demo wallet after each start. */
const playCredits = credits(1_000_000)

const uuidOf = (bytes: Uint8Array): string =>
  hash("sha256", bytes)
    .slice(0, 32)
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

/** The first derived key of the account that is not revoked. */
const validKey = Effect.fnUntraced(function* (
  secrets: Secrets,
  accountId: AccountId,
  revoked = 0
): Effect.fn.Return<string, never, ApiKeys> {
  const secret = secrets.derive(revoked === 0 ? "demo key" : `demo key ${revoked}`)
  const key = formatKey("test", Redacted.value(secret))
  const owner = { accountId, environment: "test", readOnly: false, rateLimits: {} } as const
  return (yield* (yield* ApiKeys).ensure(key, owner)) ? key : yield* validKey(secrets, accountId, revoked + 1)
})

/**
 * The test key of a fresh installation, with its wallet topped up with play credits.
 *
 * Laws: the key is derived from the process's secret, so that every start and every process of an installation has the same
 * key. Once it is revoked, the next derived key takes its place.
 */
export const demoKey = Effect.fnUntraced(function* (secrets: Secrets) {
  const accountId = AccountId.make(uuidOf(Redacted.value(secrets.derive("demo key"))))
  yield* (yield* Accounts).ensure({ id: accountId, name: "Demo" })
  const key = yield* validKey(secrets, accountId)
  const wallets = yield* Wallets
  const wallet = { accountId, environment: "test" as const }
  const missing = subtract(playCredits, (yield* wallets.balanceOf(wallet)).available)
  if (missing > zero) yield* Effect.orDie(wallets.topUp({ wallet, amount: missing }))
  return key
})
