import {
  type Account,
  AdminApi,
  type Audit,
  type Balance,
  CreateAccount,
  CreateKey,
  type Key,
  type LedgerPage,
  type Ticked,
  TopUp
} from "@sightline/contract/AdminApi"
import { AdminAuthorization } from "@sightline/contract/AdminAuthorization"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { Credits, toCents } from "@sightline/domain/Credits"
import type { Entry } from "@sightline/domain/Ledger"
import type { Environment } from "@sightline/domain/Platform"
import { balanceBound } from "@sightline/domain/Wallet"
import { Auditor } from "@sightline/engine/Auditor"
import { tick } from "@sightline/engine/WatchTicker"
import { conflict, refuse, unauthorized } from "@sightline/server/http/Refusal"
import { decodeJson, withBody } from "@sightline/server/http/RequestBody"
import { RequestId } from "@sightline/server/http/RequestId"
import { type Responding, respond } from "@sightline/server/http/Respond"
import { refuseUnexpectedInput } from "@sightline/server/http/UnexpectedInput"
import { Keyring } from "@sightline/server/keys/Keyring"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Ledger } from "@sightline/store/Ledger"
import { Principal } from "@sightline/store/Principal"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { Effect, Layer, Option, Redacted, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { hash, timingSafeEqual } from "node:crypto"
import { cursors } from "./Cursors.ts"
import { renderEntry } from "./LedgerRendering.ts"
import { type PageQuery, withPage } from "./Paging.ts"

const digest = (text: string) => hash("sha256", text, "buffer")

/**
 * Accepts requests with the operator's token, and refuses a query or body that the endpoint does not take. Compares digests,
 * so that timing reveals nothing.
 */
export const layerAuthorization = (token: Redacted.Redacted) => {
  const expected = digest(Redacted.value(token))
  return Layer.succeed(
    AdminAuthorization,
    AdminAuthorization.of({
      bearer: (app, { credential, endpoint }) =>
        Effect.gen(function* () {
          if (!timingSafeEqual(digest(Redacted.value(credential)), expected))
            return yield* unauthorized("Send `Authorization: Bearer <ADMIN_TOKEN>`, the operator's token.")
          const principal: Principal = { kind: "operator", keyId: null, requestId: yield* RequestId }
          const request = yield* HttpServerRequest.HttpServerRequest
          return yield* refuseUnexpectedInput({ request, endpoint }, Effect.provideService(app, Principal, principal))
        })
    })
  )
}

const noSuchAccount = refuse(404, "not_found", "There is no such account.")

/** Runs `use` with the account of an id; an id that is not a UUID gets the same 404 as an unknown one. */
const withAccount = Effect.fnUntraced(function* <E, R>(id: string, use: (account: AccountId) => Responding<E, R>) {
  const account = Schema.decodeUnknownOption(AccountId)(id)
  if (Option.isNone(account) || !(yield* (yield* Accounts).exists(account.value))) return yield* noSuchAccount
  return yield* use(account.value)
})

/** The answer for a detached account, none of whose keys work any more. */
const detached = conflict({ path: "id", message: "is a detached account" })

const decodeCreateAccount = decodeJson(CreateAccount)
const decodeTopUp = decodeJson(TopUp)
const decodeCreateKey = decodeJson(CreateKey)

const createAccount = withBody(decodeCreateAccount, ({ name }) =>
  Effect.gen(function* () {
    return yield* respond<typeof Account.Type>(yield* (yield* Accounts).create(name), 201)
  })
)

const detachAccount = (id: string) =>
  withAccount(id, (account) =>
    Effect.gen(function* () {
      const [accounts, watches] = [yield* Accounts, yield* Watches]
      // One transaction: without it, watches could go on running with no key left to pause them.
      const detaching = Effect.andThen(watches.pauseAll(account), accounts.detach(account))
      yield* Effect.catchTag(accounts.whileOpen(account, detaching), "AccountDetached", () => Effect.void)
      yield* (yield* Keyring).forget
      return HttpServerResponse.empty()
    })
  )

const wouldOverflow = {
  path: "credits",
  message: `would bring the wallet to ${toCents(balanceBound)} credits or more, which it cannot hold`
}

const standsForAnother = {
  path: "reference",
  message: "was already used for a top-up of this wallet by another amount"
}

const topUp = (id: string, request: HttpServerRequest.HttpServerRequest) =>
  withAccount(id, (accountId) =>
    withBody(decodeTopUp, ({ credits, environment, reference }) =>
      Effect.gen(function* () {
        const toppedUp = (yield* Wallets).topUp({
          wallet: { accountId, environment },
          amount: Credits.make(Math.round(credits * 1000)),
          ...(reference === undefined ? {} : { reference })
        })
        const { available } = yield* (yield* Accounts).whileOpen(accountId, toppedUp)
        return yield* respond<typeof Balance.Type>({ balance_cents: toCents(available) }, 201)
      }).pipe(
        Effect.catchTags({
          WalletFull: () => conflict(wouldOverflow),
          ReferenceTaken: () => conflict(standsForAnother),
          AccountDetached: () => detached
        })
      )
    )(request)
  )

const createKey = (id: string, request: HttpServerRequest.HttpServerRequest) =>
  withAccount(id, (accountId) =>
    withBody(decodeCreateKey, ({ environment, read_only: readOnly, rate_limits }) =>
      Effect.gen(function* () {
        const rateLimits = Object.fromEntries(
          Object.entries(rate_limits).map(([name, { burst, per_second: perSecond }]) => [name, { burst, perSecond }])
        )
        const made = (yield* ApiKeys).create({ accountId, environment, readOnly, rateLimits })
        return yield* respond<typeof Key.Type>(yield* (yield* Accounts).whileOpen(accountId, made), 201)
      }).pipe(Effect.catchTag("AccountDetached", () => detached))
    )(request)
  )

const revokeKey = Effect.fnUntraced(function* (text: string) {
  const id = Schema.decodeUnknownOption(KeyId)(text)
  const revoked = Option.isSome(id) && (yield* (yield* ApiKeys).revoke(id.value))
  if (!revoked) return yield* refuse(404, "not_found", "There is no such key.")
  yield* (yield* Keyring).forget
  return HttpServerResponse.empty()
})

interface LedgerQuery extends PageQuery {
  readonly environment?: Environment
}

const renderWithWallet = (entry: Entry) => ({ ...renderEntry(entry), environment: entry.environment })

const showLedger = (id: string, { environment, ...query }: LedgerQuery) =>
  withAccount(id, (accountId) =>
    withPage(
      cursors.ledger,
      query,
      Effect.fnUntraced(function* (asked) {
        const { rows, next } = yield* (yield* Ledger).page({
          accountId,
          ...asked,
          ...(environment === undefined ? {} : { environment })
        })
        return yield* respond<typeof LedgerPage.Type>({
          entries: rows.map(renderWithWallet),
          next_cursor: cursors.ledger.write(next)
        })
      })
    )
  )

const audit = Effect.gen(function* () {
  const { ok, accounts, charges, differences } = yield* (yield* Auditor).audit
  return yield* respond<typeof Audit.Type>({ ok, accounts, charges, differences })
})

const runScheduler = Effect.gen(function* () {
  return yield* respond<typeof Ticked.Type>({ claimed: yield* tick })
})

/** The operator API. Translates between the wire and the store or the auditor. */
export const layer = HttpApiBuilder.group(AdminApi, "admin", (handlers) =>
  handlers
    .handleRaw("createAccount", ({ request }) => createAccount(request))
    .handle("detachAccount", ({ params }) => detachAccount(params.id))
    .handleRaw("topUp", ({ params, request }) => topUp(params.id, request))
    .handleRaw("createKey", ({ params, request }) => createKey(params.id, request))
    .handle("revokeKey", ({ params }) => revokeKey(params.id))
    .handle("ledger", ({ params, query }) => showLedger(params.id, query))
    .handle("tick", () => runScheduler)
    .handle("audit", () => audit)
)
