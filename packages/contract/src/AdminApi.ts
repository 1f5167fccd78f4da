import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { RateLimit } from "@sightline/domain/ApiKey"
import { Environment } from "@sightline/domain/Platform"
import { ActionApi } from "./ActionApi.ts"
import { AdminAuthorization } from "./AdminAuthorization.ts"
import { CapturesApi } from "./CapturesApi.ts"
import { withDefault } from "./Default.ts"
import { nextCursor, pageQuery } from "./Page.ts"
import { FieldConflict, InvalidRequest, NotFound } from "./Problem.ts"
import { words } from "./Text.ts"
import { WalletEntry } from "./WalletApi.ts"

const idParams = { id: Schema.String }

/** Burst and refill of one bucket. */
export const Bucket = Schema.Struct({ burst: RateLimit.fields.burst, per_second: RateLimit.fields.perSecond })

const bucket = Schema.optionalKey(Bucket)

/**
 * Buckets of a key that differ from the defaults: one per check mode, one per other spending endpoint, and one for
 * everything else.
 */
export const RateLimits = Schema.Struct({
  "check:quick": bucket,
  "check:perplexity_live": bucket,
  "check:chatgpt_live": bucket,
  "check:gemini_live": bucket,
  "check:ai_overview": bucket,
  "check:ai_mode": bucket,
  "check:bing_copilot": bucket,
  "check:all_live": bucket,
  compare: bucket,
  ask: bucket,
  discover: bucket,
  default: bucket
})

/** The name of a rate-limit bucket. */
export type BucketName = keyof typeof RateLimits.Type

const request_id = Schema.String

/** Body of `POST /admin/accounts`. */
export const CreateAccount = Schema.Struct({ name: words(1, 200) })

/** A new account. */
export const Account = Schema.Struct({ id: Schema.String, name: Schema.String, request_id })

/**
 * Body of a top-up; the same `reference` on the same wallet counts once, and has one amount. A wallet holds less than 2^43
 * credits.
 */
export const TopUp = Schema.Struct({
  credits: Schema.Finite.check(
    Schema.makeFilter<number>(
      (value) =>
        (value > 0 && value <= 1_000_000_000 && /^\d+(?:\.\d{1,3})?$/.test(String(value))) ||
        "must be above 0, at most 1 000 000 000, with at most three decimals"
    )
  ),
  environment: withDefault(Environment, "live"),
  reference: Schema.optionalKey(words(1, 200))
})

/** The balance of a wallet after a top-up. */
export const Balance = Schema.Struct({ balance_cents: Schema.Finite, request_id })

/** The permissions of a new key, and its buckets that differ from the defaults. `environment` has no default. */
export const CreateKey = Schema.Struct({
  environment: Environment,
  read_only: withDefault(Schema.Boolean, false),
  rate_limits: withDefault(RateLimits, {})
})

/** A new key; its text is shown only here. */
export const Key = Schema.Struct({ id: Schema.String, key: Schema.String, request_id })

/** A movement of money in one of an account's two wallets; `environment` says which. */
export const LedgerEntry = Schema.Struct({ ...WalletEntry.fields, environment: Environment })

/** Entries of an account, newest first. */
export const LedgerPage = Schema.Struct({
  entries: Schema.Array(LedgerEntry),
  next_cursor: nextCursor,
  request_id
})

/** The auditor's recomputation; `differences` is empty when `ok`. */
export const Audit = Schema.Struct({
  ok: Schema.Boolean,
  accounts: Schema.Int,
  charges: Schema.Int,
  differences: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      wallet: Schema.optionalKey(Schema.String),
      sequence: Schema.optionalKey(Schema.Finite),
      charge: Schema.optionalKey(Schema.String),
      expected: Schema.optionalKey(Schema.Unknown),
      found: Schema.optionalKey(Schema.Unknown)
    })
  ),
  request_id
})

/** The result of one pass of the scheduler. */
export const Ticked = Schema.Struct({ claimed: Schema.Int, request_id })

/** Endpoints for operators: accounts, top-ups, keys, the ledger and its audit. Source: runtime contract, "Operator API". */
export class Admin extends HttpApiGroup.make("admin")
  .add(
    HttpApiEndpoint.post("createAccount", "/admin/accounts", {
      payload: CreateAccount,
      success: Account.pipe(HttpApiSchema.status(201)),
      error: InvalidRequest
    }),
    HttpApiEndpoint.delete("detachAccount", "/admin/accounts/:id", {
      params: idParams,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }),
    HttpApiEndpoint.post("topUp", "/admin/accounts/:id/topups", {
      params: idParams,
      payload: TopUp,
      success: Balance.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, FieldConflict]
    }),
    HttpApiEndpoint.post("createKey", "/admin/accounts/:id/keys", {
      params: idParams,
      payload: CreateKey,
      success: Key.pipe(HttpApiSchema.status(201)),
      error: [InvalidRequest, NotFound, FieldConflict]
    }),
    HttpApiEndpoint.delete("revokeKey", "/admin/keys/:id", {
      params: idParams,
      success: HttpApiSchema.NoContent,
      error: NotFound
    }),
    HttpApiEndpoint.get("ledger", "/admin/accounts/:id/ledger", {
      params: idParams,
      query: { environment: Schema.optionalKey(Environment), ...pageQuery },
      success: LedgerPage,
      error: [InvalidRequest, NotFound]
    }),
    HttpApiEndpoint.post("tick", "/admin/scheduler/tick", { success: Ticked }),
    HttpApiEndpoint.get("audit", "/admin/audit", { success: Audit })
  )
  .middleware(AdminAuthorization) {}

/** The operator API, served on the admin port only. */
export class AdminApi extends HttpApi.make("sightline-admin")
  .add(Admin)
  .add(ActionApi)
  .add(CapturesApi)
  .annotate(HttpApi.QueryParseOptions, { errors: "all", onExcessProperty: "error" }) {}
