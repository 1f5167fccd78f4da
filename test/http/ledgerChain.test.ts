/**
 * The snippet of docs/ledger.md re-hashes a wallet from the responses of the owner's calls alone.
 *
 * Planted and seen red: a memo missing from the response; amounts hashed in credits as they are; a missing entry.
 */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { assert, it } from "vitest"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"

const snippet = (() => {
  const docs = readFileSync(new URL("../../docs/ledger.md", import.meta.url), "utf8")
  return /```python\n([\s\S]*?)```/.exec(docs)?.[1] ?? assert.fail("no snippet")
})()

/** The head of the chain that the snippet computes for these entries; empty if the snippet fails. */
const headOf = (account: string, entries: ReadonlyArray<unknown>): string => {
  const program = `${snippet}\nimport json, sys\nprint(head(*json.load(sys.stdin)))`
  try {
    const input = JSON.stringify([account, entries])
    return execFileSync("python3", ["-c", program], { input, encoding: "utf8", stdio: "pipe" }).trim()
  } catch {
    return ""
  }
}

const { env, program } = await started()
const token = env.ADMIN_TOKEN

it("an owner can re-hash a wallet from its ledger, with every kind of entry, and detects changed and missing entries", async () => {
  const { account, key } = await customer(program, token, 1000)
  await operator(program, token).admin(`/accounts/${account}/topups`, {
    credits: 0.001,
    environment: "test",
    reference: "invoice 7 | März"
  })
  const post = (path: string, body: object) => call(`${program.base}${path}`, { key, body })
  const query = `what is whole for ${account}? [[sandbox:openai:status=500;times=2]] [[sandbox:answer]]`
  await post("/v1/check", { query, brand: "Acme" })
  await post("/v1/check", { query, brand: "Acme", providers: ["claude", "gemini"] })
  await post("/v1/ask", { prompt: `anything for ${account}? [[sandbox:status=500]]`, web_search: false })
  const { entries } = (await call(`${program.base}/v1/ledger?limit=200`, { key })).body
  entries.reverse()
  const kinds = new Set(entries.map(({ kind }: { readonly kind: string }) => kind))
  assert.sameMembers([...kinds], ["topup", "hold", "capture", "release", "charge"])
  assert.strictEqual(headOf(account, entries), entries.at(-1).hash)
  for (const change of [{ memo: "ours" }, { amount_cents: 1 }, { charge_id: account }])
    assert.strictEqual(headOf(account, [{ ...entries[0], ...change }, ...entries.slice(1)]), "")
  assert.strictEqual(headOf(account, entries.slice(1)), "")
})
