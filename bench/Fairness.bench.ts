/**
 * How much one customer is slowed down by another one that sends a hundred times its rate limit: cached checks with their
 * durable charge, on Postgres with fsync.
 *
 * Unit: milliseconds. A quiet key sends 50 a second without a limit; a loud key sends 100 a second with a limit of 1. The
 * limit of the first row is the quiet key alone. Measured in turns; medians of rounds.
 */
import { type Bench, median, type Row } from "./Bench.ts"
import { type Load, load, requestBytes } from "./http/load.ts"
import { startProgram } from "./http/program.ts"

const seconds = 5
const rounds = 5
const growthMax = 1.2
const refusalMax = 20
const answerMax = 10

const check = JSON.stringify({ query: "best running shoes [[sandbox:answer]]", brand: "Nike", mode: "quick" })

const within = (subject: string, value: number, limit: number): Row => ({
  subject,
  unit: "ms",
  value,
  limit,
  ratio: limit / value,
  target: 1
})

const run = async (): Promise<ReadonlyArray<Row>> => {
  const program = await startProgram()
  const sending = (key: string) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const bytes = requestBytes(program.base, "/v1/check", headers, check)
    return (perSecond: number, statuses: ReadonlyArray<number>) =>
      load(program.base, () => bytes, { inFlight: 4, seconds, perSecond, statuses })
  }
  try {
    const [quiet, loud] = [sending(program.key), sending(await program.limitedKey())]
    // Uses up the loud key's burst and warms up both paths before the measurement.
    await Promise.all([quiet(200, [200]), loud(100, [200, 429])])
    const [alone, beside, refused]: [Array<Load>, Array<Load>, Array<Load>] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      alone.push(await quiet(50, [200]))
      const [answers, refusals] = await Promise.all([quiet(50, [200]), loud(100, [200, 429])])
      beside.push(answers)
      refused.push(refusals)
    }
    const [least, most] = [median(alone.map(({ p95 }) => p95)), median(beside.map(({ p95 }) => p95))]
    return [
      {
        subject: "a key's p95 beside one at 100 x its limit: at most 1.2 x alone",
        unit: "ms",
        value: most,
        limit: least,
        ratio: (least * growthMax) / most,
        target: 1
      },
      within("p99 of the loud key, 99 of 100 a 429", median(refused.map(({ p99 }) => p99)), refusalMax),
      within("p99 of a cached check, 50 a second", median(alone.map(({ p99 }) => p99)), answerMax)
    ]
  } finally {
    await program.stop()
  }
}

/** Fairness between keys. */
export const bench: Bench = { name: "fairness", run }
