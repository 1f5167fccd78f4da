import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { type CheckRequest, CheckResponse, RequestedMode } from "@sightline/contract/CheckApi"
import { Provider } from "@sightline/contract/PlatformName"
import { Region } from "@sightline/domain/Region"
import { answerFollowing } from "./Answer.ts"
import { showCheck } from "./CheckShow.ts"
import { given, idempotencyKey, maybe, maybeOneOf, models, several } from "./Flags.ts"

/** `sightline check`: whether, where and in what words engines name a brand. Exits with 0 whether or not the brand is mentioned. */
export const check = Command.make(
  "check",
  {
    query: Argument.String("query").pipe(Argument.withDescription("The question to ask, 1-500 characters")),
    brand: Flag.String("brand").pipe(Flag.withDescription("The brand to look for, 1-100 characters")),
    mode: maybeOneOf("mode", RequestedMode.literals, "What is asked; quick by default"),
    providers: several("provider", Provider.literals, "quick: a platform to ask; all four by default"),
    region: maybeOneOf("region", Region.literals, "Where the question is asked from; us by default"),
    city: maybe("city", "quick: a city, for ChatGPT and Claude"),
    models,
    include: several("include", ["branding", "raw"], "branding: the sites cited, raw: each answer in full"),
    idempotencyKey
  },
  Effect.fnUntraced(function* ({ query, brand, idempotencyKey: headers, ...flags }) {
    const body: typeof CheckRequest.Encoded = { query, brand, ...given(flags) }
    yield* answerFollowing("/v1/check", body, headers, CheckResponse, showCheck)
  })
).pipe(Command.withDescription("Ask engines a question and see whether, where and how they name a brand"))
