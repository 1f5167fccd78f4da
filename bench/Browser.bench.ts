/**
 * What a browser costs: captures of a page that streams its answer within a second, by the pooled driver and, as a peer,
 * by the same driver with a browser of its own for every capture.
 *
 * Unit: captures per minute at 1, 4 and 8 in flight, the median of alternating rounds. Limit: fetching the page and its
 * stream without a browser, as many at once. The memory rows give MiB per context: what the browser's processes take at
 * the peak (proportional set size, so that shared pages count once) above the browser without a context; the limit is 40
 * MiB and the ratio limit / value.
 */
import { Effect, Layer, Logger, ManagedRuntime, Result } from "effect"
import { fork } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import type { Question } from "@sightline/domain/Answer"
import { Browser } from "@sightline/platforms/Browser"
import { make } from "@sightline/platforms/browser/BrowserCapture"
import { findChromium } from "@sightline/platforms/browser/FindChromium"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { type Bench, median, type Row } from "./Bench.ts"

const flights = [1, 4, 8] as const
const rounds = 3
const capturesPerFlight = 4
const mebibytesMax = 40
const target = 0.55

const startSite = async () => {
  const child = fork(new URL("StreamedSite.ts", import.meta.url))
  const port = await new Promise((resolve) => {
    child.once("message", resolve)
  })
  return { origin: `http://127.0.0.1:${String(port)}`, stop: () => child.kill() }
}

const profile: SurfaceProfile = {
  surface: "chatgpt_live",
  origin: () => "",
  path: (query) => `/?q=${encodeURIComponent(query)}`,
  dismiss: ["#cookies button"],
  streams: ["/stream"],
  containers: ["#answer"],
  results: ["nav"],
  absence: ["No answer is available"],
  expand: ["#more"],
  streamEnd: `"type":"end"`,
  busy: ["#stop"],
  signs: [
    { block: "captcha", text: "unusual traffic", textMax: 1500 },
    { block: "login_wall", selector: "[role=dialog] .login" }
  ],
  read: ({ streams }) => {
    const events = (streams[0]?.body ?? "").split("\n\n").filter((part) => part !== "")
    const texts = events.map((part) => JSON.parse(part.slice("data: ".length)).text ?? "")
    const text = texts.join("\n").trim()
    if (texts.length !== 41) return Result.fail("parse_error")
    return Result.succeed({
      text,
      raw: text,
      citations: [],
      fanOut: [],
      brandEntities: [],
      searched: true,
      model: "",
      finish: "stop"
    })
  }
}

const question: Question = {
  turns: [{ role: "user", content: "Which running shoes last longest?" }],
  model: "",
  webSearch: true
}

const journal = Layer.succeed(CaptureJournal, { record: () => Effect.void, keep: () => Effect.void })

/** A runtime with a browser of its own, and one capture by it. */
const browsing = (chromium: string, origin: string) => {
  const browser = Layer.mergeAll(Browser.layer({ chromium }), journal, Logger.layer([]))
  const runtime = ManagedRuntime.make(browser)
  const capture = Effect.flatMap(make(profile, { environment: "test", origin }), (capture) => capture(question))
  return { capture: () => runtime.runPromise(capture), stop: () => runtime.dispose() }
}

const fetched = async (origin: string): Promise<void> => {
  await (await fetch(origin)).text()
  await (await fetch(`${origin}/stream`, { method: "POST" })).text()
}

/** Runs of `work` per minute, `inFlight` at a time. */
const perMinute = async (inFlight: number, count: number, work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now()
  let left = count
  const worker = async () => {
    while (left-- > 0) await work()
  }
  await Promise.all(Array.from({ length: inFlight }, worker))
  return (count * 60_000) / (performance.now() - start)
}

const groupOf = (pid: string): string =>
  readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")[2] ?? ""

/** The memory of this process's browsers, in MiB: of all process groups with a data folder whose name contains this pid. */
const mebibytes = (): number => {
  const mark = `--user-data-dir=${tmpdir()}/sightline-chromium-${process.pid}-`
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name))
  const readable = <A>(read: (pid: string) => A) =>
    pids.flatMap((pid) => {
      try {
        return [read(pid)]
      } catch {
        return []
      }
    })
  const groups = new Set(
    readable((pid) => (readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark) ? groupOf(pid) : ""))
  )
  const shares = readable((pid) => {
    const group = groupOf(pid)
    if (group === "" || !groups.has(group)) return 0
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1] ?? 0)
  })
  return shares.reduce((sum, share) => sum + share, 0) / 1024
}

/** The peak memory while the work runs. */
const peakDuring = async (work: Promise<unknown>): Promise<number> => {
  let peak = 0
  const timer = setInterval(() => (peak = Math.max(peak, mebibytes())), 100)
  await work.finally(() => clearInterval(timer))
  return peak
}

const speed = async (chromium: string, origin: string, inFlight: number): Promise<ReadonlyArray<Row>> => {
  const pool = browsing(chromium, origin)
  const fresh = async () => {
    const own = browsing(chromium, origin)
    await own.capture().finally(own.stop)
  }
  const count = inFlight * capturesPerFlight
  const ours: Array<number> = []
  const peers: Array<number> = []
  const limits: Array<number> = []
  await perMinute(inFlight, inFlight, pool.capture)
  for (let round = 0; round < rounds; round++) {
    limits.push(await perMinute(inFlight, count, () => fetched(origin)))
    ours.push(await perMinute(inFlight, count, pool.capture))
    peers.push(await perMinute(inFlight, inFlight, fresh))
  }
  await pool.stop()
  const limit = median(limits)
  const row = (subject: string, value: number, target: number): Row => {
    return {
      subject: `${subject}, ${inFlight} in flight`,
      unit: "captures/min",
      value,
      limit,
      ratio: value / limit,
      target
    }
  }
  return [row("pooled", median(ours), target), row("peer: a browser per capture", median(peers), 0)]
}

const memory = async (chromium: string, origin: string, inFlight: number): Promise<Row> => {
  const pool = browsing(chromium, origin)
  await pool.capture()
  const base = mebibytes()
  const peak = await peakDuring(perMinute(inFlight, inFlight * 3, pool.capture))
  await pool.stop()
  const value = (peak - base) / inFlight
  const subject = `memory of a context, ${inFlight} in flight`
  const ratio = mebibytesMax / value
  // With few contexts, each one's part of the shared memory is larger. The bound applies to a full browser.
  return { subject, unit: "MiB", value, limit: mebibytesMax, ratio, target: inFlight === 8 ? 1 : 0 }
}

const run = async (): Promise<ReadonlyArray<Row>> => {
  const found = findChromium(process.env["SIGHTLINE_CHROMIUM"], process.env["PATH"] ?? "")
  if ("missing" in found) throw new Error(found.missing)
  const site = await startSite()
  const rows: Array<Row> = []
  try {
    for (const inFlight of flights) rows.push(...(await speed(found.path, site.origin, inFlight)))
    for (const inFlight of flights) rows.push(await memory(found.path, site.origin, inFlight))
  } finally {
    site.stop()
  }
  return rows
}

/** The bench of browser captures. */
export const bench: Bench = { name: "browser", run }
