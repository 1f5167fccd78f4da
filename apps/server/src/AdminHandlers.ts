import { Effect, Layer, Option, Redacted, Result, Schema } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { createHash, timingSafeEqual } from "node:crypto"
import { AdminApi, AdminAuthorization, CreateAccount, CreateKey, TopUp } from "@sightline/contract/AdminApi"
import { AccountId } from "@sightline/domain/Account"
import { KeyId } from "@sightline/domain/ApiKey"
import { Credits, toCents } from "@sightline/domain/Credits"
import type { Entry } from "@sightline/domain/Ledger"
import { Auditor } from "@sightline/engine/Auditor"
import { Accounts } from "@sightline/store/Accounts"
import { ApiKeys } from "@sightline/store/ApiKeys"
import { Ledger } from "@sightline/store/Ledger"
import { Wallets } from "@sightline/store/Wallets"
import { Keyring } from "./Keyring.ts"
import { refuse } from "./Refusal.ts"
import { decodeJson, readJson } from "./RequestBody.ts"
import { RequestId } from "./RequestId.ts"

const digest = (text: string) => createHash("sha256").update(text).digest()

/** Lets through who knows the operator's token; compares digests, so that time tells nothing. */
export const layerAuthorization = (token: Redacted.Redacted) => {
  const expected = digest(Redacted.value(token))
  return Layer.succeed(
    AdminAuthorization,
    AdminAuthorization.of({
      bearer: (app, { credential }) =>
        timingSafeEqual(digest(Redacted.value(credential)), expected)
          ? app
          : refuse(401, "unauthorized", "Send the operator's token.")
    })
  )
}

const noSuchAccount = refuse(404, "not_found", "There is no such account.")

const respond = (body: object, status = 200) =>
  Effect.map(RequestId, (requestId) => HttpServerResponse.jsonUnsafe({ ...body, request_id: requestId }, { status }))

/** Runs `use` with the account an id names; one that is not a UUID is as unknown as any other. */
const withAccount = <E, R>(
  id: string,
  use: (account: AccountId) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
) =>
  Effect.gen(function* () {
    const account = Schema.decodeUnknownOption(AccountId)(id)
    if (Option.isNone(account) || !(yield* (yield* Accounts).exists(account.value))) return yield* noSuchAccount
    return yield* use(account.value)
  })

/** Runs `use` with the decoded body of the request, or refuses it. */
const withBody = <S extends Schema.Decoder<unknown>>(schema: S) => {
  const decode = decodeJson(schema)
  return <E, R>(use: (body: S["Type"]) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.gen(function* () {
      const json = yield* readJson(yield* HttpServerRequest.HttpServerRequest)
      if (Result.isFailure(json)) return json.failure
      const body = yield* decode(json.success)
      return Result.isFailure(body) ? body.failure : yield* use(body.success)
    })
}

const withCreateAccount = withBody(CreateAccount)
const withTopUp = withBody(TopUp)
const withCreateKey = withBody(CreateKey)

const pageMax = 200

const renderEntry = (entry: Entry) => ({
  id: `${entry.environment}-${entry.sequence}`,
  ...(entry.chargeId === null ? {} : { charge_id: entry.chargeId }),
  environment: entry.environment,
  kind: entry.kind,
  amount_cents: toCents(entry.amount),
  available_after_cents: toCents(entry.availableAfter),
  held_after_cents: toCents(entry.heldAfter),
  created_at: entry.createdAt,
  hash: entry.hash
})

/** The operator API. Translates; what it does is the store's and the auditor's. */
export const layer = HttpApiBuilder.group(
  AdminApi,
  "admin",
  Effect.fnUntraced(function* (handlers) {
    const accounts = yield* Accounts
    const keys = yield* ApiKeys
    const keyring = yield* Keyring
    const ledger = yield* Ledger
    const wallets = yield* Wallets
    const auditor = yield* Auditor
    const found = <E, R>(
      id: string,
      use: (account: AccountId) => Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
    ) => Effect.provideService(withAccount(id, use), Accounts, accounts)

    return handlers
      .handleRaw("createAccount", () =>
        withCreateAccount(({ name }) => Effect.flatMap(accounts.create(name), (account) => respond(account, 201)))
      )
      .handle("detachAccount", ({ params }) =>
        found(params.id, (account) =>
          accounts.detach(account).pipe(Effect.andThen(keyring.forget), Effect.as(HttpServerResponse.empty()))
        )
      )
      .handleRaw("topUp", ({ params }) =>
        found(params.id, (accountId) =>
          withTopUp(({ credits, environment, reference }) =>
            wallets
              .topUp({
                wallet: { accountId, environment },
                amount: Credits.make(Math.round(credits * 1000)),
                ...(reference === undefined ? {} : { reference })
              })
              .pipe(Effect.flatMap(({ available }) => respond({ balance_cents: toCents(available) }, 201)))
          )
        )
      )
      .handleRaw("createKey", ({ params }) =>
        found(params.id, (accountId) =>
          withCreateKey(({ environment, read_only: readOnly, rate_limits }) => {
            const rateLimits = Object.fromEntries(
              Object.entries(rate_limits).map(([name, { burst, per_second: perSecond }]) => [
                name,
                { burst, perSecond }
              ])
            )
            return Effect.flatMap(keys.create({ accountId, environment, readOnly, rateLimits }), (key) =>
              respond(key, 201)
            )
          })
        )
      )
      .handle("revokeKey", ({ params }) =>
        Effect.gen(function* () {
          const id = Schema.decodeUnknownOption(KeyId)(params.id)
          const revoked = Option.isSome(id) && (yield* keys.revoke(id.value))
          if (!revoked) return yield* refuse(404, "not_found", "There is no such key.")
          yield* keyring.forget
          return HttpServerResponse.empty()
        })
      )
      .handle("ledger", ({ params, query: { environment, cursor, limit } }) =>
        found(params.id, (accountId) =>
          ledger
            .page({
              accountId,
              limit: Math.min(pageMax, Math.max(1, Math.trunc(limit ?? 50))),
              ...(environment === undefined ? {} : { environment }),
              ...(cursor === undefined ? {} : { cursor })
            })
            .pipe(
              Effect.flatMap(({ entries, nextCursor }) =>
                respond({ entries: entries.map(renderEntry), next_cursor: nextCursor })
              ),
              Effect.catchTag("UnknownCursor", () => refuse(400, "invalid_request", "`cursor`: is not one of ours"))
            )
        )
      )
      .handle("audit", () =>
        Effect.flatMap(auditor.audit, ({ ok, accounts: audited, charges, differences }) =>
          respond({ ok, accounts: audited, charges, differences })
        )
      )
  })
)
