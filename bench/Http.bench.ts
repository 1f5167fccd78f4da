/**
 * What a cached check costs over HTTP: the HTTP stack alone, and complete with its durable charge on Postgres.
 *
 * Unit: answers per second, 32 requests in flight, from a client of plain sockets in this process.
 * Limit: the same answer, made by hand on `node:http`, without a database. Both search for the brand once and cache the result,
 * so that no rate includes the detector, which has its own bench.
 */
import { type Bench, median, type Row } from "./Bench.ts"
import { type Load, load, requestBytes } from "./http/load.ts"
import { startProgram, startScript, type Target } from "./http/program.ts"

const seconds = 3
const rounds = 3

const headersOf = ({ key }: Target) => ({ authorization: `Bearer ${key}`, "content-type": "application/json" })

const check = { query: "best running shoes [[sandbox:answer]]", brand: "Nike", mode: "quick" }

const cachedCheck = (target: Target) => {
  const bytes = requestBytes(target.base, "/v1/check", headersOf(target), JSON.stringify(check))
  return () => bytes
}

/** The program's answer of each provider, as JSON. */
const answersOf = async (program: Target): Promise<string> => {
  const body = JSON.stringify({ ...check, include: ["raw"] })
  const response = await fetch(`${program.base}/v1/check`, { method: "POST", headers: headersOf(program), body })
  const { providers } = JSON.parse(await response.text())
  return JSON.stringify(providers)
}

const drive = (target: Target, duration = seconds): Promise<Load> =>
  load(target.base, cachedCheck(target), { inFlight: 32, seconds: duration })

const run = async (): Promise<ReadonlyArray<Row>> => {
  const program = await startProgram()
  const answers = await answersOf(program)
  const targets = [await startScript("rawServer.ts", answers), await startScript("memoryServer.ts", answers), program]
  try {
    const loads: ReadonlyArray<Array<Load>> = targets.map(() => [])
    for (const target of targets) await load(target.base, cachedCheck(target), { inFlight: 1, seconds: 0.2 })
    for (const target of targets) await drive(target, 2)
    for (let round = 0; round < rounds; round++)
      for (const [n, target] of targets.entries()) loads[n]?.push(await drive(target))
    const [limit = Number.NaN, memory = Number.NaN, complete = Number.NaN] = loads.map((own) =>
      median(own.map(({ rate }) => rate))
    )
    const [bare = Number.NaN, , p99 = Number.NaN] = loads.map((own) => median(own.map((one) => one.p99)))
    return [
      {
        subject: "cached check, no database",
        unit: "answers/s",
        value: memory,
        limit,
        ratio: memory / limit,
        target: 0.55
      },
      {
        subject: "cached check, durable charge",
        unit: "answers/s",
        value: complete,
        limit,
        ratio: complete / limit,
        target: 0.25
      },
      {
        subject: "cached check, durable charge: p99 within 25 ms",
        unit: "ms",
        value: p99,
        limit: 25,
        ratio: 25 / p99,
        target: 1
      },
      // The latency that the machine itself adds, which client, server and database share.
      {
        subject: "node:http by hand: p99 within 25 ms",
        unit: "ms",
        value: bare,
        limit: 25,
        ratio: 25 / bare,
        target: 1
      }
    ]
  } finally {
    await Promise.all(targets.map((target) => target.stop()))
  }
}

/** The cached check over HTTP. */
export const bench: Bench = { name: "http", run }
