import { type FailureCode, type Platform, PlatformFailed } from "@sightline/domain/Platform"
import { sentences } from "@sightline/platforms/Sentences"

/** A platform without an answer, told in the words that customers are told for its code. */
export const failing = (platform: Platform, code: FailureCode, retryAfterSeconds?: number): PlatformFailed =>
  new PlatformFailed({
    platform,
    code,
    message: sentences[code],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds })
  })
