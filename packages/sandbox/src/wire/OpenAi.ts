import {
  type AcceptedRequest,
  bearerOf,
  type Call,
  type Problem,
  type Reply,
  type Vendor
} from "@sightline/sandbox/Vendor"
import { bracketed, decodeStrictly, type Violation } from "@sightline/sandbox/Violation"
import { Result } from "effect"
import { OpenAiRequest, questionOf, searchOf } from "./OpenAiRequest.ts"
import { renderResponse } from "./OpenAiResponse.ts"

/** The vendor's data about a model: its dated snapshot, and whether it accepts a temperature. */
interface Model {
  readonly dated: string
  readonly sampling: "always" | "without reasoning" | "never"
}

const family = (sampling: Model["sampling"], ids: string): ReadonlyArray<readonly [id: string, model: Model]> =>
  ids.split(" ").map((entry) => {
    const [id = "", date = ""] = entry.split("@")
    return [id, { dated: `${id}-${date}`, sampling }]
  })

const models = new Map([
  ...family("never", "gpt-6-astra@2026-11-04 gpt-6.1-sol@2026-10-28 gpt-6.1-terra@2026-10-28 gpt-6-sol@2026-08-19"),
  ...family(
    "never",
    "gpt-6-luna@2026-08-19 gpt-5@2025-08-07 gpt-5-mini@2025-08-07 gpt-5-nano@2025-08-07 o3@2025-04-16"
  ),
  ...family("without reasoning", "gpt-5.6-sol@2026-06-03 gpt-5.6-terra@2026-06-03 gpt-5.6-luna@2026-06-03"),
  ...family(
    "without reasoning",
    "gpt-5.5@2026-04-15 gpt-5.4@2026-03-05 gpt-5.4-mini@2026-03-05 gpt-5.4-nano@2026-03-05"
  ),
  ...family("without reasoning", "gpt-5.2@2025-12-11 gpt-5.2-pro@2025-12-11 gpt-5.1@2025-11-13"),
  ...family("always", "gpt-4.1@2025-04-14 gpt-4.1-mini@2025-04-14 gpt-4o@2024-11-20 gpt-4o-mini@2024-07-18")
])

const decode = decodeStrictly(OpenAiRequest)

const wordings = {
  missing: (param: string) => ({
    message: `Missing required parameter: '${param}'.`,
    code: "missing_required_parameter"
  }),
  unknown: (param: string) => ({ message: `Unknown parameter: '${param}'.`, code: "unknown_parameter" }),
  invalid: (param: string, expected: string) => ({
    message: `Invalid value for '${param}': expected ${expected}.`,
    code: "invalid_value"
  })
}

const problemOf = ({ path, kind, expected }: Violation): Problem => {
  const param = bracketed(path)
  return { status: 400, param, ...wordings[kind](param, expected) }
}

const unsupported = (message: string, param: string): Problem => ({
  status: 400,
  message,
  param,
  code: "unsupported_parameter"
})

const read = ({ body }: Call): Result.Result<AcceptedRequest, Problem> =>
  Result.flatMap(Result.mapError(decode(body), problemOf), (request) => {
    const model = models.get(request.model.replace(/-\d{4}-\d{2}-\d{2}$/, ""))
    if (model === undefined) {
      const message = `The model \`${request.model}\` does not exist or you do not have access to it.`
      return Result.fail({ status: 404, message })
    }
    const reasons = model.sampling !== "always" && request.reasoning?.effort !== "none"
    if (typeof request.temperature === "number" && (model.sampling === "never" || reasons)) {
      return Result.fail(
        unsupported("Unsupported parameter: 'temperature' is not supported with this model.", "temperature")
      )
    }
    if (request.tool_choice === "required" && (request.tools ?? []).length === 0) {
      const message = "Tool choice 'required' must be specified with 'tools' parameter."
      return Result.fail({ status: 400, message, param: "tool_choice" })
    }
    const place = request.tools?.[0]?.user_location
    return Result.succeed({
      inquiry: {
        vendor: "openai",
        model: model.dated,
        question: questionOf(request),
        // A search without a location is made from the United States. An empty location stands for no place.
        country: place === undefined || place === null ? "US" : (place.country ?? ""),
        city: place?.city ?? "",
        search: searchOf(request),
        reasons,
        maxTokens: request.max_output_tokens ?? 16_000
      },
      render: (composition) => renderResponse(request, model.dated, composition)
    })
  })

const defaults: Partial<
  Record<number, { readonly message: string; readonly type: string; readonly code: string | null }>
> = {
  401: { message: "Incorrect API key provided.", type: "invalid_request_error", code: "invalid_api_key" },
  403: {
    message: "Country, region, or territory not supported.",
    type: "request_forbidden",
    code: "unsupported_country_region_territory"
  },
  404: { message: "Not found.", type: "invalid_request_error", code: "model_not_found" },
  429: { message: "Rate limit reached for requests.", type: "requests", code: "rate_limit_exceeded" },
  500: {
    message: "The server had an error while processing the request.",
    type: "server_error",
    code: "server_error"
  },
  503: {
    message: "The engine is currently overloaded.",
    type: "service_unavailable_error",
    code: "server_overloaded"
  }
}

const reject = ({ status, message, param, code, retryAfterSeconds }: Problem): Reply => {
  const usual =
    defaults[status] ??
    (status < 500
      ? { message: "The request is invalid.", type: "invalid_request_error", code: null }
      : { message: "The server is unavailable.", type: "server_error", code: "server_error" })
  const wait = retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }
  return {
    status,
    headers: wait,
    body: {
      error: { message: message ?? usual.message, type: usual.type, param: param ?? null, code: code ?? usual.code }
    }
  }
}

/** OpenAI's Responses API. */
export const openAi: Vendor = {
  name: "openai",
  questionPaths: ["/v1/responses"],
  models: {
    path: "/v1/models",
    keyless: false,
    body: {
      object: "list",
      data: Array.from(models.keys(), (id) => ({ id, object: "model", created: 1_793_145_600, owned_by: "system" }))
    }
  },
  keyOf: bearerOf,
  missingKey: { status: 401, message: "You didn't provide an API key in the Authorization header." },
  malformedJson: { status: 400, message: "We could not parse the JSON body of your request." },
  unknownPath: (method, path) => ({ status: 404, message: `Invalid URL (${method} ${path})`, code: "unknown_url" }),
  read,
  reject,
  headers: (requestId) => ({
    "x-request-id": `req_${requestId}`,
    "openai-processing-ms": "12",
    "x-ratelimit-limit-requests": "5000",
    "x-ratelimit-remaining-requests": "4999",
    "x-ratelimit-reset-requests": "12ms"
  })
}
