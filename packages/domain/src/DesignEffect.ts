/** The signs in a platform's answers, run by run, the latest last: 1 with a sign, 0 without it, null where there was no answer. */
export type Indicators = ReadonlyArray<number | null>

const sumOf = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0)

/** The deviation of each answer from the platform's own rate, and the sum of the squares. */
interface Spread {
  readonly deviations: Indicators
  readonly answers: number
  readonly squares: number
}

const spreadOf = (indicators: Indicators): Spread => {
  const known = indicators.filter((value) => value !== null)
  const rate = sumOf(known) / Math.max(1, known.length)
  const deviations = indicators.map((value) => (value === null ? null : value - rate))
  return { deviations, answers: known.length, squares: sumOf(deviations.map((value) => (value ?? 0) ** 2)) }
}

const squaresOf = (spreads: ReadonlyArray<Spread>): number => sumOf(spreads.map(({ squares }) => squares))

/** The correlation of answers with those of the run before on the same platform, 0 to 1; 0 where nothing varies. */
const autocorrelation = (spreads: ReadonlyArray<Spread>): number => {
  const squares = squaresOf(spreads)
  if (squares === 0) return 0
  const products = spreads.map(({ answers, deviations, squares }) => {
    const own = deviations.map((value, run) => (value ?? 0) * (deviations[run - 1] ?? 0))
    // Because the rate comes from the same n answers, independent answers seem correlated by -1/n. This term corrects that.
    return sumOf(own) + squares / Math.max(1, answers)
  })
  return Math.min(1, Math.max(0, sumOf(products) / squares))
}

/** The variance of the summed answers of a run, relative to that of independent answers; at least 1, and 1 where nothing varies. */
const varianceAcross = (spreads: ReadonlyArray<Spread>): number => {
  const squares = squaresOf(spreads)
  if (squares === 0) return 1
  const runs = Math.max(...spreads.map(({ deviations }) => deviations.length))
  const sums = Array.from({ length: runs }, (_, age) =>
    sumOf(spreads.map(({ deviations }) => deviations.at(-1 - age) ?? 0))
  )
  return Math.max(1, sumOf(sums.map((sum) => sum ** 2)) / squares)
}

/** The variance of the sum of `runs` consecutive answers, relative to that of answers that are independent of the one before. */
const varianceInflation = (correlation: number, runs: number): number =>
  1 + 2 * sumOf(Array.from({ length: runs - 1 }, (_, lag) => (1 - (lag + 1) / runs) * correlation ** (lag + 1)))

/**
 * The design effect: how many answers of the next `runs` runs say no more than one independent answer.
 * This is estimated from how earlier answers resemble
 * those of other platforms in their run, and those of the run before.
 *
 *     designEffect([one, one], [one, one], 1)   // => 2, where the indicators of `one` differ
 *
 * `scope` are the platforms in question. `platforms` are all that are tracked, because one platform has too few answers for the correlation
 * of runs.
 * Laws: at least 1; at most the answers of the runs; 1 where nothing varied; the platforms' order does not matter.
 */
export const designEffect = (
  scope: ReadonlyArray<Indicators>,
  platforms: ReadonlyArray<Indicators>,
  runs: number
): number => varianceAcross(scope.map(spreadOf)) * varianceInflation(autocorrelation(platforms.map(spreadOf)), runs)
