import { Api } from "@sightline/contract/Api"
import { questionNameOf } from "@sightline/contract/PlatformName"
import type { ChargeFound, ChargeList, WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import { subtract, toCents } from "@sightline/domain/Credits"
import type { Asked } from "@sightline/domain/Platform"
import type { Outcomes } from "@sightline/domain/Proration"
import { sumInWords } from "@sightline/domain/SumInWords"
import { refuse } from "@sightline/server/http/Refusal"
import { respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { Accounts } from "@sightline/store/Accounts"
import { type ChargeRecord, ChargeRecords } from "@sightline/store/ChargeRecords"
import { Ledger, type LedgerPosition } from "@sightline/store/Ledger"
import type { PageRequest } from "@sightline/store/Page"
import { Wallets } from "@sightline/store/Wallets"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cursors } from "./Cursors.ts"
import { renderEntry } from "./LedgerRendering.ts"
import { withPage } from "./Paging.ts"
import { withOwn } from "./PathId.ts"

const read = Effect.fnUntraced(function* (topupUrl: string) {
  const wallet = yield* owner
  const { available, held } = yield* (yield* Wallets).balanceOf(wallet)
  return yield* respond<WalletFound>({
    environment: wallet.environment,
    account: { id: wallet.accountId, name: yield* (yield* Accounts).nameOf(wallet.accountId) },
    balance_cents: toCents(available),
    held_cents: toCents(held),
    topup_url: topupUrl
  })
})

const ledger = Effect.fnUntraced(function* (asked: PageRequest<LedgerPosition>) {
  const { rows, next } = yield* (yield* Ledger).page({ ...(yield* owner), ...asked })
  return yield* respond<WalletLedger>({
    entries: rows.map(renderEntry),
    next_cursor: cursors.ledger.write(next)
  })
})

const renderEnding = ({ order, price, ending }: ChargeRecord) =>
  Option.match(ending, {
    onNone: () => ({ cached: false, charged_cents: null, refunded_cents: null, sum: null, finished_at: null }),
    onSome: ({ amount, outcomes, cached, finishedAt }) => ({
      cached,
      charged_cents: toCents(amount),
      refunded_cents: toCents(subtract(price, amount)),
      sum: sumInWords({ ...order, outcomes, cached }),
      finished_at: finishedAt
    })
  })

const outcomeIn = (outcomes: Outcomes) => (asked: Asked) => ({
  ...questionNameOf(asked),
  outcome: outcomes[asked] ?? null
})

const renderCharge = (record: ChargeRecord) => {
  const { id, order, state, price, ending, createdAt } = record
  const outcomes: Outcomes = Option.match(ending, { onNone: () => ({}), onSome: (end) => end.outcomes })
  return {
    id,
    endpoint: order.endpoint,
    mode: order.mode,
    state,
    price_cents: toCents(price),
    outcomes: order.platforms.map(outcomeIn(outcomes)),
    created_at: createdAt,
    ...renderEnding(record)
  }
}

const charges = Effect.fnUntraced(function* (asked: PageRequest<number>) {
  const { rows, next } = yield* (yield* ChargeRecords).page(yield* owner, asked)
  return yield* respond<ChargeList>({
    charges: rows.map(renderCharge),
    next_cursor: cursors.charges.write(next)
  })
})

const charge = Effect.fnUntraced(function* (text: string) {
  const records = yield* ChargeRecords
  return yield* withOwn(text, records.find, {
    missing: refuse(404, "not_found", "There is no such charge."),
    use: (record) => respond<ChargeFound>({ charge: renderCharge(record) })
  })
})

/** `/v1/wallet`, `/v1/ledger` and `/v1/charges`. Translates between the wire and the store. */
export const layer = (topupUrl: string) =>
  HttpApiBuilder.group(Api, "wallet", (handlers) =>
    handlers
      .handle("read", () => counted(read(topupUrl)))
      .handle("ledger", ({ query }) => withPage(cursors.ledger, query, (asked) => counted(ledger(asked))))
      .handle("charges", ({ query }) => withPage(cursors.charges, query, (asked) => counted(charges(asked))))
      .handle("charge", ({ params }) => counted(charge(params.id)))
  )
