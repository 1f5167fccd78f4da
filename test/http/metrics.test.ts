/**
 * `/metrics` as Prometheus reads it, against the whole program and the operators' guide.
 *
 * Planted and seen red: durations in milliseconds, of requests and of captures; a path in place of its route, or routed with its query; a
 * metric with another name; a retry counted as a first attempt; the delay metrics missing before their first measurement; a query with a
 * bound that does not exist or that Prometheus 3 spells otherwise, or one that counts every 5xx as a failure.
 */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import { call, customer, installation, overNats, type Program, startProgram } from "./program.ts"
import { waitFor } from "./waiting.ts"
import { awayFromSlots, receiving, startReceiver, watching, wishes } from "./watching.ts"

let program: Program
let env: Awaited<ReturnType<typeof installation>>
let receivers: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  env = await installation()
  receivers = await startReceiver()
  program = await startProgram({ ...env, ...receiving, ...overNats })
})
beforeEach(awayFromSlots)
afterAll(async () => {
  await program.stop()
  receivers.stop()
})

const guide = readFileSync("docs/operators/running.md", "utf8")

/** The rows of the guide's table, as `name kind labels`. */
const documented = Array.from(
  guide.matchAll(/^\| `(sightline_\w+)` \| (\w+) \|([^|]*)\|/gm),
  ([, name, kind, labels = ""]) =>
    [name, kind, ...Array.from(labels.matchAll(/`(\w+)`/g), ([, label]) => label)].join(" ")
).sort()

