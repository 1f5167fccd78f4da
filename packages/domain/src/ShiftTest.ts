/**
 * Answers of one platform, divided into those before a moment and those since, and how many of each show a sign.
 *
 * Laws: 0 ≤ signs ≤ answers on either side.
 */
export interface SplitCounts {
  readonly answersBefore: number
  readonly signsBefore: number
  readonly answersSince: number
  readonly signsSince: number
}

const logFactorials: Array<number> = [0]

const logFactorial = (n: number): number => {
  for (let next = logFactorials.length; next <= n; next++) {
    logFactorials.push((logFactorials[next - 1] ?? 0) + Math.log(next))
  }
  return logFactorials[n] ?? 0
}

const logChoose = (n: number, k: number): number => logFactorial(n) - logFactorial(k) - logFactorial(n - k)

/** The probabilities of 0, 1, 2 … signs since, if the platform's signs were distributed over its answers at random (hypergeometric). */
const hypergeometric = ({
  answersBefore,
  signsBefore,
  answersSince,
  signsSince
}: SplitCounts): ReadonlyArray<number> => {
  const signs = signsBefore + signsSince
  const others = answersBefore + answersSince - signs
  const all = logChoose(signs + others, answersSince)
  const chances: Array<number> = []
  for (let since = 0; since <= answersSince; since++) {
    const possible = since <= signs && answersSince - since <= others
    chances.push(possible ? Math.exp(logChoose(signs, since) + logChoose(others, answersSince - since) - all) : 0)
  }
  return chances
}

/** The probabilities of each sum of two independent counts. */
const convolve = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): ReadonlyArray<number> => {
  const sums = Array.from({ length: a.length + b.length - 1 }, () => 0)
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) sums[i + j] = (sums[i + j] ?? 0) + (a[i] ?? 0) * (b[j] ?? 0)
  }
  return sums
}

/**
 * The probability that chance alone puts at least this many signs among the answers since: Fisher's exact test, over several platforms that
 * each keep their own rate (Cochran, Mantel and Haenszel).
 *
 *     chanceOf([{ answersBefore: 20, signsBefore: 10, answersSince: 3, signsSince: 3 }])   // => 0.161
 *
 * Laws: in (0, 1]; 1 where nothing is known of before or of since; where each platform's signs are distributed at random over its answers,
 * it is at most x with a probability of at most x, whatever the rates are.
 */
export const chanceOf = (platforms: ReadonlyArray<SplitCounts>): number => {
  const seen = platforms.reduce((sum, { signsSince }) => sum + signsSince, 0)
  const chances = platforms.map(hypergeometric).reduce(convolve, [1])
  const tail = chances.slice(seen).reduce((sum, chance) => sum + chance, 0)
  return Math.min(1, tail)
}
