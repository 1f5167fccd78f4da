/**
 * Planted and seen red: a day more or less by default or at most; an empty window accepted; a date accepted that does not exist; a time
 * accepted without a zone; microseconds truncated, or read without regard to the number of digits; a year reported by the hour.
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
  ] as const)("%j has the window %s", ([query, window]) =>
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
    // How a URL decodes a plain `+`.
    [{ start: "2026-11-20T12:00 02:00" }, "start must have the `+` of its zone written as `%2B`"]
  ] as const)("%j is refused: %s", ([query, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reported(query), message)
    })
  )
})

it.effect(
  "an invalid query is refused before the clock is read, and the clock is read only if the window depends on it",
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

it.effect("a report can have a shorter maximum than a year", () =>
  Effect.gen(function* () {
    const month = Duration.days(31)
    assert.strictEqual(yield* reported({ start: "2026-10-20T10:30Z" }, month), `2026-10-20T10:30:00.000Z ${now}`)
    const refused = "start is more than 31 days before `end`"
    assert.strictEqual(yield* reported({ start: "2026-10-20T10:29:59.999Z" }, month), refused)
  })
)

it.effect("the bounds of a list have the precision of its times: microseconds", () =>
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

it.effect("the bounds of a list may be left out; like those of a report, they may not be equal", () =>
  Effect.gen(function* () {
    const { end, start } = yield* boundsOf({})
    assert.deepStrictEqual([start._tag, end._tag], ["None", "None"])
    const refused = yield* Effect.flip(boundsOf({ start: "2026-11-20", end: "2026-11-20" }))
    assert.deepStrictEqual(refused, { path: "start", message: "must be before `end`" })
  })
)
