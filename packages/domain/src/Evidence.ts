import { Schema } from "effect"
import { observe, Pages, startAfresh, Track } from "./History.ts"
import { type ChangeTest, changeTests, median, presentValues, share, type SplitTrack } from "./ChangeTest.ts"
import type { Platform } from "./Platform.ts"
import { Trigger, type WatchResult } from "./Watch.ts"

/** What a watch keeps of its runs to distinguish a change from noise: bounded, and stored with the watch. */
export const EvidenceState = Schema.Struct({ tracks: Schema.Array(Track), pages: Schema.Array(Pages) })
export type EvidenceState = typeof EvidenceState.Type

/** What a watch knows before its first run. */
export const noEvidence: EvidenceState = { tracks: [], pages: [] }

/** The usual place of the brand on a platform, and its place since; null where it is not named. */
interface Places {
  readonly platform: Platform
  readonly fromRank: number | null
  readonly toRank: number | null
}

/**
 * A change that the noise of the watch's own earlier runs does not explain.
 *
 * Shape: `places` are the platforms that show it. Rates are averages over the answers of `runsSeen` earlier runs and of the `runsSince`
 * latest: for mentions how many name the brand, for rank how many have it beyond its usual place, for citations how many of their pages
 * were known.
 * Units: rates 0–1; `confidence` is 1 minus the probability that noise alone shows as much in one test of the watch.
 */
export interface Finding {
  readonly trigger: Trigger
  readonly places: ReadonlyArray<Places>
  readonly baselineRate: number
  readonly recentRate: number
  readonly runsSeen: number
  readonly runsSince: number
  readonly confidence: number
}

/**
 * The greatest probability of noise at which a change is reported. It is higher for a watch of one platform, which has fewer tests, and
 * whose few answers seldom yield a small probability. `docs/evidence.md` says what this costs and what it finds.
 */
const chanceMax = { one: 4e-4, several: 1e-4 }

const isConcerned = ({ answersBefore, signsBefore, answersSince, signsSince }: SplitTrack): boolean =>
  share(signsSince, answersSince) > share(signsBefore, answersBefore)

const placesOf = (tracks: ReadonlyArray<Track>, { sign, runsSince }: ChangeTest, side: SplitTrack): Places => {
  const { platform } = side.track
  const values = tracks.find((track) => track.platform === platform && track.aspect === "place")?.values ?? []
  const before = presentValues(values.slice(0, -runsSince))
  const since = presentValues(values.slice(-runsSince))
  // Only places beyond the usual one have moved: their median is never that of the runs before.
  const moved = sign.aspect === "place" ? since.filter((value) => sign.shows(value, side.usual)) : since
  const isNamed = (places: ReadonlyArray<number>, not: Trigger) => places.length > 0 && sign.trigger !== not
  return {
    platform,
    fromRank: isNamed(before, "mention_added") ? median(before) : null,
    toRank: isNamed(moved, "mention_removed") ? median(moved) : null
  }
}

/** The rate of a sign over answers; for other aspects than places the average of the values, which are shares themselves. */
const rateOf = (
  { sign }: ChangeTest,
  sides: ReadonlyArray<SplitTrack>,
  values: (track: Track) => Track["values"],
  counted: (side: SplitTrack) => readonly [signs: number, answers: number]
): number => {
  if (sign.aspect === "place") {
    const counts = sides.map(counted)
    const sum = (place: 0 | 1) => counts.reduce((all, count) => all + count[place], 0)
    return share(sum(0), sum(1))
  }
  const all = sides.flatMap(({ track }) => presentValues(values(track)))
  return share(
    all.reduce((sum, value) => sum + value, 0),
    all.length
  )
}

const findingOf = (tracks: ReadonlyArray<Track>, test: ChangeTest): Finding => {
  const { sign, sides, runsSeen, runsSince, chance } = test
  const concerned = sides.filter(isConcerned)
  return {
    trigger: sign.trigger,
    places: concerned.map((side) => placesOf(tracks, test, side)),
    baselineRate: rateOf(
      test,
      concerned,
      ({ values }) => values.slice(0, -runsSince),
      ({ signsBefore, answersBefore }) => [signsBefore, answersBefore]
    ),
    recentRate: rateOf(
      test,
      concerned,
      ({ values }) => values.slice(-runsSince),
      ({ signsSince, answersSince }) => [signsSince, answersSince]
    ),
    runsSeen,
    runsSince,
    confidence: 1 - chance
  }
}

/**
 * Adds a run to the state of a watch and finds the changes beyond noise, at most one for each trigger and in their order. The runs before a
 * change are then dropped: the change is the new baseline and is found once.
 *
 * Laws: a run without answers changes nothing and finds nothing; equal runs never find anything.
 * Source: decisions W5; the figures and their assumptions are in `docs/evidence.md`.
 */
export const weigh = (
  state: EvidenceState,
  result: WatchResult
): { readonly state: EvidenceState; readonly findings: ReadonlyArray<Finding> } => {
  if (result.length === 0) return { state, findings: [] }
  const seen = observe(state, result)
  const platforms = new Set(seen.tracks.map(({ platform }) => platform))
  const most = platforms.size === 1 ? chanceMax.one : chanceMax.several
  const tests = changeTests(seen.tracks).filter(({ chance }) => chance <= most)
  const clearest = Trigger.literals.flatMap((trigger) =>
    tests
      .filter(({ sign }) => sign.trigger === trigger)
      .toSorted((a, b) => a.chance - b.chance)
      .slice(0, 1)
  )
  return {
    state: clearest.reduce<EvidenceState>((kept, { sign, sides, runsSince }) => {
      const platforms = sides.map(({ track }) => track.platform)
      return startAfresh(kept, sign.aspect, platforms, runsSince)
    }, seen),
    findings: clearest.map((test) => findingOf(seen.tracks, test))
  }
}
