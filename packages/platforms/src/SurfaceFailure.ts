import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { FailureCode, LiveSurface, PlatformFailed } from "@sightline/domain/Platform"
import { platformFailed } from "./PlatformFailure.ts"

const codes: Partial<Record<CaptureEnding, FailureCode>> = {
  captcha: "upstream_rate_limited",
  challenge: "upstream_rate_limited",
  rate_limited: "upstream_rate_limited",
  timeout: "upstream_timeout",
  region: "surface_unavailable_in_region"
}

/** What a customer is told of a surface's capture that ended like this. Source: contract, "Provider-level codes"; decisions, C7. */
export const codeOf = (ending: CaptureEnding): FailureCode => codes[ending] ?? "upstream_unavailable"

/** How a capture ended that is known by its code only. */
export const endingOf = (code: FailureCode): CaptureEnding => {
  switch (code) {
    case "provider_timeout":
    case "upstream_timeout":
      return "timeout"
    case "provider_rate_limited":
    case "upstream_rate_limited":
      return "rate_limited"
    case "provider_auth_failed":
    case "request_unsupported":
      return "refused"
    case "surface_unavailable_in_region":
      return "region"
    default:
      return "unavailable"
  }
}

/** The least pause before a surface that limits us is asked again. Source: contract, `upstream_rate_limited`. */
const restSeconds = 30

/** A surface gave no answer. `waitSeconds` is what the upstream itself asked for. */
export const surfaceFailed = (platform: LiveSurface, ending: CaptureEnding, waitSeconds = 0): PlatformFailed => {
  const code = codeOf(ending)
  return platformFailed(platform, code, {
    ending,
    ...(code === "upstream_rate_limited" && { retryAfterSeconds: Math.max(restSeconds, waitSeconds) })
  })
}
