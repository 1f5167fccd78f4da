import type { BucketName } from "@sightline/contract/AdminApi"
import { modeNamed, NamedMode } from "@sightline/contract/CheckApi"

/**
 * The bucket of a check whose body may be wrong in other fields: that of its mode, or `default` if the body has no valid
 * mode. Source: decisions R0.
 */
export const checkBucketOf = (json: unknown): BucketName => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return "default"
  const requested = "mode" in json ? json.mode : "quick"
  const name = NamedMode.literals.find((one) => one === requested)
  return name === undefined ? "default" : `check:${modeNamed(name)}`
}
