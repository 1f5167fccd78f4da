import type { AcceptedRequest, Call, Problem, Reply, Vendor } from "@sightline/sandbox/Vendor"
import { bracketed, decodeStrictly, type Violation } from "@sightline/sandbox/Violation"
import { Result } from "effect"
import { renderContent } from "./GeminiContent.ts"
import { GeminiRequest, questionOf, searchOf } from "./GeminiRequest.ts"

const aliases = new Map([
  ["gemini-flash-latest", "gemini-3.8-flash"],
  ["gemini-pro-latest", "gemini-4-argon"],
  ["gemini-flash-lite-latest", "gemini-3.5-flash-lite"]
])
const models = (
  "gemini-3.8-flash gemini-4-argon gemini-4-carbon gemini-3.7-flash gemini-3.6-flash gemini-3.5-flash gemini-3.5-flash-lite " +
  "gemini-3.1-pro-preview gemini-3.1-flash-lite gemini-2.5-pro gemini-2.5-flash gemini-2.5-flash-lite"
).split(" ")

const decode = decodeStrictly(GeminiRequest)

const problemOf = ({ path, kind, expected }: Violation): Problem => {
  const field = bracketed(path)
  const wordings = {
    missing: `* GenerateContentRequest.${field}: ${field} is not specified`,
    unknown: `Invalid JSON payload received. Unknown name "${path.at(-1)}"${path.length > 1 ? ` at '${bracketed(path.slice(0, -1))}'` : ""}: Cannot find field.`,
    invalid: `Invalid value at '${field}': expected ${expected}`
  }
  return { status: 400, message: wordings[kind], param: field }
}

const read = ({ body, params }: Call): Result.Result<AcceptedRequest, Problem> => {
  const [, name = "", method] = /^([^:]+):(\w+)$/.exec(params["call"] ?? "") ?? []
  const version = params["version"] ?? ""
  const model = aliases.get(name) ?? name
  if (!["v1", "v1beta"].includes(version) || method !== "generateContent" || !models.includes(model)) {
    const message = `models/${name} is not found for API version ${version}, or is not supported for ${method ?? "this method"}.`
    return Result.fail({ status: 404, message })
  }
  return Result.map(Result.mapError(decode(body), problemOf), (request) => ({
    inquiry: {
      vendor: "gemini",
      model,
      question: questionOf(request),
      country: "",
      city: "",
      search: searchOf(request),
      reasons: request.generationConfig?.thinkingConfig?.thinkingBudget !== 0,
      maxTokens: request.generationConfig?.maxOutputTokens ?? 8_192
    },
    render: (composition) => renderContent(model, composition)
  }))
}

const defaults: Partial<Record<number, readonly [status: string, message: string]>> = {
  401: ["UNAUTHENTICATED", "Request had invalid authentication credentials."],
  403: ["PERMISSION_DENIED", "The caller does not have permission."],
  404: ["NOT_FOUND", "Requested entity was not found."],
  429: ["RESOURCE_EXHAUSTED", "Quota exceeded for requests per minute."],
  500: ["INTERNAL", "An internal error has occurred."],
  503: ["UNAVAILABLE", "The model is overloaded. Please try again later."],
  504: ["DEADLINE_EXCEEDED", "The request timed out."]
}

const detail = (type: string, fields: object) => ({ "@type": `type.googleapis.com/google.rpc.${type}`, ...fields })

/** What this vendor reports in the body, where others use headers. */
const detailsOf = ({ status, message, param, code, retryAfterSeconds }: Problem): ReadonlyArray<object> => [
  ...(code === undefined
    ? []
    : [
        detail("ErrorInfo", {
          reason: code,
          domain: "googleapis.com",
          metadata: { service: "generativelanguage.googleapis.com" }
        })
      ]),
  ...(param === undefined ? [] : [detail("BadRequest", { fieldViolations: [{ field: param, description: message }] })]),
  ...(status === 429
    ? [
        detail("QuotaFailure", {
          violations: [
            {
              quotaMetric: "generativelanguage.googleapis.com/generate_requests_per_model",
              quotaId: "GenerateRequestsPerMinutePerProjectPerModel",
              quotaValue: "60"
            }
          ]
        })
      ]
    : []),
  ...(retryAfterSeconds === undefined ? [] : [detail("RetryInfo", { retryDelay: `${retryAfterSeconds}s` })])
]

const reject = (problem: Problem): Reply => {
  const { status, message } = problem
  const [name, usual] =
    defaults[status] ??
    (status < 500 ? ["INVALID_ARGUMENT", "Request contains an invalid argument."] : ["UNAVAILABLE", "Unavailable."])
  const details = detailsOf(problem)
  return {
    status,
    body: {
      error: { code: status, message: message ?? usual, status: name, ...(details.length > 0 ? { details } : {}) }
    }
  }
}

/** Google's Gemini API. The vendor also accepts its key in the query. This sandbox does not, because keys do not belong in URLs. */
export const gemini: Vendor = {
  name: "gemini",
  questionPaths: ["/:version/models/:call"],
  models: {
    path: "/:version/models",
    keyless: false,
    body: {
      models: models.map((id) => ({
        name: `models/${id}`,
        version: "001",
        displayName: id,
        inputTokenLimit: 1_048_576,
        outputTokenLimit: 65_536,
        supportedGenerationMethods: ["generateContent", "countTokens"]
      }))
    }
  },
  keyOf: (headers) => headers["x-goog-api-key"] || undefined,
  missingKey: {
    status: 400,
    message: "API key not valid. Please pass a valid API key.",
    code: "API_KEY_INVALID"
  },
  malformedJson: { status: 400, message: "Invalid JSON payload received. Parsing terminated before end of input." },
  unknownPath: () => ({ status: 404 }),
  read,
  reject,
  headers: () => ({})
}
