import type { FailureCode } from "@sightline/domain/Platform"
import type { Outcome } from "@sightline/domain/Proration"

const failures = {
  provider_error: "It answered with an error.",
  provider_timeout: "It did not answer in time.",
  provider_rate_limited: "It is being asked too often at the moment.",
  provider_auth_failed: "Sightline has no valid access to it.",
  provider_unavailable: "It could not be reached.",
  request_unsupported: "Its model does not take a setting of this request.",
  json_schema_not_supported: "Its model cannot answer in the form that was asked for.",
  upstream_unavailable: "The page could not be captured.",
  upstream_rate_limited: "The page is being captured too often at the moment.",
  upstream_timeout: "The page did not show an answer in time.",
  surface_unavailable_in_region: "It is not offered in this region."
} as const satisfies Record<FailureCode, string>

/** Why a platform gave no answer, for people. */
export const failureText = (code: FailureCode): string => failures[code]

/** The outcome of one question of a call, for people; null while it is not known. */
export const outcomeText = (outcome: Outcome | null): string => {
  if (outcome === null) return "Not known yet."
  if (outcome === "ok") return "Answered."
  return outcome === "cached" ? "Answered from cache." : failures[outcome]
}
