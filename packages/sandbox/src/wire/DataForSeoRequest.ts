import { Result, Schema } from "effect"
import type { CaptureRequest, Problem } from "@sightline/sandbox/Vendor"
import { decodeStrictly, dotted, type Violation } from "@sightline/sandbox/Violation"

const keywordUpTo = (length: number) => Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(length))

const common = {
  location_code: Schema.Int,
  language_code: Schema.String,
  tag: Schema.optionalKey(Schema.String)
}

const device = {
  device: Schema.optionalKey(Schema.Literals(["desktop", "mobile"])),
  os: Schema.optionalKey(Schema.Literals(["windows", "macos", "android", "ios"]))
}

const search = { keyword: keywordUpTo(700), ...common, ...device }

const chat = { keyword: keywordUpTo(2000), ...common }

const decoders = {
  chatgpt_live: decodeStrictly(Schema.Struct({ ...chat, force_web_search: Schema.optionalKey(Schema.Boolean) })),
  gemini_live: decodeStrictly(Schema.Struct(chat)),
  ai_overview: decodeStrictly(Schema.Struct({ ...search, load_async_ai_overview: Schema.optionalKey(Schema.Boolean) })),
  ai_mode: decodeStrictly(Schema.Struct(search)),
  bing_copilot: decodeStrictly(Schema.Struct(search))
}

/** The surfaces that this vendor captures. */
export type Seen = keyof typeof decoders

const countries: ReadonlyMap<number, string> = new Map([
  [2840, "US"],
  [2826, "GB"],
  [2124, "CA"],
  [2036, "AU"]
])

/** A refusal of a field, with the vendor's code and message. */
export const invalidField = (field: string): Problem => ({
  status: 200,
  code: "40501",
  message: `Invalid Field: '${field}'.`
})

const violated = ({ kind, path }: Violation): Problem =>
  kind === "unknown"
    ? { status: 200, code: "40506", message: `Unknown Fields in POST Data: '${dotted(path)}'.` }
    : invalidField(dotted(path))

const escaped = /(?:%[0-9a-f]{2})+/gi

/** The vendor reads a keyword like a part of an address: `+` is a blank and `%2B` a plus. */
const decoded = (keyword: string): string =>
  keyword.replaceAll("+", " ").replace(escaped, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })

/** The question and country of one task. A live endpoint accepts a list of exactly one task. */
export const readTask = (surface: Seen, body: unknown): Result.Result<CaptureRequest, Problem> => {
  if (!Array.isArray(body) || body.length === 0) {
    return Result.fail({ status: 200, code: "40503", message: "POST Data Is Invalid." })
  }
  if (body.length > 1)
    return Result.fail({ status: 200, code: "40000", message: "You can set only one task at a time." })
  return Result.flatMap(Result.mapError(decoders[surface](body[0]), violated), ({ keyword, location_code }) => {
    const country = countries.get(location_code)
    return country === undefined
      ? Result.fail(invalidField("location_code"))
      : Result.succeed({ question: decoded(keyword), country })
  })
}
