/**
 * `X-Charge-ID`: each paid response names its charge, and `GET /v1/ask/{id}` names the charge of the ask, against the whole program.
 *
 * Planted and seen red:
 * - another id than that of the charge;
 * - no header if nothing was charged;
 * - a 202 without it;
 * - replays and acknowledgements stored without it;
 * - a queued ask without its charge;
 * - the id of the ask in its place;
 * - the header on a refusal.
 */
import { assert, describe, it } from "vitest"
import { asking } from "./asking.ts"
import { type Answered, call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"

const { env, program } = await started()
const rich = await customer(program, env.ADMIN_TOKEN)

interface Sent {
  readonly path: string
  readonly body: object
  readonly headers?: object
}

const send = ({ path, ...sent }: Sent, key: string | undefined = rich.key) =>
  call(`${program.base}/v1/${path}`, { key, ...sent })

const chargeOf = ({ headers }: Pick<Answered, "headers">): string => {
  const id = headers.get("x-charge-id") ?? ""
  assert.match(id, /^[0-9a-f-]{36}$/)
  return id
}

interface Entry {
  readonly charge_id?: string
  readonly kind: string
  readonly amount_cents: number
}

/** The amount that each charge in the ledger took, by its id. */
const taken = async (key: string) => {
  const entries: ReadonlyArray<Entry> = (await call(`${program.base}/v1/ledger?limit=200`, { key })).body.entries
  const byCharge = Map.groupBy(
    entries.filter(({ kind }) => kind !== "topup"),
    ({ charge_id }) => charge_id ?? ""
  )
  const spent = (kind: string) => kind === "capture" || kind === "charge"
  return new Map(
    Array.from(byCharge, ([id, moved]) => [
      id,
      moved.reduce((sum, { kind, amount_cents }) => sum + (spent(kind) ? amount_cents : 0), 0)
    ])
  )
}

/** Every kind of call with its cost: fresh, from cache, partly failed, and with every engine failed. */
const calls: ReadonlyArray<readonly [string, Sent, number]> = [
  ["a check", { path: "check", body: { query: "best crm [[sandbox:answer]]", brand: "HubSpot" } }, 150],
  ["a check from cache", { path: "check", body: { query: "best crm [[sandbox:answer]]", brand: "Zoho" } }, 5],
  [
    "a live check",
    { path: "check", body: { query: "best tea [[sandbox:answer]]", brand: "Acme", mode: "all_live" } },
    165
  ],
  ["a check that failed", { path: "check", body: { query: "best tea [[sandbox:status=401]]", brand: "Acme" } }, 0],
  [
    "a comparison",
    { path: "compare", body: { query: "best laptop [[sandbox:answer]]", brand_a: "Dell", brand_b: "Acer" } },
    150
  ],
  [
    "a comparison that failed in part",
    {
      path: "compare",
      body: { query: "best pen [[sandbox:openai:status=500]] [[sandbox:answer]]", brand_a: "A1", brand_b: "B2" }
    },
    112.5
  ],
  ["a discovery", { path: "discover", body: { brand: "Nike [[sandbox:answer]]", count: 5 } }, 50],
  ["a discovery that is remembered", { path: "discover", body: { brand: "Nike [[sandbox:answer]]", count: 5 } }, 50],
  ["a discovery that failed", { path: "discover", body: { brand: "Acme [[sandbox:status=401]]" } }, 0],
  ["an ask", { path: "ask", body: { prompt: "best shoes [[sandbox:answer]]", providers: ["openai", "gemini"] } }, 20],
  ["an ask from cache", { path: "ask", body: { prompt: "best shoes [[sandbox:answer]]", providers: ["openai"] } }, 1],
  ["an ask that failed", { path: "ask", body: { prompt: "best hats [[sandbox:status=401]]" } }, 0]
]

const costIn = ({ body }: Answered): number => body.cost_cents ?? body.usage.cost_cents

describe("X-Charge-ID", () => {
  it("200: is the charge of the call, and the ledger has its cost", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const named = new Map<string, number>()
    for (const [name, sent, cost] of calls) {
      const answer = await send(sent, key)
      assert.deepStrictEqual([answer.status, costIn(answer)], [200, cost], name)
      const id = chargeOf(answer)
      const { charge } = (await call(`${program.base}/v1/charges/${id}`, { key })).body
      assert.deepInclude(charge, { endpoint: sent.path, charged_cents: cost }, name)
      named.set(id, cost)
    }
    assert.sameDeepMembers([...named], [...(await taken(key))])
  })

  it("200, 202: is the same in every replay, also over a stream, and differs without the same idempotency key", async () => {
    const queued = { path: "ask", body: { prompt: "best hat", providers: ["openai"], mode: "standard" } }
    for (const [name, sent] of [...calls, ["a queued ask", queued] as const]) {
      const once = { ...sent, headers: { "idempotency-key": name } }
      const first = await send(once)
      const again = await send(once)
      assert.strictEqual(again.headers.get("idempotency-replay"), "true")
      assert.strictEqual(chargeOf(again), chargeOf(first), name)
      const followed = await fetch(`${program.base}/v1/${sent.path}`, {
        method: "POST",
        headers: {
          ...once.headers,
          authorization: `Bearer ${rich.key}`,
          "content-type": "application/json",
          accept: "text/event-stream"
        },
        body: JSON.stringify(sent.body)
      })
      assert.isNull(followed.headers.get("x-charge-id"))
      assert.include(await followed.text(), `"x-charge-id":"${chargeOf(first)}"`, name)
      assert.notStrictEqual(chargeOf(await send(sent)), chargeOf(first), name)
    }
  })

  it("202: is the charge held for a queued ask, which `GET` names while the ask is queued and after it has ended", async () => {
    const { key } = await customer(program, env.ADMIN_TOKEN)
    const { ask, find, finished } = asking(program, key)
    const slow = { prompt: "best bag [[sandbox:latency=5s;answer]]", providers: ["openai"], mode: "standard" }
    const accepted = await ask(slow)
    assert.strictEqual(accepted.status, 202)
    const id = chargeOf(accepted)
    assert.deepStrictEqual([...(await taken(key))], [[id, 0]])
    const { body: pending } = await find(accepted.body.ask_id)
    assert.include(["queued", "running"], pending.status)
    assert.strictEqual(pending.charge_id, id)
    assert.strictEqual((await finished(accepted.body.ask_id)).charge_id, id)
    assert.deepStrictEqual([...(await taken(key))], [[id, 7]])
    const live = await ask({ prompt: "best belt [[sandbox:answer]]", providers: ["openai"] })
    assert.strictEqual((await find(live.body.id)).body.charge_id, chargeOf(live))
  })

  it("is absent on a refusal, which holds nothing", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 0)
    const once = { burst: 1, per_second: 0.0001 }
    const limits = { "check:quick": once, compare: once, discover: once, ask: once }
    const limited = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: { ...generous, ...limits } })
    const reader = await operator(program, env.ADMIN_TOKEN).key(limited.account, { read_only: true })
    const body = { check: { query: "q", brand: "b" }, compare: { query: "q", brand_a: "a", brand_b: "b" } }
    for (const [path, right] of Object.entries({ ...body, discover: { brand: "b" }, ask: { prompt: "q" } })) {
      const sent = { path, body: right, headers: { "idempotency-key": path } }
      const spent = chargeOf(await send(sent, limited.key))
      const refusals = [
        [400, await send({ path, body: {} })],
        [401, await call(`${program.base}/v1/${path}`, { body: right })],
        [402, await send(sent, poor.key)],
        [403, await send({ path, body: right }, reader.key)],
        [429, await send({ path, body: right }, limited.key)]
      ] as const
      for (const [expected, { status, headers }] of refusals) {
        assert.strictEqual(status, expected, path)
        assert.isNull(headers.get("x-charge-id"), `${path} ${status}`)
      }
      assert.isTrue((await taken(limited.key)).has(spent))
    }
    assert.strictEqual((await taken(limited.key)).size, 4)
    assert.strictEqual((await taken(poor.key)).size, 0)
  })
})
