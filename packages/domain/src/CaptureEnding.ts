import { Schema } from "effect"

/**
 * How one capture of a platform ended, as operators count it; finer than the code a customer sees.
 *
 * Shape: `no_answer` is a success of a live surface that showed none; `container_empty` means that an answer was there and
 * could not be read, which must never pass for an absence.
 */
export const CaptureEnding = Schema.Literals([
  "ok",
  "no_answer",
  "captcha",
  "challenge",
  "login_wall",
  "region",
  "container_empty",
  "parse_error",
  "timeout",
  "rate_limited",
  "proxy_error",
  "refused",
  "unavailable"
])
export type CaptureEnding = typeof CaptureEnding.Type
