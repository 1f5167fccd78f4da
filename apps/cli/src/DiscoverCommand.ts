import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type DiscoverRequest, DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { answerFollowing } from "./Answer.ts"
import { showDiscovered } from "./DiscoverShow.ts"
import { given, idempotencyKey, maybe } from "./Flags.ts"

/** `sightline discover`: the questions where a brand would want to be named. */
export const discover = Command.make(
  "discover",
  {
    brand: Argument.String("brand"),
    industry: maybe("industry", "What the brand is in"),
    count: Flag.Int("count").pipe(Flag.withDescription("How many questions, 1-100; 50 by default"), Flag.optional),
    language: maybe("language", "The questions' language; en by default"),
    idempotencyKey
  },
  Effect.fnUntraced(function* ({ brand, idempotencyKey: headers, ...flags }) {
    const body: typeof DiscoverRequest.Encoded = { brand, ...given(flags) }
    yield* answerFollowing("/v1/discover", body, headers, DiscoverResponse, showDiscovered)
  })
).pipe(Command.withDescription("Find the questions where a brand would want to be named"))
