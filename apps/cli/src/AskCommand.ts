import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { AskRequest } from "@sightline/contract/AskApi"
import { AskProvider } from "@sightline/contract/AskResult"
import { answer, answerFollowing } from "./Answer.ts"
import { AskAnswer, AskFound, showAsk, showFound } from "./AskShow.ts"
import { customer } from "./Connection.ts"
import { responseMode } from "./Exchange.ts"
import { given, id, idempotencyKey, maybe, maybeOneOf, models, several } from "./Flags.ts"

const get = Command.make(
  "get",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.ask.find({ params, responseMode }), AskFound, showFound)
  })
).pipe(Command.withDescription("Show an ask of the last 30 days, or its status"))

const number = <A>(flag: Flag.Flag<A>, description: string) =>
  flag.pipe(Flag.withDescription(description), Flag.optional)

/** `sightline ask`: put a prompt to LLM providers, at once or queued. */
export const ask = Command.make(
  "ask",
  {
    prompt: Argument.String("prompt").pipe(Argument.withDescription("1-480 characters")),
    system_message: maybe("system-message", "A system message for every provider"),
    providers: several("provider", AskProvider.literals, "A provider to ask; all four by default"),
    model: models,
    temperature: number(Flag.Finite("temperature"), "0 to 2"),
    max_tokens: number(Flag.Int("max-tokens"), "1 to 8000"),
    track_brands: Flag.String("track-brand").pipe(
      Flag.withDescription("A brand to look for in the answers; may be given several times"),
      Flag.atLeast(0)
    ),
    web_search: Flag.Boolean("web-search").pipe(
      Flag.withDefault(true),
      Flag.withDescription("Whether providers search the web; --no-web-search is cheaper and has no citations")
    ),
    country: maybe("country", "ISO 3166-1 alpha-2"),
    cache_scope: maybeOneOf("cache-scope", ["shared", "private"], "Whose cache may answer; shared by default"),
    mode: maybeOneOf("mode", ["live", "standard"], "standard is queued and 30 % cheaper; live by default"),
    async: Flag.Boolean("async").pipe(
      Flag.withDefault(false),
      Flag.withoutNegation,
      Flag.withDescription("Queue the ask and have its answer delivered to --webhook-id")
    ),
    webhook_id: maybe("webhook-id", "The registered endpoint that receives the answer"),
    idempotencyKey
  },
  Effect.fnUntraced(function* (flags) {
    const { prompt, track_brands, web_search, async, temperature, max_tokens, idempotencyKey: headers, ...rest } = flags
    const params = given({ temperature, max_tokens })
    const body: typeof AskRequest.Encoded = { prompt, ...given(rest), params, track_brands, web_search, async }
    yield* answerFollowing("/v1/ask", body, headers, AskAnswer, showAsk(track_brands))
  })
).pipe(
  Command.withDescription("Put a prompt to LLM providers, at once or queued (for new work, use check)"),
  Command.withSubcommands([get])
)
