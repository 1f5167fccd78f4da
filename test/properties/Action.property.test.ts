/** Planted fault, seen red: the key left out of the text. */
import { type Action, actionText } from "@sightline/domain/Action"
import { Record } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const words = fc.constantFrom("key_created", "key_revoked", "operator", "key")

const actions: fc.Arbitrary<Action> = fc.record({
  sequence: fc.integer({ min: 1, max: 1e9 }),
  createdAt: fc.constantFrom("2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05.000007Z"),
  action: words,
  principal: words,
  keyId: fc.option(fc.uuid()),
  requestId: fc.option(fc.uuid()),
  accountId: fc.uuid(),
  subject: fc.oneof(fc.uuid(), fc.constant("live-7")),
  facts: fc.dictionary(fc.constantFrom("name", "host"), fc.string()).map((facts) => JSON.stringify(facts)),
  hash: fc.constant("")
})

describe("actionText", () => {
  it("changes with every single field", () => {
    fc.assert(
      fc.property(actions, actions, (a, b) => {
        for (const field of Record.keys(a)) {
          if (field === "hash" || a[field] === b[field]) continue
          assert.notStrictEqual(actionText({ ...a, [field]: b[field] }), actionText(a))
        }
      })
    )
  })
})
