import { Schema } from "effect"
import { hash32 } from "./Hash.ts"
import { Platform } from "./Platform.ts"
import type { Showing, WatchResult } from "./Watch.ts"

/** What is tracked of a platform from run to run: whether it names the brand, where, and whether it cites known pages. */
const Aspect = Schema.Literals(["presence", "place", "source"])

/**
 * One aspect of one platform over the latest runs, the newest last; null where the run does not say.
 *
 * Units: presence 0 or 1; place the rank; source the share of cited pages that are known, 0–1.
 */
export const Track = Schema.Struct({
  platform: Platform,
  aspect: Aspect,
  values: Schema.Array(Schema.NullOr(Schema.Finite))
})
export type Track = typeof Track.Type

/** The pages that a platform cited in its first runs, as hashes: those that count as known in later runs. */
export const Pages = Schema.Struct({ platform: Platform, runs: Schema.Int, known: Schema.Array(Schema.Int) })
type Pages = typeof Pages.Type

interface History {
  readonly tracks: ReadonlyArray<Track>
  readonly pages: ReadonlyArray<Pages>
}

/** The most runs that are kept. */
const runsMax = 64

/**
 * The number of first runs whose cited pages become known. Later runs are all measured against these pages, so that they are comparable.
 */
const learningRuns = 12

/** The most pages that are kept of each platform. */
const pagesMax = 256

const hashesOf = ({ citations }: Showing): ReadonlyArray<number> => citations.map(hash32)

const learn = (pages: Pages | undefined, showing: Showing): Pages => {
  const { runs, known } = pages ?? { runs: 0, known: [] }
  const { platform } = showing
  if (runs >= learningRuns || showing.citations.length === 0) return { platform, runs, known }
  return { platform, runs: runs + 1, known: [...new Set([...known, ...hashesOf(showing)])].slice(0, pagesMax) }
}

/** The share of an answer's pages that are known, to two decimal places; null while pages are learnt, and where none is cited. */
const familiarity = (pages: Pages | undefined, showing: Showing): number | null => {
  if (pages === undefined || pages.runs < learningRuns || showing.citations.length === 0) return null
  const known = new Set(pages.known)
  const hashes = hashesOf(showing)
  return Math.round((100 * hashes.filter((hash) => known.has(hash)).length) / hashes.length) / 100
}

const valueOf = (aspect: Track["aspect"], showing: Showing, pages: Pages | undefined): number | null => {
  if (aspect === "presence") return showing.present ? 1 : 0
  return aspect === "place" ? showing.rank : familiarity(pages, showing)
}

/** The history with one more run. */
export const observe = ({ tracks, pages }: History, result: WatchResult): History => {
  const shown = new Map(result.map((showing) => [showing.platform, showing]))
  const pagesOf = (platform: Platform) => pages.find((one) => one.platform === platform)
  const platforms = new Set([...tracks.map(({ platform }) => platform), ...shown.keys()])
  return {
    tracks: [...platforms].flatMap((platform) =>
      Aspect.literals.map((aspect) => {
        const values = tracks.find((track) => track.platform === platform && track.aspect === aspect)?.values ?? []
        const showing = shown.get(platform)
        const value = showing === undefined ? null : valueOf(aspect, showing, pagesOf(platform))
        return { platform, aspect, values: [...values, value].slice(-runsMax) }
      })
    ),
    pages: [...platforms].flatMap((platform) => {
      const showing = shown.get(platform)
      const before = pagesOf(platform)
      if (showing !== undefined) return [learn(before, showing)]
      return before === undefined ? [] : [before]
    })
  }
}

/** The history with one aspect of some platforms cut to its latest runs. Of `source` nothing is kept, and known pages are learnt again. */
export const startAfresh = (
  { tracks, pages }: History,
  aspect: Track["aspect"],
  platforms: ReadonlyArray<Platform>,
  runs: number
): History => {
  const kept = aspect === "source" ? 0 : runs
  return {
    tracks: tracks.map((track) =>
      track.aspect === aspect && platforms.includes(track.platform)
        ? { ...track, values: kept === 0 ? [] : track.values.slice(-kept) }
        : track
    ),
    pages: aspect === "source" ? pages.filter(({ platform }) => !platforms.includes(platform)) : pages
  }
}