interface Sample {
  readonly family: string
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

/** Parses the text format, and accepts nothing else. */
const parse = (text: string) => {
  const kinds = new Map<string, string>()
  const samples: Array<Sample> = []
  let family = ""
  for (const line of text.trimEnd().split("\n")) {
    const [, help] = /^# HELP (\w+) \S/.exec(line) ?? []
    const [, typed, kind = ""] = /^# TYPE (\w+) (counter|gauge|histogram)$/.exec(line) ?? []
    const [, name, list = "", value] =
      /^(\w+)(?:\{((?:\w+="[^"\\]*",?)+)\})? (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line) ?? []
    if (typed !== undefined) {
      assert.isFalse(kinds.has(typed), `${typed} comes twice`)
      kinds.set(typed, kind)
      family = typed
    } else if (help === undefined) {
      assert.isDefined(name, line)
      const labels = Object.fromEntries(Array.from(list.matchAll(/(\w+)="([^"]*)"/g), ([, key, is]) => [key, is]))
      const suffixes = kinds.get(family) === "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      assert.include(
        suffixes.map((suffix) => family + suffix),
        name
      )
      samples.push({ family, name: name ?? "", labels, value: Number(value) })
    }
  }
  return { kinds, samples }
}

const scrape = async () => parse(await (await fetch(`${program.admin}/metrics`)).text())

/** The value of a series; 0 before its first measurement. */
const valueOf = ({ samples }: ReturnType<typeof parse>, name: string, labels: Sample["labels"] = {}): number =>
  samples
    .filter((one) => one.name === name && Object.entries(labels).every(([key, is]) => one.labels[key] === is))
    .reduce((sum, { value }) => sum + value, 0)

/** The growth of a series between two scrapes. */
const grown =
  (before: ReturnType<typeof parse>, after: ReturnType<typeof parse>) => (name: string, labels?: Sample["labels"]) =>
    valueOf(after, name, labels) - valueOf(before, name, labels)

it("metrics whose every growth is an alarm are exported from the start", async () => {
  const { samples } = await scrape()
  for (const name of ["sightline_delivery_delay_seconds_count", "sightline_run_delay_seconds_count"])
    assert.deepInclude(samples, { family: name.replace("_count", ""), name, labels: {}, value: 0 })
  const refused = "sightline_heavy_reads_refused_total"
  for (const status of ["429", "503"])
    assert.deepInclude(samples, { family: refused, name: refused, labels: { status }, value: 0 })
})

it("the exported metrics are those of the guide, by name, kind and labels, and contain no customer data", async () => {
  const { key } = await customer(program, env.ADMIN_TOKEN)
  const receiver = receivers.next()
  const watches = watching(program, key)
  const { id } = await watches.create({ query: "best crm for Zyx [[sandbox:answer]]", webhook_url: receiver.url })
  await watches.run(id)
  const text = await waitFor("all metrics", async () => {
    const found = await (await fetch(`${program.admin}/metrics`)).text()
    return found.includes("sightline_delivery_attempt_duration_seconds_count") ? found : undefined
  })
  const { kinds, samples } = parse(text)
  const exported = Array.from(kinds, ([family, kind]) => {
    const labels = new Set(samples.filter((one) => one.family === family).flatMap((one) => Object.keys(one.labels)))
    return [family, kind, ...[...labels].filter((label) => label !== "le")].join(" ")
  })
  assert.deepStrictEqual(exported.sort(), documented)
  assert.strictEqual(valueOf({ kinds, samples }, "sightline_nats_connected"), 1)
  for (const secret of [id, key, "Zyx", wishes.brand, receiver.url]) assert.notInclude(text, secret)
  const routes = new Set(samples.flatMap(({ labels }) => labels["route"] ?? []))
  assert.includeMembers([...routes], ["POST /v1/watch", "POST /v1/watch/{id}/run", "GET /v1/watch/{id}/runs"])
})

it("the guide's queries use documented metrics and existing bounds, and do not count 501 as a failure", async () => {
  const { samples } = await scrape()
  const [, queries = ""] = /```promql\n([^`]+?)```/.exec(guide) ?? []
  const families = documented.map((row) => row.split(" ")[0])
  const asked = Array.from(queries.matchAll(/(sightline_\w+?)(_bucket|_sum|_count)?(?:\{(.*?)\})?[[ )]/g))
  assert.isAbove(asked.length, 9)
  for (const [, family = "", suffix = "", labels = ""] of asked) {
    assert.include(families, family)
    if (!/\ble=/.test(labels)) continue
    const [, pattern = ""] = /^le=~"([^"]+)"$/.exec(labels) ?? []
    const matching = new RegExp(`^(?:${pattern})$`)
    const bounds = samples.flatMap(({ name, labels: { le = "" } }) => (name === family + suffix ? [le] : []))
    const [bound = "", ...others] = bounds.filter((le) => matching.test(le))
    assert.deepStrictEqual(others, [], labels)
    // Prometheus 3 stores a bound that is a whole number as `5.0`, Prometheus 2 as it is exported.
    for (const stored of [bound, `${bound}.0`]) assert.match(stored, matching, labels)
  }
  const [, is = "", not = ""] = /responses_total\{status=~"([^"]+)",status!="(\d+)"/.exec(queries) ?? []
  const counted = ["200", "404", "499", "500", "501", "503"].filter((status) => new RegExp(`^(?:${is})$`).test(status))
  assert.deepStrictEqual(
    counted.filter((status) => status !== not),
    ["500", "503"]
  )
})

it("the buckets of a histogram are cumulative, and the last one equals its count", async () => {
  const { kinds, samples } = await scrape()
  for (const [family, kind] of kinds) {
    if (kind !== "histogram") continue
    assert.match(family, /_(?:seconds|calls)$/)
    const buckets = Map.groupBy(
      samples.filter(({ name }) => name === `${family}_bucket`),
      ({ labels }) => JSON.stringify({ ...labels, le: undefined })
    )
    for (const [series, those] of buckets) {
      const bounds = those.map(({ labels }) => Number(labels["le"]?.replace("+Inf", "Infinity")))
      const counts = those.map(({ value }) => value)
      assert.isAtMost(bounds.length, 14)
      assert.deepStrictEqual(
        bounds,
        bounds.toSorted((a, b) => a - b)
      )
      assert.deepStrictEqual(
        counts,
        counts.toSorted((a, b) => a - b)
      )
      const labels = JSON.parse(series)
      const count = samples.filter(({ name }) => name === `${family}_count`)
      assert.deepInclude(count, { family, name: `${family}_count`, labels, value: counts.at(-1) ?? Number.NaN })
    }
  }
})

it("requests are counted once each by route and class of status, and timed in seconds", async () => {
  const { key } = await customer(program, env.ADMIN_TOKEN)
  const check = (body: object, headers = {}) =>
    fetch(`${program.base}/v1/check`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    }).then((answer) => answer.text())
  const begun = performance.now()
  const before = await scrape()
  for (const origin of [program.base, program.admin])
    for (const probe of ["/livez", "/readyz"]) assert.strictEqual((await call(origin + probe)).status, 200)
  const slow = { query: "what is slow [[sandbox:latency=600ms]]", brand: "Acme" }
  await check(slow)
  const asked = (performance.now() - begun) / 1000
  for (let n = 0; n < 4; n++) await check(slow)
  assert.include(await check(slow, { accept: "text/event-stream" }), '"status":200')
  for (let n = 0; n < 3; n++) await check({})
  const unknown = crypto.randomUUID()
  for (const path of [
    "/v1/checks?limit=1",
    `/v1/checks/${unknown}`,
    `/v1/checks/${unknown}?a=1`,
    `/v1/checks/${unknown}/`,
    "/v1/nothing"
  ])
    await call(`${program.base}${path}`, { key })
  const lasted = (performance.now() - begun) / 1000
  const growth = grown(before, await scrape())

  const http = "sightline_http_request_duration_seconds"
  const route = "POST /v1/check"
  assert.strictEqual(growth(`${http}_count`, { route, status: "2xx" }), 6)
  assert.strictEqual(growth(`${http}_count`, { route, status: "4xx" }), 3)
  assert.strictEqual(growth(`${http}_count`, { route: "GET /v1/checks/{id}", status: "4xx" }), 2)
  assert.strictEqual(growth(`${http}_count`, { route: "GET /v1/checks", status: "2xx" }), 1)
  assert.strictEqual(growth(`${http}_count`, { route: "other", status: "4xx" }), 2)
  const probed = ["/livez", "/readyz", "/metrics"].map((path) => `GET ${path}`)
  for (const status of [2, 3, 4, 5]) {
    const exact = [...Array(100).keys()].map((code) => String(status * 100 + code))
    const answered = exact.reduce((sum, code) => sum + growth("sightline_http_responses_total", { status: code }), 0)
    const kind = `${status}xx`
    const probes = probed.reduce((sum, route) => sum + growth(`${http}_count`, { route, status: kind }), 0)
    assert.strictEqual(growth(`${http}_count`, { status: kind }), answered + probes)
  }
  // Only one of them waited for its engines, and the sum of their durations is within the elapsed time.
  assert.isAtMost(growth(`${http}_bucket`, { route, status: "2xx", le: "0.25" }), 5)
  assert.isAtLeast(growth(`${http}_sum`, { route }), 0.6)
  assert.isAtMost(growth(`${http}_sum`, { route }), lasted)
  const capture = "sightline_capture_duration_seconds"
  const answers = growth(`${capture}_count`, { ending: "ok" })
  assert.strictEqual(answers, 4)
  assert.isAtLeast(growth(`${capture}_sum`, { ending: "ok" }), answers * 0.6)
  assert.isAtMost(growth(`${capture}_sum`, { ending: "ok" }), answers * asked)
  assert.isAtLeast(growth("sightline_batch_calls_sum", { batch: "charges" }), 7)
})

it("the delay of a delivery is counted once, however many attempts it has", async () => {
  const { key } = await customer(program, env.ADMIN_TOKEN)
  const receiver = receivers.next()
  receiver.fail()
  const before = await scrape()
  const watches = watching(program, key)
  const { id } = await watches.create({ webhook_url: receiver.url })
  await watches.run(id)
  const after = await waitFor("three attempts", async () => {
    const now = await scrape()
    const failed = grown(before, now)("sightline_delivery_attempt_duration_seconds_count", { outcome: "http_5xx" })
    return failed >= 3 ? now : undefined
  })
  const growth = grown(before, after)
  assert.strictEqual(growth("sightline_delivery_attempt_duration_seconds_count"), 3)
  assert.strictEqual(growth("sightline_delivery_delay_seconds_count"), 1)
  assert.strictEqual(growth("sightline_run_delay_seconds_count"), 1)
})
