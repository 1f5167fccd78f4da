import { Schema } from "effect"

const Part = Schema.Struct({
  type: Schema.String,
  text: Schema.optionalKey(Schema.String),
  annotations: Schema.optionalKey(Schema.Array(Schema.Unknown))
})
const Message = Schema.Struct({
  type: Schema.optionalKey(Schema.Literal("message")),
  role: Schema.Literals(["user", "assistant", "system", "developer"]),
  content: Schema.Union([Schema.String, Schema.Array(Part)])
})
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))
const Tool = Schema.Struct({
  type: Schema.Literals(["web_search", "web_search_2025_08_26", "web_search_preview"]),
  search_context_size: optional(Schema.Literals(["low", "medium", "high"])),
  filters: optional(Schema.Unknown),
  user_location: optional(
    Schema.Struct({
      type: Schema.Literal("approximate"),
      country: optional(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))),
      city: optional(Schema.String),
      region: optional(Schema.String),
      timezone: optional(Schema.String)
    })
  )
})
const Choice = Schema.Union([
  Schema.Literals(["none", "auto", "required"]),
  Schema.Struct({
    type: Schema.Literals(["web_search", "web_search_preview", "allowed_tools"]),
    mode: Schema.optionalKey(Schema.Literals(["auto", "required"])),
    tools: Schema.optionalKey(Schema.Array(Schema.Unknown))
  })
])

const taken = Schema.optionalKey(Schema.Unknown)

/** The fields of `POST /v1/responses`. Fields without an effect here are accepted unchecked. */
export const OpenAiRequest = Schema.Struct({
  model: Schema.String,
  input: Schema.Union([Schema.String, Schema.NonEmptyArray(Message)]),
  instructions: optional(Schema.String),
  tools: Schema.optionalKey(Schema.Array(Tool)),
  tool_choice: Schema.optionalKey(Choice),
  max_output_tokens: optional(Schema.Int.check(Schema.isGreaterThanOrEqualTo(16))),
  temperature: optional(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
  reasoning: optional(Schema.Struct({ effort: optional(Schema.String), summary: optional(Schema.String) })),
  stream: optional(Schema.Literal(false)),
  background: taken,
  include: taken,
  max_tool_calls: taken,
  metadata: taken,
  parallel_tool_calls: taken,
  previous_response_id: taken,
  prompt_cache_key: taken,
  prompt_cache_retention: taken,
  safety_identifier: taken,
  service_tier: taken,
  store: taken,
  text: taken,
  top_logprobs: taken,
  top_p: taken,
  truncation: taken,
  user: taken
})
export type OpenAiRequest = typeof OpenAiRequest.Type

/** Whether the model may, must or cannot search. */
export const searchOf = ({ tools = [], tool_choice: choice }: OpenAiRequest) => {
  if (tools.length === 0 || choice === "none") return "off" as const
  if (choice === undefined || choice === "auto") return "offered" as const
  if (choice === "required") return "forced" as const
  return choice.type === "allowed_tools" && choice.mode !== "required" ? ("offered" as const) : ("forced" as const)
}

const contentOf = (content: (typeof Message.Type)["content"]): string =>
  typeof content === "string" ? content : content.map(({ text = "" }) => text).join("")

/** The text of all user turns. */
export const questionOf = ({ input }: OpenAiRequest): string =>
  typeof input === "string"
    ? input
    : input.flatMap(({ role, content }) => (role === "user" ? [contentOf(content)] : [])).join("\n")
