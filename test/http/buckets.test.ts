/**
 * Every call with a key takes one token: calls that spend from a bucket of their own, all others from the default one. A new route fails
 * here until it is counted.
 *
 * Planted and seen red: each call of `/v1/keys`, `/v1/wallet`, `/v1/ledger`, `/v1/charges`, `/v1/deliveries`, `/v1/models` and
 * `/v1/visibility/pairs` uncounted.
 */
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import { call, customer, generous } from "./program.ts"
import { started } from "./started.ts"
import { wishes } from "./watching.ts"

// Without a scheduler, so that the watch does not run.
const { env, program } = await started({ ROLES: "api,worker" })
const limits = { ...generous, default: { burst: 1000, per_second: 0.0001 } }
const { key } = await customer(program, env.ADMIN_TOKEN, 1000, { rate_limits: limits })

/** The bodies of the calls that need one. */
const bodies: Readonly<Record<string, object>> = {
  "POST /v1/watch": wishes,
  "POST /v1/webhooks": { url: "https://93.184.216.34/in" },
  "PATCH /v1/webhooks/{id}": { description: "changed" },
  "POST /v1/keys": {}
}

const spending = new Set(["check", "compare", "discover", "ask"].map((endpoint) => `POST /v1/${endpoint}`))

type Methods = Readonly<Record<string, { readonly security: ReadonlyArray<object> }>>
const { paths } = (await call(`${program.base}/openapi.json`)).body
const routes = Object.entries<Methods>(paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security }]) =>
      !security.some((way) => "bearer" in way) ? [] : [`${method.toUpperCase()} ${path}`]
    )
  )
  .filter((route) => !spending.has(route))

/** Makes a call, and returns the number of tokens that are left after it. */
const left = async (route: string): Promise<number> => {
  const [method = "", path = ""] = route.split(" ")
  const url = program.base + path.replace("{id}", randomUUID())
  const { headers, status, text } = await call(url, { key, method, body: bodies[route] })
  // An invalid call would take no token.
  assert.include([200, 201, 404], status, text)
  return Number(headers.get("x-ratelimit-remaining"))
}

describe("the default bucket", () => {
  it("is that of every route that does not spend", () => assert.isAtLeast(routes.length, 29))

  it.each(routes)("has one token less after %s", async (route) => {
    const before = await left("GET /v1/usage")
    assert.deepStrictEqual([await left(route), await left("GET /v1/usage")], [before - 1, before - 2])
  })
})
