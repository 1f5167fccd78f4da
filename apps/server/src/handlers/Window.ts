import { DateTime, Duration, Effect, Option } from "effect"
import type { FieldIssue } from "@sightline/contract/Problem"

/** The period of a report: `start` is included, `end` is not. */
interface Window {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

/** The default window of a report. Source: decisions U1. */
const windowDefault = Duration.days(30)

/** The longest window: a leap year. Even with hourly buckets a report stays below 9,000 of them. */
export const windowMax = Duration.days(366)

const isoMoment = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3}(\d{0,3}))?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** A point in time in a query. Units: `micros` are microseconds since 1970, the resolution of the times of checks. */
interface Bound {
  readonly at: DateTime.Utc
  readonly micros: number
}

/** The point in time that a text names. The day must exist: a `Date` would turn 30 February into a day in March. */
const momentIn = (text: string): Option.Option<Bound> => {
  const [, day = "", finer = ""] = isoMoment.exec(text) ?? []
  const exists = Option.exists(DateTime.make(day), (date) => DateTime.formatIsoDateUtc(date) === day)
  if (!exists) return Option.none()
  return Option.map(DateTime.make(text), (moment) => ({
    at: DateTime.toUtc(moment),
    micros: DateTime.toEpochMillis(moment) * 1000 + Number(finer.padEnd(3, "0"))
  }))
}

/** What is wrong with a text that names no point in time. A plain `+` in a URL is decoded as a space. */
const misread = (text: string): string =>
  Option.isSome(momentIn(text.replace(" ", "+")))
    ? "must have the `+` of its zone written as `%2B`"
    : "must be an ISO 8601 date, or a moment with its zone"

/** The point in time in a field of a query; none if the field is absent. */
const momentOf = (path: "start" | "end", text: string | undefined) =>
  text === undefined
    ? Effect.succeed(Option.none<Bound>())
    : Effect.mapError(Effect.asSome(Effect.fromOption(momentIn(text))), (): FieldIssue => ({
        path,
        message: misread(text)
      }))

const misplaced = (message: string) => Effect.fail<FieldIssue>({ path: "start", message })

/** The window in a query. Shape: `start` and `end` are the texts in the query. */
interface Bounds {
  readonly start?: string
  readonly end?: string
}

/**
 * The bounds of a query, either of which may be absent. Errors: a bound that is not a point in time, or a start that is not
 * before the end.
 */
export const boundsOf = Effect.fnUntraced(function* (query: Bounds) {
  const end = yield* momentOf("end", query.end)
  const start = yield* momentOf("start", query.start)
  if (Option.isSome(start) && Option.isSome(end) && start.value.micros >= end.value.micros)
    return yield* misplaced("must be before `end`")
  return { start, end }
})

const fitting = Effect.fnUntraced(function* ({ start, end }: Window, longest: Duration.Duration) {
  if (DateTime.isGreaterThanOrEqualTo(start, end)) return yield* misplaced("must be before `end`")
  if (Duration.isGreaterThan(DateTime.distance(start, end), longest))
    return yield* misplaced(`is more than ${Duration.toDays(longest)} days before \`end\``)
  const window: Window = { start, end }
  return window
})

/** A window, or what is wrong with it. */
export type FoundWindow = Effect.Effect<Window, FieldIssue>

/**
 * The window of a report, as an effect that is run after the rate limit: by default 30 days up to now.
 *
 * Shape: the effect reads the clock, which is the database's, only if the query names no end. So a refused request costs no statement.
 * Errors: those of the bounds; a start that is not before the end; a window above the longest. If the end is now, the last two are
 * errors of the returned effect.
 */
export const windowOf = Effect.fnUntraced(function* (
  query: Bounds,
  now: Effect.Effect<DateTime.Utc>,
  longest: Duration.Duration = windowMax
) {
  const bounds = yield* boundsOf(query)
  const until = (end: DateTime.Utc) => {
    const start = Option.match(bounds.start, {
      onNone: () => DateTime.subtractDuration(end, windowDefault),
      onSome: ({ at }) => at
    })
    return fitting({ start, end }, longest)
  }
  if (Option.isNone(bounds.end)) return Effect.flatMap(now, until)
  return Effect.succeed(yield* until(bounds.end.value.at))
})
