/**
 * The webhooks of a watch, from the engines' answers to the receiver, against the whole program. Test keys get the answers of the sandbox.
 * Those of live keys are scripted, so that they can change from run to run.
 *
 * Planted and seen red:
 * - a paused watch that delivers;
 * - another sign in the name;
 * - triggers that the watch does not have;
 * - evidence left out;
 * - undelivered runs shown as runs without a webhook;
 * - failed engines counted as billable;
 * - an outage compared with;
 * - `[]` in place of null before the first run;
 * - the status of the first delivery in place of the last, or of a replay that failed;
 * - evidence not stored with its run;
 * - the duration of the run in place of that of each engine;
 * - failed engines listed last.
 */
import { createHmac } from "node:crypto"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { DeliveryFound, DeliveryList } from "@sightline/contract/DeliveryApi"
import { WatchFired } from "@sightline/contract/WebhookPayload"
import { exactly } from "../services/exactly.ts"
import { call, customer, installation, operator, type Program, startProgram } from "./program.ts"
import { startUpstreams, type Upstreams } from "./upstreams.ts"
import { awayFromSlots, decode, receiving, secret, startReceiver, watching } from "./watching.ts"
import { waitFor } from "./waiting.ts"

const decodeFired = exactly(WatchFired)
const decodeDeliveries = exactly(DeliveryList)
const decodeDelivery = exactly(DeliveryFound)

let program: Program
let env: Awaited<ReturnType<typeof installation>>
let upstreams: Upstreams
let receivers: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  env = await installation()
  upstreams = await startUpstreams(false)
  receivers = await startReceiver()
  program = await startProgram({ ...env, ...upstreams.env, ...receiving, ROLES: "api,worker" })
})
beforeEach(awayFromSlots)
afterAll(async () => {
  await program.stop()
  await upstreams.stop()
  receivers.stop()
})

const first = "1. **Acme** leads.\n2. **Globex** follows."
const second = "1. **Globex** leads.\n2. **Acme** follows."
const absent = "1. **Globex** leads.\n2. **Initech** follows."
beforeEach(() => upstreams.say(() => first))

const hmac = (text: string) => createHmac("sha256", secret).update(text).digest("hex")

/** A customer with one watch and its own receiver. */
const watcher = async (environment: "test" | "live", more: object = {}) => {
  const { account, key } = await customer(program, env.ADMIN_TOKEN, 0, { environment })
  await operator(program, env.ADMIN_TOKEN).topUp(account, 100_000, environment)
  const api = watching(program, key)
  const receiver = receivers.next()
  const { id } = await api.create({ query: "best tools", brand: "Acme", webhook_url: receiver.url, ...more })
  const get = async (path: string) => {
    const answer = await call(`${program.base}${path}`, { key })
    assert.strictEqual(answer.status, 200, answer.text)
    return answer.body
  }
  const list = async (query = "") => decodeDeliveries(await get(`/v1/deliveries?watch_id=${id}${query}`)).deliveries
  /** Waits until nothing is pending, and returns all webhooks received. */
  const told = async () => {
    await waitFor("the end of all deliveries", async () =>
      (await list("&status=pending")).length === 0 ? true : undefined
    )
    return receiver.received().map(({ body }) => decodeFired(JSON.parse(body)))
  }
  return {
    id,
    key,
    receiver,
    list,
    told,
    send: api.send,
    ended: api.ended,
    runs: () => api.runs(id),
    run: () => api.run(id),
    delivery: async (delivery: string) => decodeDelivery(await get(`/v1/deliveries/${delivery}`))
  }
}

