import { Api } from "@sightline/contract/Api"
import { TwoBrands, TwoPairs, TwoQueries } from "@sightline/contract/CompareApi"
import type { Comparison } from "@sightline/domain/Compare"
import { CompareRunner } from "@sightline/engine/CompareRunner"
import { decodeJson, type OrRefusal } from "@sightline/server/http/RequestBody"
import { Effect, Result } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { renderCompare } from "./CompareRendering.ts"
import { insufficientBalance, makeSpend, spending } from "./Spending.ts"

const attempted = (shape: string) => ({ attempted_shape: shape })
const decodeTwoBrands = decodeJson(TwoBrands, attempted("query, brand_a, brand_b"))
const decodeTwoQueries = decodeJson(TwoQueries, attempted("query_a, query_b, brand"))
const decodeTwoPairs = decodeJson(TwoPairs, attempted("query_a, query_b, brand_a, brand_b"))

type Body = typeof TwoBrands.Type | typeof TwoQueries.Type | typeof TwoPairs.Type

const comparisonOf = ({ mode, region, ...sides }: Body): Comparison => {
  const [queryA, queryB] = "query" in sides ? [sides.query, sides.query] : [sides.query_a, sides.query_b]
  const [brandA, brandB] = "brand" in sides ? [sides.brand, sides.brand] : [sides.brand_a, sides.brand_b]
  return { a: { query: queryA, brand: brandA }, b: { query: queryB, brand: brandB }, mode, region }
}

/**
 * Decodes the shape that a body attempts: by whether it has queries of both sides, and then brands of both.
 * A body that fits none is judged by the one it comes nearest to, and told which that was.
 */
const decode = (json: unknown) => {
  const names = typeof json === "object" && json !== null ? Object.keys(json) : []
  const twoQueries = names.includes("query_a") || names.includes("query_b")
  const twoBrands = names.includes("brand_a") || names.includes("brand_b")
  const several = twoBrands ? decodeTwoPairs : decodeTwoQueries
  const decoded: OrRefusal<Body> = twoQueries ? several(json) : decodeTwoBrands(json)
  return Effect.map(decoded, Result.map(comparisonOf))
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
