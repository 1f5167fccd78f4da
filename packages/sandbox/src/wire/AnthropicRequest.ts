import { Schema } from "effect"

const Block = Schema.StructWithRest(Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) }), [
  Schema.Record(Schema.String, Schema.Unknown)
])
const Content = Schema.Union([Schema.String, Schema.NonEmptyArray(Block)])
const taken = Schema.optionalKey(Schema.Unknown)
const share = Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })))

const WebSearch = Schema.Struct({
  type: Schema.Literals(["web_search_20250305", "web_search_20260209", "web_search_20260318"]),
  name: Schema.Literal("web_search"),
  max_uses: Schema.optionalKey(Schema.NullOr(Schema.Int)),
  user_location: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        type: Schema.Literal("approximate"),
        country: Schema.optionalKey(Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/)))),
        city: Schema.optionalKey(Schema.NullOr(Schema.String)),
        region: Schema.optionalKey(Schema.NullOr(Schema.String)),
        timezone: Schema.optionalKey(Schema.NullOr(Schema.String))
      })
    )
  ),
  allowed_domains: taken,
  blocked_domains: taken,
  allowed_callers: taken,
  response_inclusion: taken,
  cache_control: taken
})

/** The fields of `POST /v1/messages`. Sampling fields are accepted here and refused later, where the version or model forbids them. */
export const AnthropicRequest = Schema.Struct({
  model: Schema.String,
  max_tokens: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  messages: Schema.NonEmptyArray(Schema.Struct({ role: Schema.Literals(["user", "assistant"]), content: Content })),
  system: Schema.optionalKey(Content),
  thinking: Schema.optionalKey(
    Schema.Struct({
      type: Schema.Literals(["enabled", "disabled", "adaptive", "between_tools"]),
      budget_tokens: Schema.optionalKey(Schema.Int)
    })
  ),
  tools: Schema.optionalKey(Schema.Array(WebSearch)),
  tool_choice: Schema.optionalKey(
    Schema.Struct({
      type: Schema.Literals(["auto", "any", "tool", "none"]),
      name: Schema.optionalKey(Schema.String),
      disable_parallel_tool_use: Schema.optionalKey(Schema.Boolean)
    })
  ),
  temperature: share,
  top_p: share,
  top_k: Schema.optionalKey(Schema.Int),
  stream: Schema.optionalKey(Schema.Literal(false)),
  cache_control: taken,
  container: taken,
  inference_geo: taken,
  metadata: taken,
  output_config: taken,
  service_tier: taken,
  speed: taken,
  stop_sequences: taken
})
export type AnthropicRequest = typeof AnthropicRequest.Type

/** The text of all user turns. */
export const questionOf = ({ messages }: AnthropicRequest): string =>
  messages
    .flatMap(({ role, content }) =>
      role === "assistant" ? [] : typeof content === "string" ? [content] : content.map(({ text = "" }) => text)
    )
    .join("\n")

/** Whether the model may, must or cannot search. */
export const searchOf = ({ tools = [], tool_choice: choice }: AnthropicRequest) => {
  if (tools.length === 0 || choice?.type === "none") return "off" as const
  return choice?.type === "any" || choice?.type === "tool" ? ("forced" as const) : ("offered" as const)
}

/** Whether the conversation ends with a paused turn that the caller has sent back to be continued. */
export const continues = ({ messages }: AnthropicRequest): boolean => messages.at(-1)?.role === "assistant"
