/**
 * What the simulated capture vendors refuse, in their own formats.
 *
 * Planted and seen red: two tasks are accepted; a keyword one character too long is accepted; an empty password or login is accepted;
 * credentials without a colon are accepted; a password with a colon is refused; a format of another endpoint is accepted.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Origin } from "../Origin.ts"
import { basic, send } from "./Sending.ts"

const aiMode = "/dataforseo/v3/serp/google/ai_mode/live/advanced"
const perplexity = "/cloro/v1/monitor/perplexity"
const google = "/cloro/v1/monitor/google"

const encoded = (credentials: string) => `Basic ${Buffer.from(credentials).toString("base64")}`

const task = { keyword: "best crm", location_code: 2840, language_code: "en", device: "desktop", os: "windows" }

layer(Origin.layer({ seed: 1 }), { excludeTestServices: true })("a capture vendor", (it) => {
  it.effect.each([undefined, "Bearer sk", "Basic", ...["login:", ":password", "loginpassword"].map(encoded)])(
    "DataForSEO: 401 and code 40100 without credentials (%s)",
    (authorization) =>
      Effect.gen(function* () {
        const { body, status } = yield* send(aiMode, authorization, [task])
        assert.deepStrictEqual([status, body.status_code, body.tasks], [401, 40100, null])
      })
  )

  it.effect.each([encoded("login:pass:word"), basic.replace("Basic", "basic")])(
    "DataForSEO: accepts a password with a colon in it, and the scheme in lower case (%s)",
    (authorization) =>
      Effect.gen(function* () {
        assert.strictEqual((yield* send(aiMode, authorization, [task])).status, 200)
      })
  )

  it.effect.each<[string, unknown, number, string]>([
    ["an object instead of a list", task, 40503, "POST Data Is Invalid."],
    ["no JSON", "{", 40503, "POST Data Is Invalid."],
    ["no task", [], 40503, "POST Data Is Invalid."],
    ["two tasks", [task, task], 40000, "You can set only one task at a time."],
    ["an empty keyword", [{ ...task, keyword: "" }], 40501, "Invalid Field: 'keyword'."],
    ["a keyword of 701 characters", [{ ...task, keyword: "k".repeat(701) }], 40501, "Invalid Field: 'keyword'."],
    ["no location", [{ ...task, location_code: undefined }], 40501, "Invalid Field: 'location_code'."],
    ["an unknown location", [{ ...task, location_code: 1 }], 40501, "Invalid Field: 'location_code'."],
    ["no language", [{ ...task, language_code: undefined }], 40501, "Invalid Field: 'language_code'."],
    ["an unknown field", [{ ...task, force: true }], 40506, "Unknown Fields in POST Data: 'force'."]
  ])("DataForSEO: 200 and the code in the task for %s", ([, body, code, message]) =>
    Effect.gen(function* () {
      const reply = yield* send(aiMode, basic, body)
      assert.deepStrictEqual([reply.status, reply.body.status_code, reply.body.tasks_error], [200, 20000, 1])
      const [refused] = reply.body.tasks
      assert.deepStrictEqual([refused.status_code, refused.status_message, refused.result], [code, message, null])
      assert.deepStrictEqual(refused.path, ["v3", "serp", "google", "ai_mode", "live", "advanced"])
    })
  )

  it.effect("DataForSEO: 404 and code 40401 for an unknown path, 500 and code 50000 on request", () =>
    Effect.gen(function* () {
      const unknown = yield* send("/dataforseo/v3/serp/nope", basic, [task])
      assert.deepStrictEqual([unknown.status, unknown.body.status_code], [404, 40401])
      const down = yield* send(aiMode, basic, [{ ...task, keyword: "best crm [[sandbox:status=500]]" }])
      assert.deepStrictEqual([down.status, down.body.status_code], [500, 50000])
    })
  )

  it.effect("DataForSEO: a keyword may have 2000 characters in a chat", () =>
    Effect.gen(function* () {
      const path = "/dataforseo/v3/ai_optimization/gemini/llm_scraper/live/advanced"
      const chat = { keyword: "k".repeat(2000), location_code: 2840, language_code: "en" }
      assert.strictEqual((yield* send(path, basic, [chat])).body.tasks[0].status_code, 20000)
    })
  )

  it.effect.each<[string, string | undefined, string, unknown, number, unknown]>([
    ["no key", undefined, perplexity, { prompt: "best crm" }, 401, "MISSING_API_KEY"],
    ["no JSON", "Bearer sk", perplexity, "{", 400, "body"],
    ["no prompt", "Bearer sk", perplexity, {}, 400, "prompt"],
    ["an unknown country", "Bearer sk", perplexity, { prompt: "best crm", country: "ZZ" }, 400, "country"],
    ["an unknown format", "Bearer sk", perplexity, { prompt: "best crm", include: { ads: true } }, 400, "include.ads"],
    ["no query", "Bearer sk", google, {}, 400, "query"],
    ["a prompt for a query", "Bearer sk", google, { query: "best crm", prompt: "best crm" }, 400, "prompt"],
    ["an unknown path", "Bearer sk", "/cloro/v1/monitor/grok", { prompt: "best crm" }, 404, "NOT_FOUND"]
  ])("cloro: %s", ([, authorization, path, body, status, said]) =>
    Effect.gen(function* () {
      const reply = yield* send(path, authorization, body)
      assert.deepStrictEqual([reply.status, reply.body.success], [status, false])
      assert.strictEqual(status === 400 ? reply.body.details[0].field : reply.body.error.code, said)
    })
  )

  it.effect("cloro: a retry hint is a header", () =>
    Effect.gen(function* () {
      const prompt = "best crm [[sandbox:status=429;retry-after=7]]"
      const { headers, status } = yield* send(perplexity, "Bearer sk", { prompt })
      assert.deepStrictEqual([status, headers.get("retry-after")], [429, "7"])
    })
  )

  it.effect("answers the same request with the same body, whatever was asked in between", () =>
    Effect.gen(function* () {
      const asks = [
        () => send(aiMode, basic, [task]),
        () => send(perplexity, "Bearer sk", { prompt: "best crm" }),
        () => send(google, "Bearer sk", { query: "best crm", include: { aioverview: { markdown: true } } })
      ]
      const first = yield* Effect.forEach(asks, (ask) => ask())
      const again = yield* Effect.forEach(asks.toReversed(), (ask) => ask())
      assert.deepStrictEqual(
        again.toReversed().map(({ body }) => body),
        first.map(({ body }) => body)
      )
    })
  )
})
