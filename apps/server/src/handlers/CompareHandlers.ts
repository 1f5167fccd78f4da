import { Api } from "@sightline/contract/Api"
import { TwoBrands, TwoPairs, TwoQueries } from "@sightline/contract/CompareApi"
import type { Comparison } from "@sightline/domain/Compare"
import { CompareRunner } from "@sightline/engine/CompareRunner"
import { decodeJson, type OrRefusal } from "@sightline/server/http/RequestBody"
import { Effect, Result, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { renderCompare } from "./CompareRendering.ts"
import { insufficientBalance, makeSpend, spending } from "./Spending.ts"

/** A known field that does not belong to this shape of the body. */
const beside = (shape: string) =>
  Schema.optionalKey(Schema.Never.annotate({ message: `has no place beside ${shape.replace(/\w+/g, "`$&`")}` }))
const attempted = (shape: string) => ({ attempted_shape: shape })

const twoBrands = "query, brand_a, brand_b"
const twoQueries = "query_a, query_b, brand"
const twoPairs = "query_a, query_b, brand_a, brand_b"
const decodeTwoBrands = decodeJson(
  Schema.Struct({ ...TwoBrands.fields, brand: beside(twoBrands) }),
  attempted(twoBrands)
)
const decodeTwoQueries = decodeJson(
  Schema.Struct({ ...TwoQueries.fields, query: beside(twoQueries) }),
  attempted(twoQueries)
)
const decodeTwoPairs = decodeJson(
  Schema.Struct({ ...TwoPairs.fields, query: beside(twoPairs), brand: beside(twoPairs) }),
  attempted(twoPairs)
)

type Body = typeof TwoBrands.Type | typeof TwoQueries.Type | typeof TwoPairs.Type

const comparisonOf = ({ mode, region, ...sides }: Body): Comparison => {
  const [queryA, queryB] = "query" in sides ? [sides.query, sides.query] : [sides.query_a, sides.query_b]
  const [brandA, brandB] = "brand" in sides ? [sides.brand, sides.brand] : [sides.brand_a, sides.brand_b]
  return { a: { query: queryA, brand: brandA }, b: { query: queryB, brand: brandB }, mode, region }
}

/**
 * Decodes a body by the shape that it attempts: first by whether it has a query for each side, then by whether it has a
 * brand for each side. A body that fits no shape is refused by the nearest one, which the refusal names.
 */
const decode = (json: unknown) => {
  const names = typeof json === "object" && json !== null ? Object.keys(json) : []
  const queries = names.includes("query_a") || names.includes("query_b")
  const brands = names.includes("brand_a") || names.includes("brand_b")
  const several = brands ? decodeTwoPairs : decodeTwoQueries
  const decoded: OrRefusal<Body> = queries ? several(json) : decodeTwoBrands(json)
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
