/**
 * The words for why a delivery failed, as customers read them.
 *
 * Planted fault, seen red: `secret_unreadable` has no explanation.
 */
import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { reasonText } from "@sightline/dashboard/webhooks/DeliveryReason"

const docs = readFileSync(new URL("../../docs/webhooks.md", import.meta.url), "utf8")
const [, table = ""] = /`error` of an attempt[^\n]*\n\n([\s\S]*)$/.exec(docs) ?? []
const words = table
  .split("\n")
  .flatMap((line) => Array.from(line.split("|")[1]?.matchAll(/`(\w+)`/g) ?? [], ([, word = ""]) => word))

it("every reason that the documentation lists is explained", () => {
  assert.isAbove(words.length, 10)
  for (const word of words) assert.notStrictEqual(reasonText(word), "", word)
})

it("a status appears in its explanation, and an unknown word has none", () => {
  assert.include(reasonText("http_429"), "429")
  assert.strictEqual(reasonText("http_"), "")
  assert.strictEqual(reasonText("toString"), "")
})
