/**
 * Which capture serves each surface, given the settings and whether there is Chromium.
 *
 * Planted and seen red: cloro as the fallback without a key, or for Bing; the browser with a vendor as its fallback; test keys on the route
 * of live keys; Perplexity by cloro without an account there.
 */
import { LiveSurface } from "@sightline/domain/Platform"
import { chromiumFor } from "@sightline/server/captures/Chromium"
import { liveRoutes, surfacesOf } from "@sightline/server/captures/LiveRoutes"
import { readLive, serves } from "@sightline/server/settings/LiveSettings"
import { Effect, Redacted } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

type Variables = Readonly<Record<string, string>>

const settingsOf = (env: Variables) => Effect.runPromise(readLive(env))

const routesOf = async (env: Variables, chromium = false) => liveRoutes(await settingsOf(env), chromium)

const dataForSeo = { LIVE_CAPTURE: "dataforseo", DATAFORSEO_LOGIN: "l", DATAFORSEO_PASSWORD: "p" }

describe("live keys", () => {
  it("have no surface where nothing is configured", async () => {
    const { live } = surfacesOf(await routesOf({}, true))
    assert.strictEqual(live.size, 0)
  })

  it("have five surfaces by DataForSEO, without Perplexity", async () => {
    assert.deepEqual((await routesOf(dataForSeo)).live, {
      perplexity_live: [],
      chatgpt_live: ["dataforseo"],
      gemini_live: ["dataforseo"],
      ai_overview: ["dataforseo"],
      ai_mode: ["dataforseo"],
      bing_copilot: ["dataforseo"]
    })
  })

  it("have Perplexity by cloro if its key is set, and cloro as the fallback of DataForSEO for the surfaces it has", async () => {
    assert.deepEqual((await routesOf({ ...dataForSeo, CLORO_API_KEY: "k" })).live, {
      perplexity_live: ["cloro"],
      chatgpt_live: ["dataforseo", "cloro"],
      gemini_live: ["dataforseo", "cloro"],
      ai_overview: ["dataforseo", "cloro"],
      ai_mode: ["dataforseo", "cloro"],
      bing_copilot: ["dataforseo"]
    })
  })

  it("have every surface by the browser alone, except those configured otherwise", async () => {
    const env = {
      LIVE_CAPTURE: "browser",
      CLORO_API_KEY: "k",
      LIVE_CAPTURE_CHATGPT: "off",
      LIVE_CAPTURE_GEMINI: "cloro"
    }
    assert.deepEqual((await routesOf(env, true)).live, {
      perplexity_live: ["browser"],
      chatgpt_live: [],
      gemini_live: ["cloro"],
      ai_overview: ["browser"],
      ai_mode: ["browser"],
      bing_copilot: ["browser"]
    })
    const one = await routesOf({ ...dataForSeo, LIVE_CAPTURE: "off", LIVE_CAPTURE_AI_OVERVIEW: "DataForSEO" })
    assert.deepEqual([...surfacesOf(one).live], ["ai_overview"])
  })
})

describe("test keys", () => {
  it("have all six in any configuration: by the browser if there is Chromium, else in the vendors' formats", async () => {
    for (const env of [{}, dataForSeo, { LIVE_CAPTURE_AI_MODE: "browser" }]) {
      const [pages, vendors] = [await routesOf(env, true), await routesOf(env, false)]
      for (const surface of LiveSurface.literals) {
        assert.deepEqual(pages.test[surface], ["browser"])
        assert.deepEqual(vendors.test[surface], [surface === "perplexity_live" ? "cloro" : "dataforseo"])
      }
      assert.strictEqual(surfacesOf(vendors).test.size, 6)
    }
  })
})

it("every capture on a route supports its surface, for all valid settings", () => {
  const kind = fc.constantFrom("off", "browser", "dataforseo", "cloro", undefined)
  const names = ["PERPLEXITY", "CHATGPT", "GEMINI", "AI_OVERVIEW", "AI_MODE", "BING_COPILOT"]
  const env = fc.record({
    LIVE_CAPTURE: kind,
    CLORO_API_KEY: fc.constantFrom("k", undefined),
    DATAFORSEO_LOGIN: fc.constantFrom("l", undefined),
    DATAFORSEO_PASSWORD: fc.constant("p"),
    ...Object.fromEntries(names.map((name) => [`LIVE_CAPTURE_${name}`, kind]))
  })
  fc.assert(
    fc.property(env, fc.boolean(), (drawn, chromium) => {
      const settings = Effect.runSync(Effect.result(readLive(drawn)))
      if (settings._tag === "Failure") return
      const routes = liveRoutes(settings.success, chromium)
      for (const environment of ["live", "test"] as const)
        for (const surface of LiveSurface.literals)
          for (const taken of routes[environment][surface]) assert.isTrue(serves(taken, surface))
    })
  )
})

describe("browser settings", () => {
  it("proxies are read by region and redacted", async () => {
    const given = { us: "http://u:p@us.proxy:8000", uk: "socks5://[2001:db8::1]:1080", au: "https://10.0.0.1:443/" }
    const { proxies } = await settingsOf({ GEO_PROXIES: JSON.stringify(given) })
    assert.deepEqual(Object.fromEntries(Array.from(proxies, ([region, url]) => [region, Redacted.value(url)])), given)
    assert.notInclude(JSON.stringify([...proxies]), "proxy")
  })

  it("Chromium is the configured one, is found on PATH, or is off", async () => {
    const find = async (env: Variables) => Effect.runPromise(chromiumFor(await settingsOf(env)))
    assert.deepInclude(await find({ CHROMIUM_PATH: process.execPath, PATH: "" }), { value: process.execPath })
    for (const env of [{ PATH: "/nowhere" }, { CHROMIUM_PATH: "off", PATH: process.env["PATH"] ?? "" }])
      assert.strictEqual((await find(env))._tag, "None")
  })
})
