/**
 * Tenant isolation for every route of `/openapi.json`. A new route fails here until it has its row.
 *
 * Planted and seen red: a charge found from the other environment of its account; a read-only key that creates another; a page of watches
 * of any account; a page of charges of any environment.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { type Browsing, signIn } from "./browsing.ts"
import { type Answered, call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { receiving, wishes } from "./watching.ts"
import { waitFor } from "./waiting.ts"

/** Nothing listens there: each delivery fails at once. */
const url = "https://127.9.0.1:9443/in"

interface Route {
  readonly method: string
  readonly path: string
}

/** The id of one object of each kind that a path names. */
type Things = Readonly<Record<string, string>>

const thingsOf = async (key: string): Promise<Things> => {
  const post = async (path: string, body: object) => {
    const answer = await call(`${program.base}/v1${path}`, { key, body })
    assert.isBelow(answer.status, 300, answer.text)
    return answer.body
  }
  const check = await post("/check", { query: "best crm", brand: "HubSpot" })
  const watch = await post("/watch", { ...wishes, webhook_url: url })
  await post(`/watch/${watch.id}/run`, {})
  const { webhook } = await post("/webhooks", { url })
  const ask = await post("/ask", { prompt: "best crm", async: true, webhook_id: webhook.id })
  const first = (path: string, list: string): Promise<string> =>
    waitFor(list, async () => (await call(`${program.base}/v1${path}`, { key })).body[list][0]?.id)
  return {
    checks: check.id,
    watch: watch.id,
    webhooks: webhook.id,
    ask: ask.ask_id,
    deliveries: await first(`/deliveries?webhook_id=${webhook.id}`, "deliveries"),
    charges: await first("/charges", "charges"),
    keys: (await post("/keys", {})).key.id
  }
}

const { env, program } = await started(receiving)
const admin = operator(program, env.ADMIN_TOKEN)
const { paths } = (await call(`${program.base}/openapi.json`)).body
const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => ({ method: method.toUpperCase(), path }))
)
const owner = async () => {
  const { account, key } = await customer(program, env.ADMIN_TOKEN)
  const { key: live } = await admin.key(account, { environment: "live", rate_limits: generous })
  const { key: reader } = await admin.key(account, { read_only: true, rate_limits: generous })
  return { key, live, reader, things: await thingsOf(key) }
}
const owners = [await owner(), await owner()]

const malformed = ["x", "null", "%00", "%F0%9F%94%94", "..%2f", `{${randomUUID()}}`, "constructor", "a".repeat(5000)]

const kindOf = (path: string) => path.split("/")[2] ?? ""

/** Sends what the route takes, with a key or a session. */
const send = ({ method, path }: Route, id: string, by: string | Browsing): Promise<Answered> =>
  call(program.base + path.replace(/\{\w+\}/, id), {
    method,
    ...(typeof by === "string" ? { key: by } : { headers: by.headers }),
    ...(method === "PATCH" ? { body: { description: "changed" } } : {})
  })

/** The whole response, except for the request id and the remaining tokens. */
const said = ({ status, headers, text, body }: Answered): string => {
  const own = new Set(["date", "content-length", "x-ratelimit-remaining"])
  return JSON.stringify([status, [...headers].filter(([name]) => !own.has(name)), text.replace(body.request_id, "")])
}

const named = () => routes.filter(({ path }) => path.includes("{"))

describe("an object in a path", () => {
  it("404 with one message for a foreign, other-environment, unknown or malformed id, with a key and with a session", async () => {
    assert.isAtLeast(named().length, 14)
    for (const route of named())
      for (const [mine, theirs] of [owners, owners.toReversed()]) {
        if (mine === undefined || theirs === undefined) continue
        const id = theirs.things[kindOf(route.path)] ?? assert.fail(`no row for ${route.method} ${route.path}`)
        const ids = [id, id.toUpperCase(), `${id}%20`, id.replaceAll("-", ""), randomUUID(), ...malformed]
        for (const by of [mine.key, await signIn(program, mine.key), theirs.live]) {
          const answers = await Promise.all(ids.map((one) => send(route, one, by)))
          assert.lengthOf([...new Set(answers.map(said))], 1, `${route.method} ${route.path}`)
          assert.strictEqual(answers[0]?.status, 404)
        }
      }
  })

  it("is listed for its owner, and never for another account or the owner's other environment", async () => {
    const lists = routes.filter(({ method, path }) => method === "GET" && !path.includes("{"))
    for (const [mine, theirs] of [owners, owners.toReversed()]) {
      const ids = Object.values(mine?.things ?? {})
      const shownTo = async (by: string | Browsing) => {
        const texts = await Promise.all(lists.map(async (route) => (await send(route, "", by)).text))
        return ids.filter((id) => texts.some((text) => text.includes(id)))
      }
      assert.isAtLeast((await shownTo(mine?.key ?? "")).length, 6)
      for (const by of [mine?.live, theirs?.key, theirs?.live, await signIn(program, theirs?.key ?? "")])
        assert.deepEqual(await shownTo(by ?? ""), [])
    }
  })

  it("is there for its owner, unchanged", async () => {
    const { key, things } = owners[0] ?? assert.fail()
    const order = ["GET", "POST", "PATCH", "DELETE"]
    const ordered = named().toSorted((a, b) => order.indexOf(a.method) - order.indexOf(b.method))
    for (const route of ordered) {
      const { status, text } = await send(route, things[kindOf(route.path)] ?? "", key)
      assert.isBelow(status, 300, `${route.method} ${route.path} ${text}`)
      if (route.method === "GET") assert.notInclude(text, '"changed"')
    }
  })
})

it("403 for a read-only key on every route that changes something, before anything else is checked", async () => {
  const { reader, things } = owners[1] ?? assert.fail()
  const changing = routes.filter(({ method, path }) => method !== "GET" && path !== "/session")
  assert.isAtLeast(changing.length, 14)
  for (const route of changing)
    for (const by of [reader, await signIn(program, reader)]) {
      const { status, body } = await send(route, things[kindOf(route.path)] ?? "", by)
      assert.deepEqual([status, body.error.code], [403, "forbidden"], `${route.method} ${route.path}`)
    }
})