describe("watch.fired", () => {
  it("has all fields of the contract and both signatures, with the engines' own answers", async () => {
    const query = 'best CRM für "kleine" Teams 企業 🚀 [[sandbox:answer]]'
    const { id, list, receiver, run, runs, told } = await watcher("test", { query, brand: "HubSpot" })
    const { finished_at, id: run_id } = await run()
    const [payload, ...more] = await told()
    assert.isEmpty(more)
    const { current_response, diff_summary, ...rest } = payload ?? assert.fail("nothing came")
    const { brand_mentions, citations, providers, usage } = current_response
    assert.deepStrictEqual(rest, {
      event: "watch.fired",
      watch_id: id,
      watch_name: `${query} \u00d7 HubSpot`,
      fired_at: rest.fired_at,
      trigger: "mention_added",
      triggers_fired: ["mention_added"],
      run_id,
      delta: {
        new_brands: ["HubSpot"],
        dropped_brands: [],
        rank_changes: [],
        top3_reordered: rest.delta.top3_reordered
      },
      previous_response: null
    })
    assert.match(rest.fired_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.strictEqual((finished_at ?? "").slice(0, 23), rest.fired_at.slice(0, 23))
    assert.match(diff_summary, /^For “best CRM für .+, .+ now names? “HubSpot”\.$/)
    assert.sameMembers(
      providers.map(({ provider }) => provider),
      ["chatgpt", "claude", "gemini", "perplexity"]
    )
    for (const provider of providers) {
      if ("error" in provider) assert.fail(JSON.stringify(provider))
      assert.isNotEmpty(provider.content)
      assert.isNotEmpty(provider.model)
      assert.isAbove(provider.tokens.output, 0)
    }
    assert.isNotEmpty(brand_mentions)
    for (const { brand, context, rank } of brand_mentions) {
      assert.strictEqual(brand, "HubSpot")
      assert.isAtLeast(rank, 1)
      assert.include(context, "HubSpot")
    }
    assert.isNotEmpty(citations)
    for (const { canonical_url, domains, providers_cited } of citations) {
      assert.match(canonical_url, /^https:/)
      assert.isNotEmpty(domains)
      assert.isNotEmpty(providers_cited)
    }
    assert.deepInclude(usage, { billable_units: 4, cost_cents: 150 })

    const [{ body, headers } = assert.fail("nothing came")] = receiver.received()
    const t = String(headers["x-svc-timestamp"])
    assert.isBelow(Math.abs(Date.now() / 1000 - Number(t)), 60)
    assert.strictEqual(headers["x-svc-signature"], hmac(body))
    assert.strictEqual(headers["x-svc-signature-legacy"], `t=${t},v1=${hmac(`${t}.${body}`)}`)
    const [delivery] = await list()
    assert.deepInclude(headers, {
      "content-type": "application/json",
      "x-svc-event": "watch.fired",
      "x-svc-watch-id": id
    })
    assert.deepInclude(delivery ?? {}, {
      event: "watch.fired",
      watch_id: id,
      run_id,
      url: receiver.url,
      status: "delivered"
    })
    assert.notProperty(delivery, "webhook_id")
    const [done = assert.fail("no run")] = await runs()
    assert.deepInclude(done, { triggers_fired: ["mention_added"], delivery_status: "delivered", diff_summary })
    assert.notProperty(done, "evidence")
  })

  it("lists the engines in their order, each with its own duration, whichever fails", async () => {
    const query = "best CRM [[sandbox:openai:status=401]] [[sandbox:gemini:latency=1500ms;answer]] [[sandbox:answer]]"
    const { run, told } = await watcher("test", { query, brand: "HubSpot" })
    await run()
    const { providers, usage } = (await told())[0]?.current_response ?? assert.fail("nothing came")
    assert.deepStrictEqual(
      providers.map(({ provider }) => provider),
      ["chatgpt", "claude", "gemini", "perplexity"]
    )
    const times = providers.map((one) => ("error" in one ? undefined : one.latency_ms))
    const [failed, claude = Number.NaN, gemini = Number.NaN, perplexity = Number.NaN] = times
    assert.isUndefined(failed)
    assert.isAtLeast(gemini, 1500)
    assert.isBelow(Math.max(claude, perplexity), gemini)
    assert.isAtLeast(usage.latency_ms, gemini)
  })

  it("marks a surface that showed no answer", async () => {
    const query = "best CRM [[sandbox:ai_overview:no-answer]] [[sandbox:answer]]"
    const { run, told } = await watcher("test", { query, brand: "HubSpot", mode: "all_live" })
    await run()
    const { providers } = (await told())[0]?.current_response ?? assert.fail("nothing came")
    const silent = providers.filter((one) => "surface_present" in one)
    assert.deepStrictEqual(
      silent.map((one) => [one.provider, "error" in one ? one.error : [one.surface_present, one.content]]),
      [["ai_overview", [false, ""]]]
    )
    assert.lengthOf(providers, 6)
  })

  it("reports each change once, with the previous state; equal runs and failing engines report nothing", async () => {
    const { run, runs, told } = await watcher("live")
    await run()
    await run()
    assert.lengthOf(await told(), 1)

    upstreams.say((vendor) => (vendor === "gemini" ? second : first))
    await run()
    const moved = (await told())[1] ?? assert.fail("the move was not told")
    assert.deepInclude(moved, {
      trigger: "rank_changed",
      triggers_fired: ["rank_changed"],
      diff_summary: "For “best tools”, the brand “Acme” moved down from 1st to 2nd place on Gemini.",
      delta: {
        new_brands: [],
        dropped_brands: [],
        rank_changes: [{ brand: "Acme", from_rank: 1, to_rank: 2 }],
        top3_reordered: true
      }
    })
    assert.deepStrictEqual(
      moved.previous_response?.map(({ provider, rank }) => [provider, rank]),
      ["chatgpt", "claude", "gemini", "perplexity"].map((provider) => [provider, 1])
    )
    assert.deepStrictEqual(
      moved.current_response.brand_mentions.map(({ provider, rank }) => [provider, rank]),
      ["chatgpt", "claude", "gemini", "perplexity"].map((provider) => [provider, provider === "gemini" ? 2 : 1])
    )

    // An engine that fails is no removal, and its return is no addition.
    upstreams.say((vendor) => (vendor === "openai" ? 401 : vendor === "gemini" ? second : first))
    assert.deepInclude(await run(), {
      status: "completed",
      triggers_fired: [],
      delivery_status: null,
      diff_summary: null,
      cost_cents: 112.5
    })
    upstreams.say((vendor) => (vendor === "gemini" ? second : first))
    assert.deepInclude(await run(), { status: "completed", triggers_fired: [], cost_cents: 150 })
    upstreams.say(() => 401)
    assert.deepInclude(await run(), { status: "completed", triggers_fired: [], cost_cents: 0 })
    assert.lengthOf(await told(), 2)

    upstreams.say((vendor) => (vendor === "anthropic" ? 401 : vendor === "openai" ? absent : first))
    await run()
    const gone = (await told())[2] ?? assert.fail("the removal was not told")
    assert.deepInclude(gone, {
      trigger: "mention_removed",
      triggers_fired: ["mention_removed", "rank_changed"],
      diff_summary: "For “best tools”, ChatGPT no longer names “Acme”. It moved up from 2nd to 1st place on Gemini."
    })
    assert.deepStrictEqual(gone.delta.dropped_brands, ["Acme"])
    const failed = gone.current_response.providers.find(({ provider }) => provider === "claude")
    assert.deepNestedInclude(failed ?? {}, { "error.code": "provider_auth_failed" })
    assert.deepInclude(gone.current_response.usage, { billable_units: 3, cost_cents: 112.5 })
    assert.lengthOf(await told(), 3)
    assert.lengthOf(await runs(), 7)
  })

  it("is sent only for the triggers of the watch", async () => {
    const { receiver, run, told } = await watcher("live", { trigger_on: ["mention_removed"] })
    assert.deepInclude(await run(), { triggers_fired: [], delivery_status: null })
    upstreams.say(() => second)
    assert.deepInclude(await run(), { triggers_fired: [] })
    upstreams.say(() => absent)
    assert.deepInclude(await run(), { triggers_fired: ["mention_removed"] })
    assert.lengthOf(await told(), 1)
    assert.lengthOf(receiver.received(), 1)
  })

  it("with sensitivity `evidence`, is sent once the change exceeds the watch's own noise, with the confidence", async () => {
    upstreams.say(() => absent)
    const { run, runs, told } = await watcher("live", { sensitivity: "evidence" })
    const noise = (n: number) => (vendor: string) => (vendor === "gemini" && n % 4 === 0 ? first : absent)
    for (const n of Array.from({ length: 10 }, (_, place) => place)) {
      upstreams.say(noise(n))
      assert.deepInclude(await run(), { triggers_fired: [] })
    }
    upstreams.say(() => first)
    let since = 0
    do since += 1
    while ((await run()).triggers_fired.length === 0 && since < 3)
    const [payload] = await told()
    assert.deepInclude(payload ?? {}, { trigger: "mention_added", triggers_fired: ["mention_added"] })
    const { by_trigger, ...evidence } = payload?.evidence ?? assert.fail("no evidence")
    assert.deepStrictEqual(Object.keys(by_trigger), ["mention_added"])
    assert.deepEqual(by_trigger["mention_added"], evidence)
    assert.isBelow(evidence.baseline_rate, 0.3)
    assert.isAbove(evidence.recent_rate, evidence.baseline_rate)
    assert.strictEqual(evidence.runs_seen + evidence.runs_since, 10 + since)
    assert.isAbove(evidence.confidence, 0.999)
    assert.match(payload?.diff_summary ?? "", /% of answers in the last/)
    const fired = (await runs()).find(({ id }) => id === payload?.run_id) ?? assert.fail("no run")
    assert.deepEqual(fired.evidence, payload?.evidence)
    assert.strictEqual(fired.diff_summary, payload?.diff_summary)
    await run()
    assert.lengthOf(await told(), 1)
  })

  it("can be tried with a test key: an engine that answers once and then refuses in words is a removal", async () => {
    const query = "best crm [[sandbox:answer;times=1]] [[sandbox:refusal]]"
    const { run, told } = await watcher("test", { query, brand: "HubSpot", trigger_on: ["mention_removed"] })
    await run()
    await run()
    const [payload] = await told()
    assert.deepInclude(payload?.delta ?? {}, { new_brands: [], dropped_brands: ["HubSpot"] })
    assert.isEmpty(payload?.current_response.brand_mentions)
  })

  it("is not sent if the watch is paused during the run; the run completes and is charged", async () => {
    const { ended, id, key, list, receiver, runs, send, told } = await watcher("test", {
      query: "best crm while pausing [[sandbox:latency=10s]]",
      brand: "HubSpot"
    })
    const { run_id } = decode.started((await send("POST", `/${id}/run`)).body)
    await waitFor("the run's beginning", async () => (await runs()).find(({ status }) => status === "running"))
    await send("DELETE", `/${id}`)
    const run = await ended(id, run_id)
    assert.deepInclude(run, { status: "completed", delivery_status: "undelivered" })
    assert.isAbove(run.cost_cents, 0)
    const [delivery] = await list()
    assert.deepInclude(delivery ?? {}, { status: "failed", reason: "watch_paused", next_attempt_at: null })
    assert.isEmpty(receiver.received())

    const replay = () => call(`${program.base}/v1/deliveries/${delivery?.id}/replay`, { key, method: "POST" })
    const refused = await replay()
    assert.strictEqual(refused.status, 409, refused.text)
    assert.include(refused.text, "The watch of this delivery is paused. Resume it")
    assert.lengthOf(await list(), 1)
    await send("POST", `/${id}/resume`)
    assert.strictEqual((await replay()).status, 202)
    await told()
    assert.lengthOf(receiver.received(), 1)
  })
})

describe("a delivery that failed three times", () => {
  it("leaves its run undelivered; the next change has its own delivery, and a replay sends the same bytes", async () => {
    const { delivery, key, list, receiver, run, runs, told } = await watcher("live")
    receiver.fail()
    await run()
    await told()
    const [failed] = await list()
    assert.deepInclude(failed ?? {}, { status: "failed", reason: "http_503" })
    const { attempts } = await delivery(failed?.id ?? "")
    assert.deepStrictEqual(
      attempts.map(({ number, status_code }) => [number, status_code]),
      [1, 2, 3].map((number) => [number, 503])
    )
    assert.deepStrictEqual(
      receiver.received().map(({ headers }) => headers["x-svc-delivery-id"]),
      attempts.map(({ delivery_id }) => delivery_id)
    )
    assert.deepInclude((await runs())[0] ?? {}, { status: "completed", delivery_status: "undelivered" })

    receiver.recover()
    upstreams.say(() => second)
    const next = await run()
    await told()
    const bodies = () => receiver.received().map(({ body }) => body)
    assert.strictEqual(new Set(bodies().slice(0, 3)).size, 1)
    assert.lengthOf(bodies(), 4)
    assert.strictEqual(decodeFired(JSON.parse(bodies()[3] ?? "")).run_id, next.id)
    assert.deepStrictEqual(
      (await list()).map(({ run_id, status }) => [run_id, status]),
      [
        [next.id, "delivered"],
        [failed?.run_id, "failed"]
      ]
    )
    assert.lengthOf(await list("&status=failed"), 1)
    assert.deepStrictEqual(
      (await runs()).map(({ delivery_status }) => delivery_status),
      ["delivered", "undelivered"]
    )

    const replayed = await call(`${program.base}/v1/deliveries/${failed?.id}/replay`, { key, method: "POST" })
    assert.strictEqual(replayed.status, 202)
    await told()
    assert.strictEqual(bodies()[4], bodies()[0])
    assert.deepStrictEqual(
      (await runs()).map(({ delivery_status }) => delivery_status),
      ["delivered", "delivered"]
    )

    receiver.fail()
    await call(`${program.base}/v1/deliveries/${failed?.id}/replay`, { key, method: "POST" })
    await told()
    assert.strictEqual((await list())[0]?.status, "failed")
    assert.deepStrictEqual(
      (await runs()).map(({ delivery_status }) => delivery_status),
      ["delivered", "delivered"]
    )
  })
})
