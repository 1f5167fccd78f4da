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

/** The code that customers get for a surface's capture with this ending. Source: contract, "Provider-level codes"; decisions, C7. */
export const codeOf = (ending: CaptureEnding): FailureCode => codes[ending] ?? "upstream_unavailable"

/** The ending of a capture of which only the code is known. */
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

/** The failure of a surface without an answer. `waitSeconds` is the wait that it asks for; it counts only for rate limits. */
export const surfaceFailed = (platform: LiveSurface, ending: CaptureEnding, waitSeconds?: number): PlatformFailed => {
  const code = codeOf(ending)
  const isLimited = code === "upstream_rate_limited" && waitSeconds !== undefined
  return platformFailed(platform, code, { ending, ...(isLimited && { retryAfterSeconds: waitSeconds }) })
}
