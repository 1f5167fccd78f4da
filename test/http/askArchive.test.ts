/**
 * `GET /v1/ask/{id}`: what is kept of an ask, for how long and for which caller, against the whole program.
 *
 * Planted and seen red: no status; an ask of any account or environment shown; asks that expire two days early, are found after 60 days, or
 * are never emptied.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { Expired } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { asking, decode } from "./asking.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"
import { waitUntil } from "./waiting.ts"

const { env, program } = await started()
const own = await customer(program, env.ADMIN_TOKEN)
const api = asking(program, own.key)

describe("the archive", () => {
  it("200: GET has the body of the ask, with a status and the charge, also for read-only keys, and uses the default bucket", async () => {
    const { text, body, headers } = await api.ask({ prompt: "best headphones", track_brands: ["Sony"] })
    const beside = JSON.stringify({ status: "completed", charge_id: headers.get("x-charge-id") })
    const { key } = await operator(program, env.ADMIN_TOKEN).key(own.account, { read_only: true })
    for (const reader of [own.key, key]) {
      const found = await call(`${program.base}/v1/ask/${body.id}`, { key: reader })
      assert.strictEqual(found.status, 200)
      decode.archived(found.body)
      assert.strictEqual(found.text, `${text.slice(0, -1)},${beside.slice(1)}`)
      assert.isNotNull(found.headers.get("x-ratelimit-remaining"))
    }
    assert.strictEqual((await asking(program, key).ask({ prompt: "q" })).status, 403)
  })

  it("404: an ask of another account or environment, an unknown id and a malformed id have the same response", async () => {
    const { id } = await api.answered({ prompt: "best running socks", providers: ["gemini"] })
    const stranger = await customer(program, env.ADMIN_TOKEN, 0)
    const live = await operator(program, env.ADMIN_TOKEN).key(own.account, { environment: "live" })
    const answers = [
      await asking(program, stranger.key).find(id),
      await asking(program, live.key).find(id),
      ...(await Promise.all([randomUUID(), "nonsense", "%00", `${id}x`, "a%2Fb"].map((each) => api.find(each))))
    ]
    for (const { status, text, body } of answers) {
      assert.strictEqual(status, 404, text)
      assert.strictEqual(
        text.replace(body.request_id, ""),
        (answers[0]?.text ?? "").replace(answers[0]?.body.request_id, "")
      )
    }
  })

  const age = (id: string, days: number) =>
    sqlOn(
      env.DATABASE_URL,
      (sql) => sql`UPDATE asks SET created_at = now() - ${days}::int * interval '1 day' WHERE id = ${id}`
    )

  it("410: after 30 days `details` and the top-level fields say so; until then the ask is complete", async () => {
    const { id } = await api.answered({ prompt: "best running hats", providers: ["gemini"] })
    await age(id, 29)
    assert.strictEqual((await api.find(id)).status, 200)
    for (const days of [31, 59]) {
      await age(id, days)
      const { status, body } = await api.find(id)
      assert.strictEqual(status, 410)
      const problem = exactly(Expired)(body)
      assert.deepInclude(problem.error, { code: "expired", details: { retention_days: 30 } })
      assert.strictEqual(problem.retention_days, 30)
    }
  })

  it("404: after 60 days the id is unknown; the sweeper first empties and then deletes the ask", async () => {
    const { id } = await api.answered({ prompt: "best running gloves", providers: ["gemini"] })
    const kept = () =>
      sqlOn(env.DATABASE_URL, (sql) => sql`SELECT request, result, mentions FROM asks WHERE id = ${id}`)
    await age(id, 31)
    await waitUntil("it is emptied", async () => (await kept())[0]?.["result"] === null)
    assert.deepEqual(await kept(), [{ request: null, result: null, mentions: null }])
    await age(id, 61)
    assert.strictEqual((await api.find(id)).status, 404)
    await waitUntil("it is deleted", async () => (await kept()).length === 0)
  })
})
