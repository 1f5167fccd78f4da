/**
 * Whatever a call is answered is in `/openapi.json`, field by field: what is made, read, changed, run, replayed and taken back, and what
 * is refused, of every endpoint.
 *
 * Planted and seen red: another code, or another status, for a refusal.
 */
import type { JsonSchema } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { describing } from "./describing.ts"
import { originOf, signIn } from "./browsing.ts"
import { type Answered, call, customer, generous, operator } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"
import { started } from "./started.ts"
import { waitFor } from "./waiting.ts"
import { receiving, wishes } from "./watching.ts"

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: JsonSchema.JsonSchema }>> }>
  >
}

const { env, program } = await started(receiving)
const admin = operator(program, env.ADMIN_TOKEN)
const description = (await call(`${program.base}/openapi.json`)).body
const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = description.paths
const isDescribed = describing(description.components.schemas)

/** The routes of which an answer that is no refusal was compared with its description. */
const succeeded = new Set<string>()

/** Asserts that an answer of this route is what the description says of its status. */
const assertDescribed = (route: string, { body, status, text }: Answered): void => {
  const [method = "", path = ""] = route.split(" ")
  const { content } =
    paths[path]?.[method.toLowerCase()]?.responses[status] ?? assert.fail(`${route} ${status} ${text}`)
  const schema = content?.["application/json"]?.schema
  if (schema === undefined) assert.strictEqual(text, "", route)
  else assert.isTrue(isDescribed(schema)(body), `${route} ${status} ${text}`)
  if (status < 300) succeeded.add(route)
}

interface Sent {
  readonly id?: string
  readonly query?: string
  readonly body?: unknown
  readonly headers?: object
}

/** What a key sends: each answer is compared with its description. */
const sending =
  (key: string) =>
  async (route: string, status: number, { body, headers = {}, id = "", query = "" }: Sent = {}) => {
    const [method = "", path = ""] = route.split(" ")
    const url = `${program.base}${path.replace("{id}", id)}${query}`
    const answer = await call(url, { key, method, headers, ...(body === undefined ? {} : { body }) })
    assert.strictEqual(answer.status, status, `${route} ${answer.text}`)
    assertDescribed(route, answer)
    return answer
  }

const own = await customer(program, env.ADMIN_TOKEN)
const send = sending(own.key)
const live = sending((await admin.key(own.account, { environment: "live", rate_limits: generous })).key)
const url = "https://127.9.0.1:9443/in"
const crm = { query: "best crm [[sandbox:answer]]", brand: "HubSpot" }

