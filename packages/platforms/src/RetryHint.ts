import { Option } from "effect"

const units: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 }

/** A Go-style duration (`6m0s`, `1.84s`, `12ms`) in milliseconds; none for any other text, or for numbers of more than nine digits. */
const goDuration = (text: string): Option.Option<number> => {
  if (text.length > 40 || !/^(?:\d{1,9}(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return Option.none()
  let total = 0
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)) {
    total += Number(amount) * (units[unit ?? ""] ?? 0)
  }
  return Option.some(total)
}

const plainNumber = (text: string): Option.Option<number> =>
  /^\d{1,12}(?:\.\d+)?$/.test(text) ? Option.some(Number(text)) : Option.none()

/** An HTTP date in epoch milliseconds; none for any other text. */
const httpDate = (text: string): Option.Option<number> => {
  const at = /^[A-Z][a-z]{2}, [\w :]{20,24}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? Option.none() : Option.some(at)
}

/** The longest hint that is passed on. A longer one is cut to it: beyond a day, the exact time does not matter. */
const longestMillis = 86_400_000

/**
 * How long an upstream asks to be left alone, in milliseconds, or none when it does not say.
 *
 * Shape: header names are in lower case; `retryDelay` is Google's `RetryInfo`, found in the body; `now` is epoch
 * milliseconds, for a date of an upstream that does not state its own time in `date`. `limited` says that the request was refused
 * because of a limit: the reset headers are on every response, and apply only to limits.
 * Laws: never negative, at most a day. The most exact statement wins: `retry-after-ms`, `retry-after`, the body, the reset headers.
 */
export const retryHint = (
  headers: Readonly<Record<string, string | undefined>>,
  retryDelay: string | undefined,
  now: number,
  limited: boolean
): Option.Option<number> => {
  const header = (name: string, read: (text: string) => Option.Option<number>): Option.Option<number> => {
    const text = headers[name]?.trim()
    return text === undefined ? Option.none() : read(text)
  }
  const seconds = (text: string) => Option.map(plainNumber(text), (value) => value * 1000)
  // The upstream's date is compared with its own clock: ours may differ by hours.
  const untilDate = (text: string) =>
    Option.map(httpDate(text), (at) => Math.max(0, at - Option.getOrElse(header("date", httpDate), () => now)))
  return header("retry-after-ms", plainNumber).pipe(
    Option.orElse(() => header("retry-after", (text) => Option.orElse(seconds(text), () => untilDate(text)))),
    Option.orElse(() => (retryDelay === undefined ? Option.none() : goDuration(retryDelay))),
    Option.orElse(() => {
      const resets = (limited ? ["requests", "tokens"] : []).flatMap((budget) =>
        Option.toArray(header(`x-ratelimit-reset-${budget}`, goDuration))
      )
      return resets.length === 0 ? Option.none() : Option.some(Math.max(...resets))
    }),
    Option.map((wait) => Math.min(Math.ceil(wait), longestMillis))
  )
}
