import { Schema } from "effect"
import { observe, Pages, startAfresh, Track } from "./History.ts"
import { type Look, looksAt, median, said, share, type Side } from "./Look.ts"
import type { Platform } from "./Platform.ts"
import { Trigger, type WatchResult } from "./Watch.ts"

/** What a watch remembers of its runs to tell a change from its noise: bounded, and stored with the watch. */
export const EvidenceState = Schema.Struct({ tracks: Schema.Array(Track), pages: Schema.Array(Pages) })
export type EvidenceState = typeof EvidenceState.Type

/** What a watch knows before its first run. */
export const noEvidence: EvidenceState = { tracks: [], pages: [] }

/** Where the brand usually stood on a platform and where it stands since; null where it is not named. */
interface Places {
  readonly platform: Platform
  readonly fromRank: number | null
  readonly toRank: number | null
}

/**
 * A change that the noise of the watch's own earlier runs does not explain.
 *
 * Shape: `places` holds the platforms on which it shows. Rates are averages over the answers of `runsSeen` earlier runs and of the
 * `runsSince` latest: for mentions how many name the brand, for rank how many have it beyond its usual place, for citations
 * how many of their pages were known.
 * Units: rates 0–1; `confidence` is 1 - the chance that as much comes of noise in one look at the watch.
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
 * The chance up to which noise is no explanation. A watch of one platform is looked at less often than one of several, and of its
 * few answers few chances are small. What it costs and what it finds is in `docs/evidence.md`.
 */
const chanceMax = { one: 4e-4, several: 1e-4 }

const isConcerned = ({ answersBefore, signsBefore, answersSince, signsSince }: Side): boolean =>
  share(signsSince, answersSince) > share(signsBefore, answersBefore)

const placesOf = (tracks: ReadonlyArray<Track>, { sign, runsSince }: Look, side: Side): Places => {
  const { platform } = side.track
  const values = tracks.find((track) => track.platform === platform && track.aspect === "place")?.values ?? []
  const before = said(values.slice(0, -runsSince))
  const since = said(values.slice(-runsSince))
  // What moved are the places beyond the usual one: their middle is never that of the runs before.
  const moved = sign.aspect === "place" ? since.filter((value) => sign.shows(value, side.usual)) : since
  const isNamed = (places: ReadonlyArray<number>, not: Trigger) => places.length > 0 && sign.trigger !== not
  return {
    platform,
    fromRank: isNamed(before, "mention_added") ? median(before) : null,
    toRank: isNamed(moved, "mention_removed") ? median(moved) : null
  }
}

/** The average of a sign over answers, or of the values themselves where they are shares. */
const rateOf = (
  { sign }: Look,
  sides: ReadonlyArray<Side>,
  values: (track: Track) => Track["values"],
  counted: (side: Side) => readonly [signs: number, answers: number]
): number => {
  if (sign.aspect === "place") {
    const counts = sides.map(counted)
    const sum = (place: 0 | 1) => counts.reduce((all, count) => all + count[place], 0)
    return share(sum(0), sum(1))
  }
  const all = sides.flatMap(({ track }) => said(values(track)))
  return share(
    all.reduce((sum, value) => sum + value, 0),
    all.length
  )
}

const findingOf = (tracks: ReadonlyArray<Track>, look: Look): Finding => {
  const { sign, sides, runsSeen, runsSince, chance } = look
  const concerned = sides.filter(isConcerned)
  return {
    trigger: sign.trigger,
    places: concerned.map((side) => placesOf(tracks, look, side)),
    baselineRate: rateOf(
      look,
      concerned,
      ({ values }) => values.slice(0, -runsSince),
      ({ signsBefore, answersBefore }) => [signsBefore, answersBefore]
    ),
    recentRate: rateOf(
      look,
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
 * Adds a run to what a watch knows and says which changes are beyond its noise, at most one for each trigger and in their
 * order. What was before a change is then forgotten: the change is the new normal and is found once.
 *
 * Laws: a run without answers changes nothing and finds nothing; equal runs never find anything.
 * Source: decisions W5; the figures and what they suppose are in `docs/evidence.md`.
 */
export const weigh = (
  state: EvidenceState,
  result: WatchResult
): { readonly state: EvidenceState; readonly findings: ReadonlyArray<Finding> } => {
  if (result.length === 0) return { state, findings: [] }
  const seen = observe(state, result)
  const platforms = new Set(seen.tracks.map(({ platform }) => platform))
  const most = platforms.size === 1 ? chanceMax.one : chanceMax.several
  const looks = looksAt(seen.tracks).filter(({ chance }) => chance <= most)
  const clearest = Trigger.literals.flatMap((trigger) =>
    looks
      .filter(({ sign }) => sign.trigger === trigger)
      .toSorted((a, b) => a.chance - b.chance)
      .slice(0, 1)
  )
  return {
    state: clearest.reduce<EvidenceState>((kept, { sign, sides, runsSince }) => {
      const platforms = sides.map(({ track }) => track.platform)
      return startAfresh(kept, sign.aspect, platforms, runsSince)
    }, seen),
    findings: clearest.map((look) => findingOf(seen.tracks, look))
  }
}
