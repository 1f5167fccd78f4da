/**
 * What an operator reads about a failed call: enough to ask the vendor about it, and nothing that the vendor could inject.
 *
 * Planted and seen red: `request-id` is not read; the id of a failure inside a success is left out; any id is accepted; an answer
 * without text is not logged.
 */
import { Logger, Layer, ManagedRuntime, Result } from "effect"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { UpstreamClient } from "@sightline/platforms/UpstreamClient"
import {
  captureWith,
  type Fixture,
  fixture,
  openVendor,
  platformOf,
  question,
  sending,
  serving,
  type Vendor
} from "./LocalVendor.ts"

interface Line {
  readonly message: string
  readonly level: string
  readonly annotations: Readonly<Record<string, string>>
}

const lines: Array<Line> = []
const recording = Logger.layer([
  Logger.map(Logger.formatJson, (line) => {
    lines.push(JSON.parse(line))
  })
])
const client = ManagedRuntime.make(Layer.merge(UpstreamClient.layer, recording))
const capture = captureWith(client)
let vendor: Vendor

beforeAll(async () => {
  vendor = await openVendor()
})
beforeEach(() => {
  lines.length = 0
})
afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

/** The log lines of one failed call. */
const told = async (name: string, given: Fixture) => {
  vendor.answer(serving(given))
  const platform = platformOf(name)
  const outcome = await capture(platform, vendor.url, question(platform), { deadline: "10 seconds" })
  assert.isTrue(Result.isFailure(outcome))
  return lines.map(({ annotations, message }) => [message, annotations["platform"], annotations["vendorRequestId"]])
}

const withId = (name: string, header: string, id: string): Fixture => {
  const given = fixture(name)
  return { ...given, headers: { ...given.headers, [header]: id } }
}

describe("the line of a failure", () => {
  it.each([
    ["openai_401", "x-request-id"],
    ["openai_failed_200", "x-request-id"],
    ["anthropic_401", "request-id"],
    ["perplexity_400_model", "x-request-id"]
  ])("%s has the vendor's id of the request, from %s", async (name, header) => {
    assert.deepStrictEqual(await told(name, withId(name, header, "req_01-a.B")), [
      ["Upstream call failed", platformOf(name), "req_01-a.B"]
    ])
  })

  it.each(["a b", '"},{"', "<b>", "x".repeat(65), "\u00e9"])("has no id that is none: %j", async (id) => {
    assert.deepStrictEqual(await told("openai_401", withId("openai_401", "x-request-id", id)), [
      ["Upstream call failed", "chatgpt_api", ""]
    ])
  })
})

it("an answer without text is logged like any other failure", async () => {
  vendor.answer(sending(200, JSON.stringify({ ...fixture("openai_grounded").body, output: [] })))
  assert.isTrue(Result.isFailure(await capture("chatgpt_api", vendor.url, question("chatgpt_api"))))
  const [{ annotations, level, message } = assert.fail("nothing is said"), ...more] = lines
  assert.isEmpty(more)
  assert.deepStrictEqual([message, level], ["Upstream call failed", "WARN"])
  assert.deepInclude(annotations, { platform: "chatgpt_api", code: "provider_error", detail: "wordless" })
})
