import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ChargeState, EntryKind } from "@sightline/domain/Ledger"
import { AskMode, Mode } from "@sightline/domain/Mode"
import { Environment } from "@sightline/domain/Platform"
import { Outcome } from "@sightline/domain/Proration"
import { ChargedEndpoint } from "./AccountApi.ts"
import { Authorization } from "./Authorization.ts"
import { instant } from "./Instant.ts"
import { nextCursor, pageQuery } from "./Page.ts"
import { PlatformName } from "./PlatformName.ts"
import { NotFound } from "./Problem.ts"

/** The balance of the caller's wallet, and the amount held by open calls. */
export const WalletFound = Schema.Struct({
  request_id: Schema.String,
  environment: Environment,
  account: Schema.Struct({ id: Schema.String, name: Schema.String }),
  balance_cents: Schema.Finite.annotate({ description: "Available credits." }),
  held_cents: Schema.Finite.annotate({ description: "Credits set aside for open calls." }),
  topup_url: Schema.String.annotate({ description: "Where to buy credits." })
}).annotate({ identifier: "WalletFound", description: "The balance and what is held for calls in progress." })
export type WalletFound = typeof WalletFound.Type

/** One movement of money, with the balance after it. */
export const WalletEntry = Schema.Struct({
  id: Schema.String,
  charge_id: Schema.optionalKey(
    Schema.String.annotate({ description: "The charge in `/v1/charges`; absent on a top-up." })
  ),
  kind: EntryKind.annotate({
    description:
      "`topup`: in; `hold`: set aside for a call; `capture`: what the call cost; `release`: the rest, given back; `charge`: a hold and its capture in one."
  }),
  amount_cents: Schema.Finite.annotate({ description: "Credits moved; never negative." }),
  available_after_cents: Schema.Finite.annotate({ description: "Available credits after this entry." }),
  held_after_cents: Schema.Finite.annotate({ description: "Credits set aside after this entry." }),
  memo: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "What the amount is based on: the reference of a top-up, the platforms asked, or their outcomes. Covered by the hash. Absent when there is no such basis."
    })
  ),
  created_at: instant,
  hash: Schema.String.annotate({
    description: "SHA-256 over the hash of the previous entry and this one, in hexadecimal."
  })
}).annotate({ identifier: "WalletEntry" })

/** Movements of the wallet, newest first. */
export const WalletLedger = Schema.Struct({
  request_id: Schema.String,
  entries: Schema.Array(WalletEntry),
  next_cursor: nextCursor
}).annotate({ identifier: "WalletLedger", description: "A page of ledger entries, newest first." })
export type WalletLedger = typeof WalletLedger.Type

/**
 * What a call cost and why.
 *
 * Shape: `outcomes` has an entry for each question; `sum` is the calculation in words, so that a person can redo it.
 * Laws: `price_cents = charged_cents + refunded_cents` once it has ended; `sum` ends with `charged_cents`.
 */
const charge = Schema.Struct({
  id: Schema.String,
  endpoint: ChargedEndpoint,
  mode: Schema.Literals([...Mode.literals, ...AskMode.literals]),
  state: ChargeState.annotate({
    description: "`held` while the call runs, then `settled`, or `voided` when it cost nothing."
  }),
  cached: Schema.Boolean.annotate({ description: "Whether it has the price of an answer from the cache." }),
  price_cents: Schema.Finite.annotate({
    description: "The full fresh price in credits, which the wallet had to cover."
  }),
  charged_cents: Schema.NullOr(Schema.Finite).annotate({ description: "Credits charged; null while held." }),
  refunded_cents: Schema.NullOr(Schema.Finite).annotate({ description: "The rest of the price; null while held." }),
  outcomes: Schema.Array(
    Schema.Struct({
      platform: PlatformName,
      side: Schema.optionalKey(Schema.Literals(["a", "b"]).annotate({ description: "Only in a comparison." })),
      outcome: Schema.NullOr(Outcome).annotate({
        description: "`ok`, `cached` or the code of the failure; null while held, or of a call that was aborted."
      })
    }).annotate({ identifier: "ChargeOutcome" })
  ).annotate({ description: "Each question that was asked." }),
  sum: Schema.NullOr(Schema.String).annotate({
    description: "The cost as a calculation, such as `165 × 4 / 6 = 110`; null while the charge is held."
  }),
  created_at: instant.annotate({ description: "When the call was admitted." }),
  finished_at: Schema.NullOr(instant).annotate({ description: "When it was charged or voided; null while held." })
}).annotate({ identifier: "Charge" })

/** Charges of the wallet, newest first. */
export const ChargeList = Schema.Struct({
  request_id: Schema.String,
  charges: Schema.Array(charge),
  next_cursor: nextCursor
}).annotate({ identifier: "ChargeList", description: "A page of charges, newest first." })
export type ChargeList = typeof ChargeList.Type

/** One charge with its sum. */
export const ChargeFound = Schema.Struct({ request_id: Schema.String, charge }).annotate({
  identifier: "ChargeFound",
  description: "The charge."
})
export type ChargeFound = typeof ChargeFound.Type

/** The caller's own money: `/v1/wallet`, `/v1/ledger`, `/v1/charges`. */
export class WalletApi extends HttpApiGroup.make("wallet")
  .add(
    HttpApiEndpoint.get("read", "/v1/wallet", { success: WalletFound }).annotateMerge(
      OpenApi.annotations({ summary: "Get the balance", description: "Extension. The balance of the key's wallet." })
    ),
    HttpApiEndpoint.get("ledger", "/v1/ledger", {
      query: pageQuery,
      success: WalletLedger
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List movements",
        description: "Extension. The ledger entries of the key's wallet, newest first."
      })
    ),
    HttpApiEndpoint.get("charges", "/v1/charges", {
      query: pageQuery,
      success: ChargeList
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List charges",
        description: "Extension. What each call cost and why, newest first."
      })
    ),
    HttpApiEndpoint.get("charge", "/v1/charges/:id", {
      params: { id: Schema.String },
      success: ChargeFound,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a charge", description: "Extension. What one call cost and why." })
    )
  )
  .middleware(Authorization) {}
