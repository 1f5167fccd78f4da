/**
 * Planted and seen red: a day more or less by default or at most; a window of nothing let through; a day that is on no calendar; the
 * moment of a text without a zone; microseconds cut off, or read by their number; a year by the hour.
 */
import { assert, describe, it } from "@effect/vitest"
import { boundsOf, windowOf } from "@sightline/server/handlers/Window"
import { DateTime, Duration, Effect, Exit, Option, Result } from "effect"

const now = "2026-11-20T10:30:00.000Z"

const reported = (query: { readonly start?: string; readonly end?: string }, longest?: Duration.Duration) =>
  Effect.map(
    Effect.result(Effect.flatten(windowOf(query, Effect.succeed(DateTime.makeUnsafe(now)), longest))),
    (result) =>
      Result.match(result, {
        onFailure: ({ message, path }) => `${path} ${message}`,
        onSuccess: ({ end, start }) => `${DateTime.formatIso(start)} ${DateTime.formatIso(end)}`
      })
  )

describe("a report", () => {
  it.effect.each([
    [{}, `2026-10-21T10:30:00.000Z ${now}`],
    [{ start: "2026-11-01" }, `2026-11-01T00:00:00.000Z ${now}`],
    [{ end: "2026-11-01" }, "2026-10-02T00:00:00.000Z 2026-11-01T00:00:00.000Z"],
    [{ start: "2025-11-19", end: "2026-11-20" }, "2025-11-19T00:00:00.000Z 2026-11-20T00:00:00.000Z"],
    [
      { start: "2026-11-20T12:00+02:00", end: "2026-11-20T10:00:00.001Z" },
      "2026-11-20T10:00:00.000Z 2026-11-20T10:00:00.001Z"
    ]
  ] as const)("%j is about %s", ([query, window]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reported(query), window)
    })
  )

  it.effect.each([
    [{ start: "2025-11-19", end: "2026-11-20T00:00:00.001Z" }, "start is more than 366 days before `end`"],
    [{ start: "2026-11-20", end: "2026-11-20" }, "start must be before `end`"],
    [{ start: now }, "start must be before `end`"],
    [{ start: "2026-02-30" }, "start must be an ISO 8601 date, or a moment with its zone"],
    [{ end: "2026-11-20T10:00" }, "end must be an ISO 8601 date, or a moment with its zone"],
    [{ end: "yesterday" }, "end must be an ISO 8601 date, or a moment with its zone"],
    [{ end: "2026-11-20 10:00" }, "end must be an ISO 8601 date, or a moment with its zone"],
    // What a URL says by a plain `+`.
    [{ start: "2026-11-20T12:00 02:00" }, "start must have the `+` of its zone written as `%2B`"]
  ] as const)("%j is refused: %s", ([query, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reported(query), message)
    })
  )
})

it.effect(
  "a report is refused for what its query says before the clock is read, and read no sooner than it is needed",
  () =>
    Effect.gen(function* () {
      const clock = Effect.die("read")
      for (const query of [{ start: "2026-02-30" }, { end: "yesterday" }, { start: "2025-11-19", end: "2026-11-21" }])
        assert.isTrue(Result.isFailure(yield* Effect.result(windowOf(query, clock))))
      const window = yield* windowOf({ start: "2026-11-01", end: "2026-11-02" }, clock)
      assert.strictEqual(DateTime.formatIso((yield* window).end), "2026-11-02T00:00:00.000Z")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(yield* windowOf({}, clock))))
    })
)

it.effect("a report may be of less than a year at most", () =>
  Effect.gen(function* () {
    const month = Duration.days(31)
    assert.strictEqual(yield* reported({ start: "2026-10-20T10:30Z" }, month), `2026-10-20T10:30:00.000Z ${now}`)
    const refused = "start is more than 31 days before `end`"
    assert.strictEqual(yield* reported({ start: "2026-10-20T10:29:59.999Z" }, month), refused)
  })
)

it.effect("the bounds of a list are as fine as the moments it shows", () =>
  Effect.gen(function* () {
    const second = "2026-11-20T10:00:00"
    for (const [fraction, micros] of Object.entries({
      "": 0,
      ".4": 400_000,
      ".4950": 495_000,
      ".49501": 495_010,
      ".495016": 495_016
    })) {
      const { end } = yield* boundsOf({ end: `${second}${fraction}Z` })
      assert.strictEqual(Option.getOrThrow(end).micros, Date.UTC(2026, 10, 20, 10) * 1000 + micros)
    }
    const within = yield* boundsOf({ start: `${second}.495015Z`, end: `${second}.495016Z` })
    assert.isTrue(Option.isSome(within.start))
    const refused = yield* Effect.flip(boundsOf({ start: `${second}.495016Z`, end: `${second}.495016Z` }))
    assert.deepStrictEqual(refused, { path: "start", message: "must be before `end`" })
  })
)

it.effect("the bounds of a list may be open, and end where they begin as little as a report's", () =>
  Effect.gen(function* () {
    const { end, start } = yield* boundsOf({})
    assert.deepStrictEqual([start._tag, end._tag], ["None", "None"])
    const refused = yield* Effect.flip(boundsOf({ start: "2026-11-20", end: "2026-11-20" }))
    assert.deepStrictEqual(refused, { path: "start", message: "must be before `end`" })
  })
)
