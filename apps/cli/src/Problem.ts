import { Option, Schema } from "effect"
import { sentence } from "@sightline/contract/FieldIssues"
import { FieldIssue } from "@sightline/contract/Problem"
import { Refused, Unanswered } from "./Failure.ts"

const Details = Schema.Struct({
  issues: Schema.optionalKey(Schema.Array(FieldIssue)),
  topup_url: Schema.optionalKey(Schema.String)
})

/** The problems of the contract, with the fields that are shown to people. For an announced mode, the `error` of a check is a string. */
const Problem = Schema.Union([
  Schema.Struct({
    error: Schema.Struct({ code: Schema.String, message: Schema.String, details: Schema.optionalKey(Details) })
  }),
  Schema.Struct({ error: Schema.String, message: Schema.String, available_modes: Schema.Array(Schema.String) })
])

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Problem))

const explain = (message: string, details: typeof Details.Type): string => {
  const others = (details.issues ?? []).slice(1).map(sentence)
  const more = [...others, details.topup_url ?? ""].filter((part) => part !== "")
  return more.length === 0 ? message : [message.replace(/\.$/, ""), ...more].join("; ")
}

/** Reads a refusal. A response that is not from the API, such as a proxy's page, counts as no answer. */
export const refusalOf = (status: number, body: string): Refused | Unanswered => {
  const problem = decode(body)
  if (Option.isNone(problem)) return new Unanswered({ message: `the answer ${status} is not the API's` })
  const { value } = problem
  if (!("available_modes" in value)) {
    const { code, message, details } = value.error
    return new Refused({ status, code, message: explain(message, details ?? {}), body })
  }
  return new Refused({ status, code: value.error, message: value.message, body })
}
