/**
 * Forms are checked by the contract's own schemas before anything is sent.
 *
 * Planted fault, seen red: only the first issue is shown.
 */
import { Effect, Result } from "effect"
import { assert, it } from "vitest"
import { CreateWatch } from "@sightline/contract/WatchApi"
import { UpdateWebhook } from "@sightline/contract/WebhookApi"
import { checked } from "@sightline/dashboard/Checked"

const watch = {
  query: "best crm",
  brand: "HubSpot",
  mode: "quick",
  interval: "daily",
  webhook_url: "https://hooks.example.com/in",
  webhook_secret: "0123456789abcdef",
  trigger_on: ["rank_changed"],
  sensitivity: "evidence"
}

const look = (body: unknown) => Effect.runSync(Effect.result(checked(CreateWatch, body)))

it("a body within the limits is passed on unchanged", () => {
  assert.deepEqual<unknown>(Result.getOrThrow(look(watch)), watch)
})

it("every field beyond its limits has an issue under its own name, with the API's message", () => {
  const result = look({ ...watch, query: "", brand: "🙂".repeat(101), webhook_secret: "short", trigger_on: [] })
  if (Result.isSuccess(result)) assert.fail("was taken")
  assert.strictEqual(result.failure.code, "invalid_request")
  assert.deepEqual(
    result.failure.issues.map(({ path }) => path),
    ["query", "brand", "webhook_secret", "trigger_on"]
  )
})

it("limits count characters like the API, not UTF-16 units", () => {
  assert.isTrue(Result.isSuccess(look({ ...watch, brand: "🙂".repeat(100) })))
})

it("an issue of the body as a whole has an empty path", () => {
  const result = Effect.runSync(Effect.result(checked(UpdateWebhook, {})))
  assert.deepEqual(Result.isFailure(result) && result.failure.issues.map(({ path }) => path), [""])
})
