/**
 * Live modes for live keys, captured by the vendors in the settings; the endpoints of the sandbox stand in for them. The API and the worker
 * are separate processes on one NATS.
 *
 * Planted and seen red: the available surfaces taken from the routes of test keys; no fallback vendor; rate limits of surfaces ignored; a watch
 * refused because one surface of its mode is missing.
 */
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Origin } from "../sandbox/Origin.ts"
import { call, customer, installation, operator, overNats, type Program, startProgram } from "./program.ts"
import { wishes } from "./watching.ts"

const scope = Scope.makeUnsafe()
const programs: Array<Program> = []
let vendors: Readonly<Record<string, string>>
let env: Readonly<Record<string, string>> & { readonly ADMIN_TOKEN: string }

const start = async (more: Readonly<Record<string, string>>) => {
  const program = await startProgram({ ...env, ...vendors, ...more })
  programs.push(program)
  return program
}

beforeAll(async () => {
  const services = await Effect.runPromise(Scope.provide(Layer.build(Origin.layer({ seed: 7 })), scope))
  const origin = Context.get(services, Origin)
  vendors = {
    LIVE_CAPTURE: "dataforseo",
    DATAFORSEO_LOGIN: "login",
    DATAFORSEO_PASSWORD: "password",
    DATAFORSEO_BASE_URL: `${origin}/dataforseo`,
    CLORO_BASE_URL: `${origin}/cloro`
  }
  env = { ...(await installation()), ...overNats }
})
afterAll(async () => {
  await Promise.all(programs.map(({ stop }) => stop()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

const wide = { burst: 1000, per_second: 1000 }
const rate_limits = {
  "check:all_live": wide,
  "check:ai_mode": wide,
  "check:perplexity_live": wide,
  default: wide
}

/** A customer with a live and a test key, and the checks of each. */
const asking = async (program: Program) => {
  const api = operator(program, env.ADMIN_TOKEN)
  const { account, key } = await customer(program, env.ADMIN_TOKEN, 10_000, { rate_limits })
  await api.topUp(account, 10_000, "live")
  const live = await api.key(account, { environment: "live", rate_limits })
  const ask = (key: string) => (body: object) =>
    call(`${program.base}/v1/check`, { key, body: { query: "best kettle [[sandbox:answer]]", brand: "Acme", ...body } })
  const watch = (mode: string) => call(`${program.base}/v1/watch`, { key: live.key, body: { ...wishes, mode } })
  return { live: ask(live.key), test: ask(key), watch }
}

describe("an API and a worker with an account at DataForSEO only", () => {
  it("200: all_live has five surfaces, Perplexity fails in its slot, and five sixths are charged", async () => {
    await start({ ROLES: "worker,scheduler" })
    const { live, test, watch } = await asking(await start({ ROLES: "api" }))
    const { body } = await live({ mode: "all_live" })
    assert.sameMembers(Object.keys(body.providers), ["chatgpt", "gemini", "ai_overview", "ai_mode", "bing_copilot"])
    assert.deepEqual(
      Object.entries<{ code: string }>(body.errors).map(([slot, { code }]) => [slot, code]),
      [["perplexity", "upstream_unavailable"]]
    )
    assert.strictEqual(body.cost_cents, 137.5)
    assert.strictEqual((await live({ mode: "perplexity_live" })).status, 501)
    assert.deepEqual([(await watch("all_live")).status, (await watch("perplexity_live")).status], [201, 501])
    assert.strictEqual((await test({ mode: "perplexity_live" })).body.cost_cents, 85)
    assert.strictEqual((await test({ mode: "all_live" })).body.cost_cents, 165)
  })

  it("200: after a rate limit of live keys a surface cools down in every process, but only for live keys", async () => {
    const [first, second] = [await asking(await start({ ROLES: "api" })), await asking(await start({}))]
    const query = "best kettle [[sandbox:captcha]]"
    const met = await first.live({ mode: "ai_mode", region: "ca", query })
    assert.deepInclude(met.body.errors.ai_mode, { code: "upstream_rate_limited", retry_after_s: 30 })
    const other = await second.live({ mode: "ai_mode", region: "ca" })
    assert.strictEqual(other.body.errors.ai_mode.code, "upstream_rate_limited")
    assert.isBelow(other.body.errors.ai_mode.retry_after_s, 31)
    assert.strictEqual((await second.test({ mode: "ai_mode", region: "ca" })).body.cost_cents, 35)
    assert.strictEqual((await second.live({ mode: "ai_mode", region: "us" })).body.cost_cents, 35)
  })
})

describe("with cloro as fallback", () => {
  it("200: what DataForSEO cannot capture is captured by cloro, for the surfaces it supports", async () => {
    // A separate installation, because no other workers may take part.
    env = { ...(await installation()) }
    const { live } = await asking(await start({ CLORO_API_KEY: "key" }))
    assert.strictEqual((await live({ mode: "all_live" })).body.cost_cents, 165)
    const { body } = await live({ mode: "all_live", query: "best pan [[sandbox:dataforseo:status=500]]" })
    assert.deepEqual(Object.keys(body.errors ?? {}), ["bing_copilot"])
    assert.strictEqual(body.cost_cents, 137.5)
  })
})