describe("what is answered", () => {
  it("to calls that spend", async () => {
    await send("POST /v1/check", 200, { body: { ...crm, include: ["raw", "branding"], city: "Leeds" } })
    await send("POST /v1/check", 200, { body: { ...crm, mode: "all_live" } })
    await send("POST /v1/check", 200, { body: { ...crm, query: "best [[sandbox:no-answer]]", mode: "ai_overview" } })
    await send("POST /v1/check", 200, { body: { ...crm, query: "best [[sandbox:status=429;retry-after=9]]" } })
    await send("POST /v1/check", 400, { body: { ...crm, models: { claude: "none" } } })
    await send("POST /v1/check", 501, { body: { ...crm, mode: "deep" } })
    await live("POST /v1/check", 501, { body: { ...crm, mode: "ai_mode" } })
    await live("POST /v1/check", 402, { body: crm })
    const sides = { query: crm.query, brand_a: "HubSpot", brand_b: "Zoho" }
    await send("POST /v1/compare", 200, { body: sides })
    await send("POST /v1/compare", 200, { body: { ...sides, query: "best crm [[sandbox:gemini:status=500]]" } })
    await send("POST /v1/compare", 400, { body: { brand_a: "HubSpot" } })
    await live("POST /v1/compare", 501, { body: { ...sides, mode: "perplexity_live" } })
    await live("POST /v1/compare", 402, { body: sides })
    await send("POST /v1/discover", 200, { body: { brand: "Acme [[sandbox:answer]]", industry: "shoes" } })
    await send("POST /v1/discover", 200, { body: { brand: "Acme [[sandbox:openai:status=500]]" } })
    await live("POST /v1/discover", 402, { body: { brand: "Acme" } })
    const ask = { prompt: "best crm [[sandbox:answer]]", track_brands: ["HubSpot"] }
    const { body } = await send("POST /v1/ask", 200, { body: ask })
    await send("POST /v1/ask", 200, { body: { ...ask, model: { openai: "none" } } })
    await send("POST /v1/ask", 400, { body: { ...ask, json_schema: {} } })
    await live("POST /v1/ask", 402, { body: ask })
    await send("GET /v1/ask/{id}", 200, { id: body.id })
    const aged = "UPDATE asks SET created_at = created_at - interval '31 days'"
    await sqlOn(env.DATABASE_URL, (sql) => sql`${sql.literal(aged)} WHERE id = ${body.id}`)
    await send("GET /v1/ask/{id}", 410, { id: body.id })
    for (const [name, body] of Object.entries({ check: crm, compare: sides, discover: { brand: "Acme" }, ask })) {
      const headers = { "idempotency-key": `one of ${name}` }
      await send(`POST /v1/${name}`, 200, { body, headers })
      const [field = ""] = Object.keys(body)
      await send(`POST /v1/${name}`, 422, { body: { ...body, [field]: "another" }, headers })
      assert.isTrue(succeeded.has(`POST /v1/${name}`))
    }
  })

  it("to what is made, changed, run, replayed and taken back, and to what there is none of", async () => {
    const { id } = (await send("POST /v1/webhooks", 201, { body: { url } })).body.webhook
    await send("GET /v1/webhooks", 200)
    await send("GET /v1/webhooks/{id}", 200, { id })
    await send("PATCH /v1/webhooks/{id}", 200, { id, body: { description: "mine" } })
    await send("PATCH /v1/webhooks/{id}", 200, { id, body: { rotate_secret: true } })
    await send("PATCH /v1/webhooks/{id}", 400, { id, body: {} })
    const ask = { prompt: "best crm [[sandbox:answer]]", async: true, webhook_id: id }
    const { ask_id } = (await send("POST /v1/ask", 202, { body: ask })).body
    await send("GET /v1/ask/{id}", 200, { id: ask_id })
    const failed = await waitFor("a delivery that failed", async () => {
      const { deliveries } = (await send("GET /v1/deliveries", 200, { query: `?webhook_id=${id}&status=failed` })).body
      return deliveries[0]
    })
    await send("GET /v1/deliveries/{id}", 200, { id: failed.id })
    await send("POST /v1/deliveries/{id}/replay", 202, { id: failed.id })
    await send("DELETE /v1/webhooks/{id}", 204, { id })
    const { key } = (await send("POST /v1/keys", 201, { body: {} })).body
    await send("DELETE /v1/keys/{id}", 204, { id: key.id })
    await send("GET /v1/keys", 200)
    await send("POST /v1/watch", 501, { body: { ...wishes, mode: "deep" } })
    await live("POST /v1/watch", 501, { body: { ...wishes, mode: "ai_mode" } })
    const watch = (await send("POST /v1/watch", 201, { body: { ...wishes, sensitivity: "evidence" } })).body.id
    await send("POST /v1/watch/{id}/run", 202, { id: watch })
    await waitFor("the end of the run", async () => {
      const [run] = (await send("GET /v1/watch/{id}/runs", 200, { id: watch })).body.runs
      return run.finished_at ?? undefined
    })
    await send("GET /v1/watch", 200)
    await send("GET /v1/watch/{id}", 200, { id: watch })
    await send("DELETE /v1/watch/{id}", 200, { id: watch })
    await send("POST /v1/watch/{id}/run", 409, { id: watch })
    await send("POST /v1/watch/{id}/resume", 200, { id: watch })
    for (const [path, operations] of Object.entries(paths))
      for (const method of path.includes("{id}") ? Object.keys(operations) : []) {
        const body = method === "patch" ? { enabled: true } : undefined
        await send(`${method.toUpperCase()} ${path}`, 404, { id: randomUUID(), body })
      }
    assert.isTrue(succeeded.has("POST /v1/deliveries/{id}/replay"))
  })

  it("to what is read, and by a browser", async () => {
    const [check] = (await send("GET /v1/checks", 200)).body.checks
    await send("GET /v1/checks/{id}", 200, { id: check.id })
    const [charge] = (await send("GET /v1/charges", 200)).body.charges
    await send("GET /v1/charges/{id}", 200, { id: charge.id })
    for (const path of ["wallet", "ledger", "usage", "models", "visibility/pairs", "visibility", "health"])
      await send(`GET /v1/${path}`, 200)
    await live("GET /v1/visibility", 200)
    for (const path of Object.keys(paths).filter(
      (path) => path.startsWith("/v1/") && paths[path]?.["get"] !== undefined
    ))
      await send(`GET ${path}`, 400, { id: randomUUID(), query: "?other=1" })
    const { headers } = await signIn(program, own.key)
    assertDescribed("GET /session", await call(`${program.base}/session`, { headers }))
    const body = { key: own.key }
    const page = { origin: originOf(program) }
    assertDescribed("POST /session", await call(`${program.base}/session`, { body, headers: page }))
    assertDescribed("POST /session", await call(`${program.base}/session`, { body }))
    assertDescribed("POST /session", await call(`${program.base}/session`, { body: { key: "none" }, headers: page }))
    assertDescribed("DELETE /session", await call(`${program.base}/session`, { method: "DELETE", headers }))
    assert.isTrue(succeeded.has("DELETE /session"))
  })

  it("is compared for every endpoint", () => {
    const routes = Object.entries(paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`)
    )
    assert.deepStrictEqual(
      routes.filter((route) => !succeeded.has(route)),
      []
    )
  })
})
