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

/** A surface gave no answer. `waitSeconds` is what it asked for where it limits us. */
export const surfaceFailed = (platform: LiveSurface, ending: CaptureEnding, waitSeconds?: number): PlatformFailed => {
  const code = codeOf(ending)
  const isLimited = code === "upstream_rate_limited" && waitSeconds !== undefined
  return platformFailed(platform, code, { ending, ...(isLimited && { retryAfterSeconds: waitSeconds }) })
}
