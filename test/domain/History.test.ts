/**
 * What an evidence watch remembers of its runs.
 *
 * Planted faults, each seen red:
 * - 63 or 65 runs are remembered, or the oldest 64
 * - 255 or 257 pages are remembered, or the newest 256
 * - the share of known pages is not rounded to hundredths
 * - an answer without pages has a share
 * - pages are forgotten with another aspect
 */
import { observe, startAfresh } from "@sightline/domain/History"
import type { Platform } from "@sightline/domain/Platform"
import type { WatchResult } from "@sightline/domain/Watch"
import { assert, it } from "vitest"

type History = Parameters<typeof observe>[0]

const platform: Platform = "claude_api"
const none: History = { tracks: [], pages: [] }

const cites = (...citations: ReadonlyArray<string>): WatchResult => [{ platform, present: true, rank: 1, citations }]
const at = (rank: number): WatchResult => [{ platform, present: true, rank, citations: [] }]
const times = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index))

const after = (...runs: ReadonlyArray<WatchResult>): History => runs.reduce(observe, none)

const valuesOf = ({ tracks }: History, aspect: "presence" | "place" | "source") =>
  tracks.find((track) => track.aspect === aspect)?.values

/** The state after twelve runs, which is how many it takes to learn pages. */
const learnt = after(...Array.from({ length: 12 }, () => cites("a", "b", "c")))

it("remembers the latest 64 runs", () => {
  const ranks = Array.from({ length: 70 }, (_, index) => index + 1)
  assert.deepStrictEqual(valuesOf(after(...ranks.map(at)), "place"), ranks.slice(6))
})

it("knows the first 256 pages of a platform", () => {
  const pages = times(300, (index) => `page ${index}`)
  const known = (...runs: ReadonlyArray<WatchResult>) => after(...runs).pages[0]?.known ?? []
  const first = known(cites(...pages.slice(0, 256)))
  assert.lengthOf(first, 256)
  assert.deepStrictEqual(known(cites(...pages.slice(0, 200)), cites(...pages.slice(200))), first)
})

it("the share of known pages is rounded to hundredths, and is null where an answer cites no page", () => {
  const shareOf = (...pages: ReadonlyArray<string>) => valuesOf(observe(learnt, cites(...pages)), "source")?.at(-1)
  assert.strictEqual(shareOf("a", "x", "y"), 0.33)
  assert.strictEqual(shareOf("a", "b", "x"), 0.67)
  assert.strictEqual(shareOf("a", "b"), 1)
  assert.strictEqual(shareOf("x"), 0)
  assert.isNull(shareOf())
})

it("a page that many runs cite is remembered once", () => {
  const thirty = times(30, (index) => `page ${index}`)
  const runs = [...Array.from({ length: 11 }, () => cites(...thirty)), cites("new")]
  assert.lengthOf(after(...runs).pages[0]?.known ?? [], 31)
})

it("there is no share in the twelve runs that pages are learnt from", () => {
  assert.deepStrictEqual(
    valuesOf(learnt, "source"),
    Array.from({ length: 12 }, () => null)
  )
  assert.deepStrictEqual(valuesOf(observe(learnt, cites("a")), "source")?.slice(11), [null, 1])
})

it("only the given platforms start afresh", () => {
  const both = Array.from({ length: 12 }, (): WatchResult => [
    ...cites("a"),
    { platform: "gemini_api", present: true, rank: 1, citations: ["b"] }
  ])
  const { tracks, pages } = startAfresh(after(...both), "source", [platform], 3)
  assert.deepStrictEqual(
    pages.map((one) => one.platform),
    ["gemini_api"]
  )
  assert.deepStrictEqual(
    tracks.filter(({ aspect }) => aspect === "source").map((track) => [track.platform, track.values.length]),
    [
      [platform, 0],
      ["gemini_api", 12]
    ]
  )
})

it("pages stay known when presence or place starts afresh, and are learnt anew when the source does", () => {
  for (const aspect of ["presence", "place"] as const) {
    const { tracks, pages } = startAfresh(learnt, aspect, [platform], 3)
    assert.deepStrictEqual(pages, learnt.pages)
    for (const track of tracks) assert.lengthOf(track.values, track.aspect === aspect ? 3 : 12)
  }
  const { tracks, pages } = startAfresh(learnt, "source", [platform], 3)
  assert.deepStrictEqual(pages, [])
  for (const track of tracks) assert.lengthOf(track.values, track.aspect === "source" ? 0 : 12)
})
