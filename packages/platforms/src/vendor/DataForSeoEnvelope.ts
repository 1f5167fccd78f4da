import { Option, Result, Schema } from "effect"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { type Fault, type Refusal, surfaceFault } from "@sightline/platforms/Fault"
import { fitting, fittingOrNull, maybe } from "@sightline/platforms/Tolerant"

const Outcome = Schema.Struct({ status_code: Schema.Int, status_message: maybe(Schema.String) })

const decodeEnvelope = Schema.decodeUnknownOption(
  Schema.Struct({ ...Outcome.fields, tasks: Schema.optionalKey(Schema.Unknown) })
)

const tasksIn = fitting(Schema.Struct({ ...Outcome.fields, result: Schema.optionalKey(Schema.Unknown) }))

const succeeded = 20_000
const noResults = 40_102

/**
 * What each status code of the vendor means here; a code that is not listed is `unavailable`.
 * Source: DataForSEO, "Errors"; upstream reference, section 10.1.
 */
const endings: ReadonlyMap<number, CaptureEnding> = new Map([
  ...[40_100, 40_104, 40_200, 40_201, 40_203, 40_204, 40_207, 40_210].map((code) => [code, "refused"] as const),
  ...[40_501, 40_502, 40_503, 40_506].map((code) => [code, "refused"] as const),
  ...[40_202, 40_205, 40_206, 40_209].map((code) => [code, "rate_limited"] as const),
  [40_505, "region"],
  ...[50_401, 50_402].map((code) => [code, "timeout"] as const)
])

/** The task failed on the vendor's side and should be sent again. */
const resubmit = 40_103

const namesPlace = /location|language/i

const faultOf = ({ status_code, status_message }: typeof Outcome.Type): Fault => {
  const misplaced = status_code === 40_501 && namesPlace.test(status_message ?? "")
  const ending = misplaced ? "region" : (endings.get(status_code) ?? "unavailable")
  // Only an operator can resolve a refusal of the account or of the request.
  return surfaceFault(ending, `${status_code}`, { alarm: ending === "refused", transient: status_code === resubmit })
}

/** The fault that the envelope of a response with an HTTP error states. */
export const refusal = ({ body }: Refusal): Option.Option<Fault> =>
  Option.flatMap(decodeEnvelope(body), (envelope) =>
    envelope.status_code === succeeded ? Option.none() : Option.some(faultOf(envelope))
  )

/** The first element of a list of results, of any kind. */
const firstOf = (list: unknown): Option.Option<unknown> =>
  Array.isArray(list) && list.length > 0 ? Option.some(list[0]) : Option.none()

const unreadable = (detail: string): Result.Result<never, Fault> => Result.fail(surfaceFault("parse_error", detail))

/**
 * The one result in a response; none if the search engine had no results at all.
 *
 * Errors: the status code is checked on both levels, because the HTTP status is 200 for nearly everything.
 */
export const resultIn = (body: unknown): Result.Result<Option.Option<unknown>, Fault> => {
  const envelope = Option.getOrUndefined(decodeEnvelope(body))
  if (envelope === undefined) return unreadable("envelope")
  const [task] = tasksIn(envelope.tasks)
  const stated = envelope.status_code === succeeded ? task : envelope
  if (stated === undefined) return unreadable("no_task")
  if (stated.status_code === noResults) return Result.succeedNone
  if (stated.status_code !== succeeded) return Result.fail(faultOf(stated))
  const result = firstOf(task?.result)
  return Option.isNone(result) ? unreadable("no_result") : Result.succeed(result)
}

/** Reads a result of the given shape; a result of another shape is `parse_error`. */
export const shapedAs = <S extends Schema.ConstraintDecoder<unknown>>(shape: S) => {
  const read = fittingOrNull(shape)
  return (result: unknown): Result.Result<NonNullable<S["Type"]>, Fault> => {
    const value = read(result)
    return value === null || value === undefined ? unreadable("result") : Result.succeed(value)
  }
}
