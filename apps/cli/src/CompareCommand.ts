import { Effect } from "effect"
import { Command } from "effect/cli"
import { CompareResponse } from "@sightline/contract/CompareApi"
import { CompareMode } from "@sightline/domain/Mode"
import { Region } from "@sightline/domain/Region"
import { answerFollowing } from "./Answer.ts"
import { showCompared } from "./CompareShow.ts"
import { given, idempotencyKey, maybe, maybeOneOf } from "./Flags.ts"

/** `sightline compare`: two brands, two queries or two of each, and which side is named more often. */
export const compare = Command.make(
  "compare",
  {
    query: maybe("query", "The question of both sides"),
    query_a: maybe("query-a", "The question of side a"),
    query_b: maybe("query-b", "The question of side b"),
    brand: maybe("brand", "The brand of both sides"),
    brand_a: maybe("brand-a", "The brand of side a"),
    brand_b: maybe("brand-b", "The brand of side b"),
    mode: maybeOneOf("mode", CompareMode.literals, "What is asked; quick by default"),
    region: maybeOneOf("region", Region.literals, "Where the questions are asked from; us by default"),
    idempotencyKey
  },
  Effect.fnUntraced(function* ({ idempotencyKey: headers, ...flags }) {
    // The API decides which of the three bodies this is, and explains it best if it is none.
    yield* answerFollowing("/v1/compare", given(flags), headers, CompareResponse, showCompared)
  })
).pipe(
  Command.withDescription("Ask the same engines about two sides and see which is named more often"),
  Command.withExamples([
    { command: 'sightline compare --query "best crm" --brand-a HubSpot --brand-b Zoho', description: "two brands" },
    {
      command: 'sightline compare --brand HubSpot --query-a "best crm" --query-b "top crm"',
      description: "two queries"
    }
  ])
)
