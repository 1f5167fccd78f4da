import type { Track } from "./History.ts"
import { designEffect, type Indicators } from "./DesignEffect.ts"
import { chanceOf, type SplitCounts } from "./ShiftTest.ts"
import type { Trigger } from "./Watch.ts"

/** A way in which tracks change: more of their latest values show the sign. `usual` is the median of all values. */
interface Sign {
  readonly trigger: Trigger
  readonly aspect: Track["aspect"]
  readonly shows: (value: number, usual: number) => boolean
}

const signs: ReadonlyArray<Sign> = [
  { trigger: "mention_added", aspect: "presence", shows: (value) => value === 1 },
  { trigger: "mention_removed", aspect: "presence", shows: (value) => value === 0 },
  { trigger: "rank_changed", aspect: "place", shows: (value, usual) => value > usual },
  { trigger: "rank_changed", aspect: "place", shows: (value, usual) => value < usual },
  { trigger: "citation_changed", aspect: "source", shows: (value, usual) => value < usual }
]

/** Numbers of latest runs that are compared with all runs before them. */
const windows: ReadonlyArray<number> = [1, 2, 3, 5, 8]

/** The fewest earlier runs for a test. */
const runsMin = 5

/** A track as one test splits it. */
export interface SplitTrack extends SplitCounts {
  readonly track: Track
  readonly usual: number
}

/** A test for a sign on all platforms, or on one, in a number of latest runs, with the probability that chance alone shows as much. */
export interface ChangeTest {
  readonly sign: Sign
  readonly sides: ReadonlyArray<SplitTrack>
  readonly runsSeen: number
  readonly runsSince: number
  readonly chance: number
}

/** The median of some values, the lower one of two; 0 for none. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0

/** The values of runs that have one. */
export const presentValues = (values: Track["values"]): ReadonlyArray<number> =>
  values.filter((value) => value !== null)

/** `part` of `whole`, 0 of nothing. */
export const share = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole)

/** How many values say something, and how many of them show the sign. */
const count = (values: Track["values"], { shows }: Sign, usual: number) => {
  let answers = 0
  let signs = 0
  for (const value of values) {
    if (value === null) continue
    answers++
    if (shows(value, usual)) signs++
  }
  return { answers, signs }
}

/** The track divided at each of the windows. */
const divide = (track: Track, sign: Sign): ReadonlyArray<SplitTrack> => {
  const usual = median(presentValues(track.values))
  const whole = count(track.values, sign, usual)
  return windows.map((runsSince) => {
    const since = count(track.values.slice(-runsSince), sign, usual)
    return {
      track,
      usual,
      answersBefore: whole.answers - since.answers,
      signsBefore: whole.signs - since.signs,
      answersSince: since.answers,
      signsSince: since.signs
    }
  })
}

/** The fewest standard deviations for an exact test: below them the exact probability is never small. */
const deviationsMin = 2

/** Whether there are clearly more signs since than the rates of all runs predict. */
const standsOut = (sides: ReadonlyArray<SplitTrack>): boolean => {
  let surplus = 0
  let variance = 0
  for (const { answersBefore, signsBefore, answersSince, signsSince } of sides) {
    const answers = answersBefore + answersSince
    const rate = share(signsBefore + signsSince, answers)
    surplus += signsSince - answersSince * rate
    variance += answersSince * rate * (1 - rate) * share(answersBefore, answers - 1)
  }
  return surplus > 0 && surplus >= deviationsMin * Math.sqrt(variance)
}

/** How many runs before the latest ones have a value on any of the platforms. All tracks end with the same run. */
const runsSeenBefore = (sides: ReadonlyArray<SplitTrack>, runsSince: number): number => {
  const ages = new Set<number>()
  for (const { track } of sides) {
    for (const [index, value] of track.values.entries()) {
      const age = track.values.length - index
      if (age > runsSince && value !== null) ages.add(age)
    }
  }
  return ages.size
}

const indicatorsBefore = ({ track, usual }: SplitTrack, { shows }: Sign, runsSince: number): Indicators =>
  track.values.slice(0, -runsSince).map((value) => (value === null ? null : Number(shows(value, usual))))

/**
 * The probability that noise shows as much on some of a watch's platforms. Where n answers resemble each other so much that they count as
 * one, it is the n-th root of the probability for independent answers.
 */
const chanceOfNoise = (
  scope: ReadonlyArray<SplitTrack>,
  all: ReadonlyArray<SplitTrack>,
  sign: Sign,
  runsSince: number
): number => {
  const indicators = (sides: ReadonlyArray<SplitTrack>) => sides.map((side) => indicatorsBefore(side, sign, runsSince))
  return chanceOf(scope) ** (1 / designEffect(indicators(scope), indicators(all), runsSince))
}

const testsOf = (sign: Sign, tracks: ReadonlyArray<Track>): ReadonlyArray<ChangeTest> => {
  const divided = tracks.filter(({ aspect }) => aspect === sign.aspect).map((track) => divide(track, sign))
  const scopes = divided.length > 1 ? [divided, ...divided.map((one) => [one])] : [divided]
  return scopes.flatMap((scope) => {
    // A test of each platform by itself gives chance as many tries.
    const tries = scope === divided ? 1 : divided.length
    return windows.flatMap((runsSince, index): ReadonlyArray<ChangeTest> => {
      const at = (tracks: typeof divided) => tracks.flatMap((one) => one.slice(index, index + 1))
      const sides = at(scope)
      const runsBefore = Math.max(0, ...sides.map(({ track }) => track.values.length)) - runsSince
      if (runsBefore < runsMin || !standsOut(sides)) return []
      const chance = Math.min(1, tries * chanceOfNoise(sides, at(divided), sign, runsSince))
      return [{ sign, sides, runsSeen: runsSeenBefore(sides, runsSince), runsSince, chance }]
    })
  })
}

/** Every test of a watch's tracks in which a sign stands out. */
export const changeTests = (tracks: ReadonlyArray<Track>): ReadonlyArray<ChangeTest> =>
  signs.flatMap((sign) => testsOf(sign, tracks))
