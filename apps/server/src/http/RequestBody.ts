import { ByteSize, Effect, Result, Schema } from "effect"
import { HttpIncomingMessage, type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { fieldIssues, pathOf } from "@sightline/contract/FieldIssues"
import type { FieldIssue } from "@sightline/contract/Problem"
import { refuse, refuseField, refuseFields } from "./Refusal.ts"
import type { Responding } from "./Respond.ts"

/** Maximum nesting of a body. The deepest valid one has four levels; a thousand levels would crash recursive code. */
const depthMax = 32

/** Maximum number of object members in a body. */
const membersMax = 2000

/** Maximum size of a body. The largest valid one, an ask with every character escaped, has 87 KiB. */
const bodyBytesMax = ByteSize.kibibytes(128)

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Why a text is refused before `JSON.parse` builds anything, if it is. Linear; the contents of strings are ignored. */
const excessIn = (text: string): string | undefined => {
  let depth = 0
  let members = 0
  let inString = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (inString) {
      if (unit === 0x5c) i++
      else if (unit === 0x22) inString = false
    } else if (unit === 0x22) inString = true
    else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > depthMax) return `is nested deeper than ${depthMax} levels`
    } else if (unit === 0x7d || unit === 0x5d) depth--
    else if (unit === 0x3a && ++members > membersMax) return `has more than ${membersMax} members`
  }
  return undefined
}

// Strings, with the colon after those that are names, the brackets of objects and lists, and commas.
const tokens = /("(?:[^"\\]|\\.)*")([ \t\r\n]*:)?|[{}[\],]/g

/** An object or a list of a JSON text: the names so far, of an object only, and the place in it of what follows. */
interface Level {
  readonly names: Set<string> | undefined
  at: string | number
}

/** The path of the first name that an object in a JSON text has twice. */
const repeatedIn = (text: string): ReadonlyArray<PropertyKey> | undefined => {
  const levels: Array<Level> = []
  for (const [token, written = "", colon] of text.matchAll(tokens)) {
    const level = levels.at(-1)
    if (token === "{") levels.push({ names: new Set(), at: "" })
    else if (token === "[") levels.push({ names: undefined, at: 0 })
    else if (token === "}" || token === "]") levels.pop()
    else if (token === "," && typeof level?.at === "number") level.at++
    else if (level?.names !== undefined && colon !== undefined) {
      const name: string = JSON.parse(written)
      level.at = name
      if (level.names.has(name)) return levels.map(({ at }) => at)
      level.names.add(name)
    }
  }
  return undefined
}

/** Refuses a body as a whole: 400 `invalid_request`. */
export const refuseBody = (message: string) => refuseField({ path: "", message })

