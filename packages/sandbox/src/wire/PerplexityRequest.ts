import { Schema } from "effect"

const taken = Schema.optionalKey(Schema.Unknown)
const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

const Message = Schema.Struct({
  type: Schema.Literal("message"),
  role: Schema.Literals(["user", "assistant", "system", "developer"]),
  content: Schema.Union([Schema.String, Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.String }))])
})

const WebSearch = Schema.Struct({
  type: Schema.Literal("web_search"),
  search_context_size: Schema.optionalKey(Schema.Literals(["low", "medium", "high"])),
  filters: taken,
  max_tokens: taken,
  max_tokens_per_page: taken,
  user_location: optional(
    Schema.Struct({
      country: optional(Schema.String.check(Schema.isPattern(/^[A-Z]{2}$/))),
      region: optional(Schema.String),
      city: optional(Schema.String),
      latitude: optional(Schema.Finite),
      longitude: optional(Schema.Finite)
    })
  )
})

/** The fields of `POST /v1/agent`. */
export const PerplexityRequest = Schema.Struct({
  model: Schema.String,
  input: Schema.Union([Schema.String, Schema.NonEmptyArray(Message)]),
  instructions: Schema.optionalKey(Schema.String),
  tools: Schema.optionalKey(Schema.Array(WebSearch)),
  tool_choice: Schema.optionalKey(
    Schema.Union([Schema.Literals(["none", "auto", "required"]), Schema.Struct({ type: Schema.Literal("web_search") })])
  ),
  max_output_tokens: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(16))),
  temperature: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
  stream: Schema.optionalKey(Schema.Literal(false)),
  background: taken,
  language_preference: taken,
  max_steps: taken,
  metadata: taken,
  previous_response_id: taken,
  profile: taken,
  reasoning: taken,
  response_format: taken,
  store: taken,
  top_p: taken
})
export type PerplexityRequest = typeof PerplexityRequest.Type

/** The text of all user turns. */
export const questionOf = ({ input }: PerplexityRequest): string =>
  typeof input === "string"
    ? input
    : input
        .flatMap(({ role, content }) =>
          role !== "user" ? [] : typeof content === "string" ? [content] : content.map(({ text }) => text)
        )
        .join("\n")

/** Whether the model may, must or cannot search. Without a tool it cannot. */
export const searchOf = ({ tools = [], tool_choice: choice }: PerplexityRequest) => {
  if (tools.length === 0 || choice === "none") return "off" as const
  return choice === undefined || choice === "auto" ? ("offered" as const) : ("forced" as const)
}
