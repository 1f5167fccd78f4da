import { type FailureCode, type Platform, PlatformFailed } from "@sightline/domain/Platform"

/** The message for customers for each code. It never contains text from an upstream. */
const sentences: Readonly<Record<FailureCode, string>> = {
  provider_error: "The provider gave no usable answer.",
  provider_timeout: "The provider did not answer in time.",
  provider_rate_limited: "The provider is limiting our requests.",
  provider_auth_failed: "The provider did not accept our credentials or the model is not available to us.",
  provider_unavailable: "The provider is unavailable.",
  request_unsupported: "The provider does not take this combination of parameters or this length.",
  json_schema_not_supported: "The provider has no structured output.",
  upstream_unavailable: "The surface is unavailable.",
  upstream_rate_limited: "The surface is limiting our requests.",
  upstream_timeout: "The surface did not answer in time.",
  surface_unavailable_in_region: "The surface is not offered in this region."
}

/** The failure of a platform, with the message that customers get for its code. */
export const platformFailed = (
  platform: Platform,
  code: FailureCode,
  more: Partial<Pick<PlatformFailed, "retryAfterSeconds" | "ending" | "lost" | "unasked">> = {}
): PlatformFailed => new PlatformFailed({ platform, code, message: sentences[code], ...more })
