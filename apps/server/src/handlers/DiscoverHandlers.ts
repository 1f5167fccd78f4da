import { Api } from "@sightline/contract/Api"
import { DiscoverRequest } from "@sightline/contract/DiscoverApi"
import { toCents } from "@sightline/domain/Credits"
import { type DiscoverOutcome, DiscoverRunner } from "@sightline/engine/DiscoverRunner"
import { decodeJson } from "@sightline/server/http/RequestBody"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { membersOf, withBalance } from "./BalanceAfter.ts"
import { renderFailures } from "./CheckRendering.ts"
import { insufficientBalance, makeSpend, spending } from "./Spending.ts"

const decode = decodeJson(DiscoverRequest)

/** The 200 of a discovery without the balance, which only the settling statement knows. */
const renderDiscover = (requestId: string, outcome: DiscoverOutcome): ReplyTemplate => {
  const { id, discovery, candidates, failures, cached, charge } = outcome
  const body = {
    request_id: requestId,
    id,
    brand: discovery.brand,
    industry: discovery.industry ?? null,
    language: discovery.language,
    candidates,
    total: candidates.length,
    ...renderFailures(failures),
    cached,
    cost_cents: toCents(charge)
  }
  return withBalance(membersOf(body))
}

/** `POST /v1/discover`. Translates between the wire and `DiscoverRunner`; decides nothing about money. */
export const layer = (topupUrl: string) =>
  HttpApiBuilder.group(
    Api,
    "discover",
    Effect.fnUntraced(function* (handlers) {
      const runner = yield* DiscoverRunner
      const spend = yield* makeSpend(insufficientBalance(topupUrl))

      return handlers.handleRaw("run", ({ request, headers }) =>
        spending({ bucket: "discover", decode }, (discovery) =>
          spend(
            { route: "POST /v1/discover", key: headers["idempotency-key"], body: discovery },
            ({ requestId, ...payer }) =>
              runner.run({ ...payer, discovery, reply: (outcome) => renderDiscover(requestId, outcome) })
          )
        )(request)
      )
    })
  )
