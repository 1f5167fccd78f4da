import type { CaptureCount } from "./Health.ts"
import type { LiveSurface } from "./Platform.ts"

/** What a surface may silently stop showing: its answer, or the adverts beside it. */
export type CanarySign = "no_answer" | "no_adverts"

/** A surface that shows something clearly less often than it used to. Rates are shares of captures without it. */
export interface CanaryWarning {
  readonly surface: LiveSurface
  readonly sign: CanarySign
  readonly before: number
  readonly now: number
  readonly captures: number
}

/** How many captures looked for something, and how many of them did not find it. */
export interface Misses {
  readonly looked: number
  readonly missed: number
}

/** The fewest captures of the last day for a warning. */
const nowMin = 30

/** The fewest captures of the week before for a comparison. */
const beforeMin = 50

/**
 * The distance between the two rates that counts, in standard errors. With a test of twelve rates every ten minutes, chance alone reaches
 * it once in years.
 */
const significance = 5

/**
 * Whether something is missed clearly more often than before: a test of two proportions.
 *
 * Laws: equal or lower rates are no jump, whatever the counts; a jump stays one when `before` and `now` are both doubled.
 */
export const jumps = (before: Misses, now: Misses): boolean => {
  if (now.looked < nowMin || before.looked < beforeMin) return false
  // A warning needs a loss that matters: of what was found before, at least a third is not found any more.
  const [foundBefore, foundNow] = [before.looked - before.missed, now.looked - now.missed]
  if (3 * foundNow * before.looked > 2 * foundBefore * now.looked) return false
  const pooled = (before.missed + now.missed) / (before.looked + now.looked)
  const error = Math.sqrt(pooled * (1 - pooled) * (1 / before.looked + 1 / now.looked))
  return now.missed / now.looked - before.missed / before.looked > significance * error
}

const misses = (
  counts: ReadonlyArray<CaptureCount>,
  looked: (count: CaptureCount) => boolean,
  missed: (count: CaptureCount) => boolean
): Misses => {
  const sum = (of: ReadonlyArray<CaptureCount>) => of.reduce((all, { count }) => all + count, 0)
  const relevant = counts.filter(looked)
  return { looked: sum(relevant), missed: sum(relevant.filter(missed)) }
}

/**
 * The captures in which each sign is counted: those whose page was served as it should be, and answers beside which adverts are looked for.
 */
const signs: Readonly<Record<CanarySign, (counts: ReadonlyArray<CaptureCount>) => Misses>> = {
  no_answer: (counts) =>
    misses(
      counts,
      ({ ending }) => ending === "ok" || ending === "no_answer",
      ({ ending }) => ending === "no_answer"
    ),
  no_adverts: (counts) =>
    misses(
      counts,
      ({ ending, adverts }) => ending === "ok" && adverts !== null,
      ({ adverts }) => adverts === false
    )
}

/** The signs that have jumped on one surface between the week before the last day (`before`) and that day (`now`). */
export const canary = (
  surface: LiveSurface,
  before: ReadonlyArray<CaptureCount>,
  now: ReadonlyArray<CaptureCount>
): ReadonlyArray<CanaryWarning> =>
  (["no_answer", "no_adverts"] as const).flatMap((sign): ReadonlyArray<CanaryWarning> => {
    const [was, is] = [signs[sign](before), signs[sign](now)]
    return jumps(was, is)
      ? [{ surface, sign, before: was.missed / was.looked, now: is.missed / is.looked, captures: is.looked }]
      : []
  })
