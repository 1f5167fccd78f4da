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
import { PerplexityRequest, questionOf, searchOf } from "./PerplexityRequest.ts"
import { renderAgentResponse } from "./PerplexityResponse.ts"

const models = ["perplexity/sonar"]

const decode = decodeStrictly(PerplexityRequest)

const problemOf = ({ path, kind, expected }: Violation): Problem => {
  const param = bracketed(path)
  const wordings = {
    missing: `${param} is required`,
    unknown: `invalid request body: json: unknown field "${path.at(-1)}"`,
    invalid: `invalid value for ${param}: expected ${expected}`
  }
  return {
    status: 400,
    message: wordings[kind],
    param,
    code: kind === "invalid" ? "invalid_parameter" : "invalid_request"
  }
}

const read = ({ body }: Call): Result.Result<AcceptedRequest, Problem> =>
  Result.flatMap(Result.mapError(decode(body), problemOf), (request) => {
    if (!models.includes(request.model)) {
      return Result.fail({ status: 400, message: `Invalid model: ${request.model}`, code: "invalid_model" })
    }
    const place = request.tools?.[0]?.user_location
    return Result.succeed({
      inquiry: {
        vendor: "perplexity",
        model: request.model,
        question: questionOf(request),
        country: place?.country ?? "",
        city: place?.city ?? "",
        search: searchOf(request),
        reasons: false,
        maxTokens: request.max_output_tokens ?? 8_000
      },
      render: (composition) => renderAgentResponse(request, composition)
    })
  })

const defaults: Partial<Record<number, readonly [type: string, message: string]>> = {
  401: ["invalid_api_key", "Invalid API key provided."],
  403: ["forbidden", "Access denied."],
  413: ["payload_too_large", "Request body is too large."],
  429: ["request_rate_limit_exceeded", "Request rate limit exceeded, please try again later."],
  500: ["internal_error", "Internal server error"],
  502: ["bad_gateway", "Bad gateway"],
  504: ["gateway_timeout", "Gateway timeout"]
}

const reject = ({ status, message, param, code, retryAfterSeconds }: Problem): Reply => {
  const [type, usual] =
    defaults[status] ??
    (status < 500 ? ["invalid_request", "Invalid request"] : ["internal_error", "Internal server error"])
  return {
    status,
    headers: retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) },
    body: {
      error: {
        message: message ?? usual,
        type: code ?? type,
        code: status,
        ...(param === undefined ? {} : { param })
      }
    }
  }
}

/** Perplexity's Agent API, including the alias that its own client calls. */
export const perplexity: Vendor = {
  name: "perplexity",
  questionPaths: ["/v1/agent", "/v1/responses"],
  models: {
    path: "/v1/models",
    keyless: true,
    body: { object: "list", data: models.map((id) => ({ id, object: "model", created: 0, owned_by: "perplexity" })) }
  },
  keyOf: bearerOf,
  missingKey: { status: 401 },
  malformedJson: { status: 400, message: "invalid request body: unexpected end of JSON input" },
  unknownPath: () => ({ status: 404, message: "Not found" }),
  read,
  reject,
  headers: (requestId) => ({ "x-request-id": `pplx-${requestId}` })
}
