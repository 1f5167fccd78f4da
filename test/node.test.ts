import { assert, it } from "vitest"

it("runs on the Node that npm brought in, not on the machine's", () => {
  assert.strictEqual(process.versions.node.split(".")[0], "24")
})
