import {
  type AcceptedRequest,
  bearerOf,
  type Call,
  type Problem,
  type Reply,
  type Vendor
} from "@sightline/sandbox/Vendor"
import { decodeStrictly, dotted, type Violation } from "@sightline/sandbox/Violation"
import { Result } from "effect"
import { renderMessage } from "./AnthropicMessage.ts"
import { AnthropicRequest, continues, questionOf, searchOf } from "./AnthropicRequest.ts"

/** What a model accepts: `sampling` with the old API version, and `forcing` a tool. `thinks`: it reasons without being asked to. */
interface Abilities {
  readonly sampling: boolean
  readonly forcing: boolean
  readonly thinks: boolean
}

const family = (abilities: Abilities, names: string): ReadonlyArray<readonly [id: string, abilities: Abilities]> =>
  names.split(" ").map((name) => [`claude-${name}`, abilities])

const models = new Map([
  ...family({ sampling: false, forcing: false, thinks: true }, "sonnet-5-5 opus-5-5 fable-5-2 fable-5-1 fable-5"),
  ...family({ sampling: false, forcing: true, thinks: false }, "haiku-5-5 sonnet-5 opus-5 opus-4-8 opus-4-7"),
  ...family({ sampling: true, forcing: true, thinks: false }, "opus-4-6 sonnet-4-6 haiku-4-5 opus-4-5 sonnet-4-5")
])

const ids = Array.from(models.keys())

const decode = decodeStrictly(AnthropicRequest)

const invalid = (message: string): Problem => ({ status: 400, message })

const problemOf = ({ path, kind, expected }: Violation): Problem => {
  const wordings = {
    missing: "Field required",
    unknown: "Extra inputs are not permitted",
    invalid: `Input should be ${expected}`
  }
  return invalid(`${dotted(path)}: ${wordings[kind]}`)
}

/** The first field that this model or API version does not accept, although the body is well formed. */
const refusalOf = (request: AnthropicRequest, abilities: Abilities, version: string): Problem | undefined => {
  const sampled = (["temperature", "top_p", "top_k"] as const).find((name) => request[name] !== undefined)
  if (sampled !== undefined && version !== "2023-06-01") return invalid(`${sampled}: Extra inputs are not permitted`)
  if (sampled !== undefined && !abilities.sampling) return invalid(`${sampled}: not supported by ${request.model}`)
  const thinking = abilities.thinks || !["disabled", undefined].includes(request.thinking?.type)
  if (searchOf(request) === "forced" && (!abilities.forcing || thinking)) {
    return invalid("tool_choice: this model cannot be forced to use a tool")
  }
  return abilities.thinks && request.thinking?.type === "disabled"
    ? invalid(`thinking.type: "disabled" is not supported by ${request.model}`)
    : undefined
}

const read = ({ body, headers }: Call): Result.Result<AcceptedRequest, Problem> => {
  const version = headers["anthropic-version"]
  if (version === undefined) return Result.fail(invalid("anthropic-version: header is required"))
  return Result.flatMap(Result.mapError(decode(body), problemOf), (request) => {
    const abilities = models.get(request.model.replace(/-\d{8}$/, ""))
    if (abilities === undefined) return Result.fail({ status: 404, message: `model: ${request.model}` })
    const refusal = refusalOf(request, abilities, version)
    if (refusal !== undefined) return Result.fail(refusal)
    const place = request.tools?.[0]?.user_location
    return Result.succeed({
      inquiry: {
        vendor: "anthropic",
        model: request.model,
        question: questionOf(request),
        country: place?.country ?? "",
        city: place?.city ?? "",
        search: searchOf(request),
        reasons: abilities.thinks || !["disabled", undefined].includes(request.thinking?.type),
        maxTokens: request.max_tokens
      },
      render: (composition) => renderMessage(request.model, composition, continues(request))
    })
  })
}

const defaults: Partial<Record<number, readonly [type: string, message: string]>> = {
  401: ["authentication_error", "invalid bearer token"],
  402: ["billing_error", "Your credit balance is too low."],
  403: ["permission_error", "Your API key does not have permission to use the specified resource."],
  404: ["not_found_error", "Not found"],
  413: ["request_too_large", "Request exceeds the maximum size"],
  429: ["rate_limit_error", "Requests per minute limit exceeded."],
  500: ["api_error", "Internal server error"],
  504: ["timeout_error", "Request timed out"],
  529: ["overloaded_error", "Overloaded"]
}

const reject = ({ status, message, retryAfterSeconds }: Problem, requestId: string): Reply => {
  const [type, usual] =
    defaults[status] ??
    (status < 500 ? ["invalid_request_error", "Invalid request"] : ["api_error", "Internal server error"])
  return {
    status,
    headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    body: { type: "error", error: { type, message: message ?? usual }, request_id: `req_01${requestId}` }
  }
}

/** Anthropic's Messages API. */
export const anthropic: Vendor = {
  name: "anthropic",
  questionPaths: ["/v1/messages"],
  models: {
    path: "/v1/models",
    keyless: false,
    body: {
      data: ids.map((id) => ({
        type: "model",
        id,
        display_name: id,
        created_at: "2026-10-21T00:00:00Z",
        lifecycle: "active",
        capabilities: { server_tools: { web_search: { supported: true } } }
      })),
      has_more: false,
      first_id: ids.at(0),
      last_id: ids.at(-1)
    }
  },
  keyOf: (headers) => headers["x-api-key"] || bearerOf(headers),
  missingKey: { status: 401, message: "x-api-key header is required" },
  malformedJson: invalid("The request body is not valid JSON."),
  unknownPath: () => ({ status: 404 }),
  read,
  reject,
  headers: (requestId) => ({
    "request-id": `req_01${requestId}`,
    "anthropic-ratelimit-requests-limit": "1000",
    "anthropic-ratelimit-requests-remaining": "999"
  })
}
