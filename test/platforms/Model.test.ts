/** Planted faults that turned this red: an expired id still found; two defaults accepted; an expiring default accepted. */
import { Option, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { defaultModel, findModel, type Model, ModelTable, shippedModels } from "@sightline/domain/Model"
import { LlmPlatform } from "@sightline/domain/Platform"

const model = (changes: Partial<Model>): Model => ({
  id: "a",
  platform: "chatgpt_api",
  default: true,
  webSearch: true,
  forcedSearch: true,
  temperature: true,
  ...changes
})
const others = LlmPlatform.literals
  .filter((platform) => platform !== "chatgpt_api")
  .map((platform) => model({ platform }))
const isTable = Schema.is(ModelTable)

describe("a model", () => {
  const table = ModelTable.make([...others, model({}), model({ id: "b", default: false, expiresAt: "2026-12-11" })])

  it("is found until it expires", () => {
    assert.isTrue(Option.isSome(findModel(table, "chatgpt_api", "b", "2026-12-10")))
    assert.isTrue(Option.isNone(findModel(table, "chatgpt_api", "b", "2026-12-11")))
  })

  it("is found on its own platform only", () => {
    assert.isTrue(Option.isNone(findModel(table, "claude_api", "b", "2026-01-01")))
  })
})

describe("a table is refused", () => {
  it.each([
    ["without a default", [...others]],
    ["with two defaults", [...others, model({}), model({ id: "b" })]],
    ["whose default expires", [...others, model({ expiresAt: "2030-01-01" })]],
    ["that lists a model twice", [...others, model({}), model({ default: false })]]
  ])("%s", (_why, models) => {
    assert.isFalse(isTable(models))
  })
})

describe("the shipped table", () => {
  it.each(LlmPlatform.literals)("has a default for %s", (platform) => {
    assert.strictEqual(defaultModel(shippedModels, platform).platform, platform)
  })

  it("survives a round trip through a file", () => {
    const read = Schema.decodeUnknownSync(Schema.fromJsonString(ModelTable))(JSON.stringify(shippedModels))
    assert.deepStrictEqual(read, shippedModels)
  })

  it("forces no search on a model that has none", () => {
    assert.isEmpty(shippedModels.filter(({ forcedSearch, webSearch }) => forcedSearch && !webSearch))
  })
})
