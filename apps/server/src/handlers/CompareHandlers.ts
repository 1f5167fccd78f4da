import { Api } from "@sightline/contract/Api"
import { TwoBrands, TwoPairs, TwoQueries } from "@sightline/contract/CompareApi"
import type { Comparison } from "@sightline/domain/Compare"
import { CompareRunner } from "@sightline/engine/CompareRunner"
import { decodeJson } from "@sightline/server/http/RequestBody"
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { renderCompare } from "./CompareRendering.ts"
import { insufficientBalance, makeSpend, spending } from "./Spending.ts"

const attempted = (shape: string) => ({ attempted_shape: shape })
const decodeTwoBrands = decodeJson(TwoBrands, attempted("query, brand_a, brand_b"))
const decodeTwoQueries = decodeJson(TwoQueries, attempted("query_a, query_b, brand"))
const decodeTwoPairs = decodeJson(TwoPairs, attempted("query_a, query_b, brand_a, brand_b"))

/**
 * Decodes the shape that a body attempts: by whether it has queries of both sides, and then brands of both.
 * A body that fits none is judged by the one it comes nearest to, and told which that was.
 */
const decode = (json: unknown) => {
  const names = typeof json === "object" && json !== null ? Object.keys(json) : []
  const twoQueries = names.includes("query_a") || names.includes("query_b")
  const twoBrands = names.includes("brand_a") || names.includes("brand_b")
  if (!twoQueries)
    return Effect.map(
      decodeTwoBrands(json),
      Result.map(({ query, brand_a, brand_b, mode, region }): Comparison => ({
        a: { query, brand: brand_a },
        b: { query, brand: brand_b },
        mode,
        region
      }))
    )
  if (!twoBrands)
    return Effect.map(
      decodeTwoQueries(json),
      Result.map(({ query_a, query_b, brand, mode, region }): Comparison => ({
        a: { query: query_a, brand },
        b: { query: query_b, brand },
        mode,
        region
      }))
    )
  return Effect.map(
    decodeTwoPairs(json),
    Result.map(({ query_a, query_b, brand_a, brand_b, mode, region }): Comparison => ({
      a: { query: query_a, brand: brand_a },
      b: { query: query_b, brand: brand_b },
      mode,
      region
    }))
  )
}

/** `POST /v1/compare`. Translates between the wire and `CompareRunner`; decides nothing about money. */
export const layer = (topupUrl: string) =>
  HttpApiBuilder.group(
    Api,
    "compare",
    Effect.fnUntraced(function* (handlers) {
      const runner = yield* CompareRunner
      const spend = yield* makeSpend(insufficientBalance(topupUrl))

      return handlers.handleRaw("run", ({ request, headers }) =>
        spending({ bucket: "compare", decode }, (comparison) =>
          spend(
            { route: "POST /v1/compare", key: headers["idempotency-key"], body: comparison },
            ({ requestId, ...payer }) =>
              runner.run({ ...payer, comparison, reply: (outcome) => renderCompare(requestId, outcome) })
          )
        )(request)
      )
    })
  )
