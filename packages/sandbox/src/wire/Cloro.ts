import { Result, Schema } from "effect"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { bearerOf, type CaptureRequest, type CaptureService, type Problem, type Reply } from "@sightline/sandbox/Vendor"
import { decodeStrictly, dotted, type Violation } from "@sightline/sandbox/Violation"
import { resultOf, type Seen } from "./CloroResult.ts"

const countries = ["US", "GB", "CA", "AU", "DE", "FR"] as const

const flag = Schema.optionalKey(Schema.Boolean)
const question = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(10_000))
const place = { country: Schema.optionalKey(Schema.Literals(countries)), state: Schema.optionalKey(Schema.String) }
const formats = { markdown: flag, html: flag, rawResponse: flag }

const plainPrompt = decodeStrictly(
  Schema.Struct({ prompt: question, ...place, include: Schema.optionalKey(Schema.Struct(formats)) })
)

const chatPrompt = decodeStrictly(
  Schema.Struct({
    prompt: question,
    ...place,
    include: Schema.optionalKey(Schema.Struct({ ...formats, searchQueries: flag, ads: flag, shopping: flag }))
  })
)

const searchQuery = decodeStrictly(
  Schema.Struct({
    query: question,
    ...place,
    device: Schema.optionalKey(Schema.Literals(["desktop", "mobile"])),
    include: Schema.optionalKey(
      Schema.Struct({ html: flag, aioverview: Schema.optionalKey(Schema.Struct({ markdown: flag })) })
    )
  })
)

const invalid = (field: string, message: string): Problem => ({ status: 400, param: field, message })

const violated = ({ expected, path }: Violation): Problem =>
  invalid(dotted(path), `Invalid value, expected ${expected}`)

const read = (surface: Seen, body: unknown): Result.Result<CaptureRequest, Problem> => {
  if (surface === "ai_overview") {
    return Result.mapBoth(searchQuery(body), {
      onFailure: violated,
      onSuccess: ({ country = "US", query }) => ({ question: query, country })
    })
  }
  const prompt = surface === "chatgpt_live" ? chatPrompt(body) : plainPrompt(body)
  return Result.mapBoth(prompt, {
    onFailure: violated,
    onSuccess: ({ country = "US", prompt }) => ({ question: prompt, country })
  })
}

/** The vendor's own code and words for an HTTP status. */
const byStatus: ReadonlyMap<number, readonly [code: string, message: string]> = new Map([
  [401, ["MISSING_API_KEY", "Missing or invalid API key"]],
  [403, ["INSUFFICIENT_CREDITS", "Insufficient credits"]],
  [404, ["NOT_FOUND", "Route not found"]],
  [429, ["CONCURRENT_LIMIT_EXCEEDED", "Concurrent request limit exceeded"]],
  [502, ["BAD_GATEWAY", "External service error"]]
])

const reject = ({ code, message, param, retryAfterSeconds, status }: Problem): Reply => {
  const headers = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }
  if (param !== undefined) {
    const details = [{ field: param, message }]
    return { status, headers, body: { success: false, error: "Request validation failed", details } }
  }
  const [own, words] = byStatus.get(status) ?? ["INTERNAL_SERVER_ERROR", "Internal server error"]
  const error = { code: code ?? own, message: message ?? words, timestamp: "2026-11-21T10:00:00.000Z" }
  return { status, headers, body: { success: false, error } }
}

const report = (surface: Seen, scene: Scene): Reply => {
  switch (scene.ending?.kind) {
    case "captcha":
      return reject({ status: 429 })
    case "region":
      return reject(invalid("country", "Country is not supported for this model"))
    case "login_wall":
      return reject({ status: 403, code: "INSUFFICIENT_PERMISSIONS", message: "Insufficient permissions" })
    default:
      return {
        status: 200,
        headers: { "x-credits-charged": "5", "x-credits-remaining": "995" },
        body: { success: true, result: scene.ending?.kind === "broken" ? "<html>" : resultOf(surface, scene) }
      }
  }
}

/** cloro: its synchronous endpoints for five of the six surfaces. */
export const cloro: CaptureService<Seen> = {
  name: "cloro",
  surfaces: [
    ["/v1/monitor/perplexity", "perplexity_live"],
    ["/v1/monitor/chatgpt", "chatgpt_live"],
    ["/v1/monitor/gemini", "gemini_live"],
    ["/v1/monitor/aimode", "ai_mode"],
    ["/v1/monitor/google", "ai_overview"]
  ],
  keyOf: bearerOf,
  missingKey: { status: 401 },
  malformedJson: invalid("body", "Invalid JSON"),
  unknownPath: { status: 404 },
  read,
  report,
  reject
}
