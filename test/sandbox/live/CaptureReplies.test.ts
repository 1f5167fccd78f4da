/**
 * What surrounds a result of the simulated capture vendors: envelopes, the echo of the request, prices, and the codes and messages of
 * every failure.
 *
 * Planted and seen red: the code of a neighbouring failure; an HTTP failure reported in a task, or the reverse; a refusal with a cost;
 * the echo of a request under other names; a time of day without its zeros; credits left out.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Origin } from "../Origin.ts"
import { basic, send } from "./Sending.ts"

const endpoints = [
  ["ai_optimization", "chat_gpt", "llm_scraper"],
  ["ai_optimization", "gemini", "llm_scraper"],
  ["serp", "google", "organic"],
  ["serp", "google", "ai_mode"],
  ["serp", "bing", "organic"]
] as const

const pathOf = (names: ReadonlyArray<string>): string => `/dataforseo/v3/${names.join("/")}/live/advanced`

const [chatGpt] = endpoints

const task = { keyword: "best crm", location_code: 2826, language_code: "en", tag: "chk_01" }

const scened = (text: string) => `best crm [[sandbox:${text}]]`

const secondsIn = (time: string): number => Number(/^(\d+\.\d{4}) sec\.$/.exec(time)?.[1])

layer(Origin.layer({ seed: 1 }), { excludeTestServices: true })("a reply", (it) => {
  it.effect.each(endpoints)("DataForSEO echoes the request beside its result: %s/%s/%s", ([api, se, se_type]) =>
    Effect.gen(function* () {
      const keyword = scened("answer")
      const { body, status } = yield* send(pathOf([api, se, se_type]), basic, [{ ...task, keyword }])
      const [told] = body.tasks
      const [result] = told.result
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { status_code: 20000, status_message: "Ok.", tasks_count: 1, tasks_error: 0 })
      assert.match(body.version, /^\d+\.\d+\.\d{8}$/)
      assert.deepInclude(told, { status_code: 20000, status_message: "Ok.", result_count: 1 })
      assert.deepStrictEqual(told.path, ["v3", api, se, se_type, "live", "advanced"])
      const named = { api, function: api === "serp" ? "live" : "llm_scraper", se, se_type }
      assert.deepInclude(told.data, { ...named, ...task, keyword })
      assert.deepInclude(result, { keyword, location_code: 2826, language_code: "en" })
      // One task was sent, so the whole costs what the task costs, and takes at least as long.
      assert.deepStrictEqual([body.cost, told.cost], [0.004, 0.004])
      assert.isAtLeast(secondsIn(body.time), secondsIn(told.time))
    })
  )

  it.effect("DataForSEO gives each request its own id and a valid time", () =>
    Effect.gen(function* () {
      const bodies = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, index) => `best crm ${index}`),
        (keyword) => Effect.map(send(pathOf(chatGpt), basic, [{ ...task, keyword }]), ({ body }) => body)
      )
      const tasks = bodies.flatMap((body) => body.tasks)
      for (const { id, result } of tasks) {
        assert.match(id, /^\d{8}-[0-9a-f]{4}-\d{4}-\d{4}-[0-9a-f]{12}$/)
        assert.match(result[0].datetime, /^2026-11-21 (?:[01]\d|2[0-3]):[0-5]\d:\d\d \+00:00$/)
      }
      // Only the last part differs.
      assert.strictEqual(new Set(tasks.map(({ id }) => id.slice(-12))).size, tasks.length)
    })
  )

  it.effect.each<[string, number, string]>([
    ["status=400", 40503, "POST Data Is Invalid."],
    ["status=408", 50401, "Timeout."],
    ["status=429", 40202, "Rate-limit reached: too many requests per minute."],
    ["status=503", 50301, "3rd party API service is unavailable."],
    ["status=504", 50401, "Timeout."],
    ["captcha", 40202, "Rate-limit reached: too many requests per minute."],
    ["region", 40501, "Invalid Field: 'location_code'."],
    ["login-wall", 40104, "Please verify your account."],
    ["no-answer", 40102, "No Search Results."],
    ["misspelt", 40503, "Unknown sandbox directive: misspelt"]
  ])("DataForSEO tells %s in the task, with HTTP 200, and takes nothing for it", ([scene, code, message]) =>
    Effect.gen(function* () {
      const { body, status } = yield* send(pathOf(chatGpt), basic, [{ ...task, keyword: scened(scene) }])
      assert.strictEqual(status, 200)
      assert.deepInclude(body, { status_code: 20000, tasks_count: 1, tasks_error: 1, cost: 0 })
      const refused = { status_code: code, status_message: message, cost: 0, result_count: 0, result: null }
      assert.deepInclude(body.tasks[0], refused)
    })
  )

  it.effect.each<[number, number, string]>([
    [401, 40100, "You are not authorized to access this resource."],
    [402, 40200, "Payment Required."],
    [403, 40204, "Access denied."],
    [404, 40401, "Not Found."],
    [500, 50000, "Internal Error."]
  ])("DataForSEO tells %i in HTTP, without a task", ([http, code, message]) =>
    Effect.gen(function* () {
      const { body, status } = yield* send(pathOf(chatGpt), basic, [{ ...task, keyword: scened(`status=${http}`) }])
      assert.strictEqual(status, http)
      const refused = { status_code: code, status_message: message, tasks_count: 0, tasks_error: 0, tasks: null }
      assert.deepInclude(body, { ...refused, cost: 0 })
    })
  )

  it.effect.each<[string, number, string, string]>([
    ["status=401", 401, "MISSING_API_KEY", "Missing or invalid API key"],
    ["status=403", 403, "INSUFFICIENT_CREDITS", "Insufficient credits"],
    ["status=404", 404, "NOT_FOUND", "Route not found"],
    ["status=429", 429, "CONCURRENT_LIMIT_EXCEEDED", "Concurrent request limit exceeded"],
    ["status=500", 500, "INTERNAL_SERVER_ERROR", "Internal server error"],
    ["status=502", 502, "BAD_GATEWAY", "External service error"],
    ["captcha", 429, "CONCURRENT_LIMIT_EXCEEDED", "Concurrent request limit exceeded"],
    ["login-wall", 403, "INSUFFICIENT_PERMISSIONS", "Insufficient permissions"]
  ])("cloro: the status, code and words of %s", ([scene, http, code, message]) =>
    Effect.gen(function* () {
      const { body, headers, status } = yield* send(chat, "Bearer sk", { prompt: scened(scene) })
      const { timestamp, ...error } = body.error
      assert.deepStrictEqual([status, body.success, error], [http, false, { code, message }])
      assert.strictEqual(new Date(timestamp).toISOString(), timestamp)
      // There was no hint on when to retry.
      assert.isNull(headers.get("retry-after"))
    })
  )

  it.effect.each<[string, unknown, string, string]>([
    ["the surface's region", { prompt: scened("region") }, "country", "Country is not supported for this model"],
    ["a body that is no JSON", "{", "body", "Invalid JSON"],
    ["a prompt that is no text", { prompt: 1 }, "prompt", "Invalid value, expected string"]
  ])("cloro: 400 names the field for %s, and what is wrong with it", ([, request, field, message]) =>
    Effect.gen(function* () {
      const { body, status } = yield* send(chat, "Bearer sk", request)
      assert.strictEqual(status, 400)
      // Unlike that of any other failure, the error is a text, and the fields stand beside it.
      const error = "Request validation failed"
      assert.deepStrictEqual(body, { success: false, error, details: [{ field, message }] })
    })
  )

  it.effect("cloro: an unknown directive is named, and an answer gives its cost and the remaining credits", () =>
    Effect.gen(function* () {
      const unknown = yield* send(chat, "Bearer sk", { prompt: scened("misspelt") })
      assert.strictEqual(unknown.body.error.message, "Unknown sandbox directive: misspelt")
      const { body, headers } = yield* send(chat, "Bearer sk", { prompt: scened("answer") })
      assert.isTrue(body.success)
      for (const name of ["x-credits-charged", "x-credits-remaining"]) assert.match(headers.get(name) ?? "", /^\d+$/)
    })
  )
})

const chat = "/cloro/v1/monitor/chatgpt"