// JSON defines no parameters, so any are accepted, except a charset other than UTF-8.
const mediaType =
  /^application\/json[ \t]*(?:;[ \t]*(?:(?:charset="?utf-?8"?|(?!charset=)[\w.+-]+=(?:[\w.+/-]+|"[^"\\]*"))[ \t]*)?)*$/i

const parse = (bytes: ArrayBuffer): Result.Result<unknown, FieldIssue> => {
  const failed = (message: string) => Result.fail({ path: "", message })
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return failed("is not valid UTF-8")
  }
  const excess = excessIn(text)
  if (excess !== undefined) return failed(excess)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return failed("is not valid JSON")
  }
  // `JSON.parse` keeps the last of two members with one name; a proxy or a log that read the body before may have kept the first.
  const repeated = repeatedIn(text)
  return repeated === undefined
    ? Result.succeed(value)
    : Result.fail({ path: pathOf(repeated), message: "is given more than once" })
}

/** The answer to an oversized body, whose rest is not read. */
const tooLarge = refuse(413, "request_failed", "The body is larger than 128 KiB.", {
  headers: { connection: "close" }
})

/** Whether the declared length of a body is too large. Then a client that sent `Expect: 100-continue` gets the refusal instead. */
const isDeclaredTooLarge = ({ headers }: HttpServerRequest.HttpServerRequest): boolean =>
  Number(headers["content-length"] ?? 0) > bodyBytesMax

const bytesOf = (request: HttpServerRequest.HttpServerRequest) =>
  Effect.result(Effect.provideService(request.arrayBuffer, HttpIncomingMessage.MaxBodySize, bodyBytesMax))

/** Whether a request has no body at all. A body of undeclared length must be read to see whether it is empty. */
export const isBodiless = (request: HttpServerRequest.HttpServerRequest): Effect.Effect<boolean> =>
  request.headers["transfer-encoding"] === undefined
    ? Effect.succeed((request.headers["content-length"] ?? "0") === "0")
    : Effect.map(bytesOf(request), (bytes) => Result.isSuccess(bytes) && bytes.success.byteLength === 0)

/** The value that was read, or the refusal to send instead. */
export type OrRefusal<A> = Effect.Effect<Result.Result<A, HttpServerResponse.HttpServerResponse>>

/**
 * Reads the body of a request as JSON, or answers why it cannot.
 *
 * Laws: an accepted body is well-formed UTF-8, at most 128 KiB and at most 32 levels deep, has at most 2,000 object members, and no
 * object in it has the same name twice.
 * Errors: the refusal to send: 400 `invalid_request`, 413 or 415 `request_failed`.
 */
export const readJson: (request: HttpServerRequest.HttpServerRequest) => OrRefusal<unknown> = Effect.fnUntraced(
  function* (request) {
    if (!mediaType.test(request.headers["content-type"] ?? ""))
      return Result.fail(
        yield* refuse(415, "request_failed", "Send the body as application/json; no charset but utf-8 is read.")
      )
    if ((request.headers["content-encoding"] ?? "identity").toLowerCase() !== "identity")
      return Result.fail(yield* refuse(415, "request_failed", "Send the body without a content encoding."))
    if (isDeclaredTooLarge(request)) return Result.fail(yield* tooLarge)
    const bytes = yield* bytesOf(request)
    if (Result.isFailure(bytes)) return Result.fail(yield* tooLarge)
    // All bodies that arrived in this turn of the event loop are handled in the next one, one after another (decision 19).
    yield* Effect.yieldNow
    const parsed = parse(bytes.success)
    return Result.isSuccess(parsed) ? Result.succeed(parsed.success) : Result.fail(yield* refuseField(parsed.failure))
  }
)

/**
 * Decodes JSON with exactly a schema's fields, or answers which fields are wrong: 400 `invalid_request`, with further
 * `details`.
 */
export const decodeJson = <S extends Schema.Decoder<unknown>>(
  schema: S,
  details?: Readonly<Record<string, unknown>>
): ((json: unknown) => OrRefusal<S["Type"]>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })
  return (json) => {
    const decoded = decode(json)
    return Result.isSuccess(decoded)
      ? Effect.succeed(Result.succeed(decoded.success))
      : Effect.map(refuseFields(fieldIssues(decoded.failure.issue), details), Result.fail)
  }
}

type Decode<Body> = (json: unknown) => OrRefusal<Body>
type Use<Body, E, R> = (body: Body) => Responding<E, R>

const useBody = Effect.fnUntraced(function* <Body, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  decode: Decode<Body>,
  use: Use<Body, E, R>
) {
  const json = yield* readJson(request)
  if (Result.isFailure(json)) return json.failure
  const body = yield* decode(json.success)
  return Result.isFailure(body) ? body.failure : yield* use(body.success)
})

/** Runs `use` with the decoded body of the request, or answers why it cannot. */
export const withBody =
  <Body, E, R>(decode: Decode<Body>, use: Use<Body, E, R>) =>
  (request: HttpServerRequest.HttpServerRequest) =>
    useBody(request, decode, use)
