/**
 * Planted and seen red: a day more or less by default or at most; a window of nothing let through; a day that is on no calendar; the
 * moment of a text without a zone.
 */
import { assert, describe, it } from "@effect/vitest"
import { boundsOf, windowOf } from "@sightline/server/handlers/Window"
import { DateTime, Effect, Result } from "effect"

const now = "2026-11-20T10:30:00.000Z"

const reported = (query: { readonly start?: string; readonly end?: string }) =>
  Effect.map(Effect.result(windowOf(query, Effect.succeed(DateTime.makeUnsafe(now)))), (result) =>
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
    [{ end: "yesterday" }, "end must be an ISO 8601 date, or a moment with its zone"]
  ] as const)("%j is refused: %s", ([query, message]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* reported(query), message)
    })
  )
})

it.effect("the bounds of a list may be open, and end where they begin as little as a report's", () =>
  Effect.gen(function* () {
    const { end, start } = yield* boundsOf({})
    assert.deepStrictEqual([start._tag, end._tag], ["None", "None"])
    const refused = yield* Effect.flip(boundsOf({ start: "2026-11-20", end: "2026-11-20" }))
    assert.deepStrictEqual(refused, { path: "start", message: "must be before `end`" })
  })
)
