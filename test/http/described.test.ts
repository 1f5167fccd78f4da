/**
 * Every response is described in `/openapi.json`: its status, the type of its body, and each header except those that every response has.
 *
 * Planted and seen red:
 * - 429 without `retry-after`;
 * - a replay of an ask not described as one;
 * - a GET that does not describe what is left of its bucket;
 * - a 503 of reading endpoints that they do not have;
 * - the start of a window described as a `date-time`, which a day is not;
 * - calls with a stream described without it, or with the headers that are inside it;
 * - a session without its cookie;
 * - a call without a description or a title;
 * - a text without a description;
 * - an optional field without its default;
 * - the 401 of a check without its id;
 * - a conversation without its limits;
 * - a 400 of a call that needs no key;
 * - a body without the fields of which it must have one;
 * - one name for two bodies;
 * - an enumerated field without its values;
 * - responses that forbid additional fields, which a later release may have;
 * - an example that calls a foreign address;
 * - responses with a charge id that is not described;
 * - a time described as any text;
 * - a response described by the name of its schema;
 * - a figure without a description of what it counts;
 * - a header without a description;
 * - the limit of a page described as a text;
 * - a header that is a figure described as a text;
 * - the calls of a session described as if they took no cookie;
 * - the objects of a list without a name;
 * - conditions as parts of an `allOf`, and a code as the only part of an `anyOf`.
 */
import { AskProvider } from "@sightline/contract/AskResult"
import { followedPaths } from "@sightline/contract/Progress"
import { EntryKind } from "@sightline/domain/Ledger"
import { AskMode, Mode, RoadmapMode } from "@sightline/domain/Mode"
import { FailureCode } from "@sightline/domain/Platform"
import { guards } from "@sightline/server/http/Envelope"
import { assert, describe, it } from "vitest"
import { originOf, signIn } from "./browsing.ts"
import { type Answered, call, customer } from "./program.ts"
import { started } from "./started.ts"

type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>

/** A schema as far as it says what it is of. */
interface Described {
  readonly $ref?: string
  readonly description?: string
  readonly type?: string
  readonly anyOf?: ReadonlyArray<Described>
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: ReadonlyArray<string>
}

interface Operation {
  readonly requestBody?: { readonly content: Content }
  readonly security: ReadonlyArray<object>
  readonly description?: string
  readonly summary?: string
  readonly parameters?: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly schema: Described
  }>
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers?: Readonly<
          Record<string, { readonly required?: boolean; readonly description?: string; readonly schema: Described }>
        >
        readonly content?: Content
      }
    >
  >
}

const { env, program } = await started()
const token = env.ADMIN_TOKEN
const { body } = await call(`${program.base}/openapi.json`)
const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = body.paths
const schemas: Readonly<Record<string, Described & { readonly examples?: ReadonlyArray<object> }>> =
  body.components.schemas

/** The headers that every response has: the security headers, and those that HTTP itself needs. */
const everywhere = new Set([
  ...Object.keys(guards),
  "content-type",
  "content-length",
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding"
])

/** Each property of a schema and of its parts. */
const propertiesOf = (part: unknown): ReadonlyArray<readonly [name: string, schema: unknown]> => {
  if (typeof part !== "object" || part === null) return []
  const own = "properties" in part ? Object.entries(part.properties ?? {}) : []
  return [...own, ...Object.values(part).flatMap(propertiesOf)]
}

/** The schema name of a body. */
const nameOf = (body: Content[string] | undefined) => body?.schema.$ref?.slice("#/components/schemas/".length)

/** The schemas of what the service sends: responses, problems, events and webhooks. Those of request bodies are left out. */
const taken = new Set(
  Object.values(paths).flatMap(({ post, patch }) =>
    [post, patch].map((operation) => nameOf(operation?.requestBody?.content["application/json"]))
  )
)
const said = Object.keys(schemas).filter((name) => !taken.has(name))

/** Whether a schema, or the one that it refers to, has a description. */
const isSaid = (schema: Described | undefined): boolean =>
  schema !== undefined && (schema.description !== undefined || isSaid(schemas[nameOf({ schema }) ?? ""]))

/** Whether a value may have one of these types. */
const mayBe = (schema: Described, types: ReadonlyArray<string>): boolean =>
  types.includes(schema.type ?? "") || (schema.anyOf ?? []).some((one) => mayBe(one, types))

/** The fields of a schema, and of its parts, that may be a number, null or absent and have no description. */
const unsaidIn = (part: unknown, path: string): ReadonlyArray<string> => {
  if (typeof part !== "object" || part === null) return []
  const { properties = {}, required = [] }: Described = part
  const own = Object.entries(properties).filter(
    ([name, schema]) => !isSaid(schema) && (!required.includes(name) || mayBe(schema, ["number", "integer", "null"]))
  )
  const below = Object.entries(part).flatMap(([name, inside]) => unsaidIn(inside, `${path}.${name}`))
  return [...own.map(([name]) => `${path}.${name}`), ...below]
}

/** Asserts that a response of this route is described, and returns its status. */
const described = (route: string, { status, headers }: Pick<Answered, "headers" | "status">): number => {
  const [method = "", path = ""] = route.split(" ")
  const response = paths[path]?.[method.toLowerCase()]?.responses[status]
  assert.isDefined(response, `${route} ${status}`)
  const type = headers.get("content-type")
  assert.includeMembers(Object.keys(response?.content ?? {}), type === null ? [] : [type], `${route} ${status}`)
  const said = Object.entries(response?.headers ?? {})
  const sent = [...headers.keys()].filter((name) => !everywhere.has(name))
  assert.includeMembers(
    said.map(([name]) => name),
    sent,
    `${route} ${status}`
  )
  const needed = said.flatMap(([name, { required }]) => (required === true ? [name] : []))
  assert.includeMembers(sent, needed, `${route} ${status}`)
  return status
}

describe("/openapi.json", () => {
  it("describes the status and headers of calls that spend, also if they are refused, replayed or rate-limited", async () => {
    const once = { burst: 2, per_second: 0.001 }
    const limits = { "check:quick": once, ask: once, compare: once, discover: once }
    const { key } = await customer(program, token, 200, { rate_limits: limits })
    const bodies = {
      check: { query: "best running shoes [[sandbox:answer]]", brand: "Nike", providers: ["claude"] },
      ask: { prompt: "best running shoes [[sandbox:answer]]", providers: ["openai"] },
      compare: { query: "best crm [[sandbox:status=500]]", brand_a: "HubSpot", brand_b: "Zoho" },
      discover: { brand: "Nike [[sandbox:status=500]]" }
    }
    for (const [name, body] of Object.entries(bodies)) {
      const [url, route] = [`${program.base}/v1/${name}`, `POST /v1/${name}`]
      const same = { key, headers: { "idempotency-key": name } }
      const tries = [
        await call(url, { ...same, body }),
        await call(url, { ...same, body }),
        await call(url, { key, body }),
        await call(url, { key, body: { other: 1 } }),
        await call(url, { body }),
        await call(url, { key, body: {}, headers: { "content-type": "text/plain" } })
      ]
      assert.deepStrictEqual(
        tries.map((answered) => described(route, answered)),
        [200, 200, 429, 400, 401, 415]
      )
      assert.strictEqual(tries[1]?.headers.get("idempotency-replay"), "true")
    }
    const other = await customer(program, token, 20)
    const check = { query: "best crm", brand: "HubSpot" }
    const roadmap = { ...check, mode: "deep" }
    for (const [path, body, status] of [
      ["check", check, 402],
      ["check", roadmap, 501],
      ["ask", { prompt: "best crm", providers: ["gemini"], mode: "standard" }, 202],
      ["ask", { prompt: "best crm" }, 402]
    ] as const)
      assert.strictEqual(
        described(`POST /v1/${path}`, await call(`${program.base}/v1/${path}`, { key: other.key, body })),
        status
      )
  })

  it("describes the status and headers of every call that reads, also for unknown ids", async () => {
    const { key } = await customer(program, token)
    const reading = Object.keys(paths).filter((path) => path.startsWith("/v1/") && paths[path]?.["get"] !== undefined)
    for (const path of reading) {
      const found = await call(`${program.base}${path.replace("{id}", crypto.randomUUID())}`, { key })
      assert.strictEqual(described(`GET ${path}`, found), path.includes("{id}") ? 404 : 200)
    }
  })

  it("describes the stream of each call that can be followed, and each of its events", async () => {
    const { key } = await customer(program, token)
    for (const path of followedPaths) {
      const followed = await fetch(`${program.base}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", accept: "text/event-stream" },
        body: "{}"
      })
      await followed.text()
      assert.strictEqual(followed.headers.get("content-type"), "text/event-stream")
      assert.strictEqual(described(`POST ${path}`, followed), 200)
      const name = nameOf(paths[path]?.["post"]?.responses[200]?.content?.["text/event-stream"])
      const { anyOf } = Object.assign({ anyOf: [] }, schemas[name ?? ""])
      const properties = { event: { enum: ["platform"] }, data: { contentMediaType: "application/json" } }
      assert.containSubset(anyOf, [{ properties }, { properties: { ...properties, event: { enum: ["answer"] } } }])
    }
  })

  it("has an example of each body that cannot be empty, and the API accepts it", async () => {
    const { key } = await customer(program, token)
    for (const [path, { patch, post }] of Object.entries(paths)) {
      const bodies = [post, patch].map((operation) => nameOf(operation?.requestBody?.content["application/json"]))
      assert.deepStrictEqual(
        bodies.filter(
          (name) =>
            name !== undefined && schemas[name]?.examples === undefined && name !== "CreateOwnKey" && name !== "SignIn"
        ),
        [],
        path
      )
      const body = schemas[bodies[0] ?? ""]?.examples?.[0]
      if (body === undefined) continue
      assert.notMatch(JSON.stringify(body), /\/\/(?!hooks\.example\.com\/)/, "an address that is nobody's")
      const { status } = await call(program.base + path, { key, body })
      assert.include([200, 201], status, path)
    }
  })

  it("describes the cookie that opens and closes a session, and the refusal without a key", async () => {
    const { key } = await customer(program, token)
    const url = `${program.base}/session`
    const signedIn = await call(url, { body: { key }, headers: { origin: originOf(program) } })
    assert.strictEqual(described("POST /session", signedIn), 201)
    const { headers } = await signIn(program, key)
    assert.strictEqual(described("GET /session", await call(url, { headers })), 200)
    for (const [method, path] of [
      ["GET", "/session"],
      ["DELETE", "/session"],
      ["GET", "/v1/health"]
    ] as const) {
      const surplus = await call(`${program.base}${path}?other=1`, { method, headers })
      assert.strictEqual(described(`${method} ${path}`, surplus), 400)
    }
    assert.strictEqual(described("DELETE /session", await call(url, { method: "DELETE", headers })), 204)
    assert.isTrue(paths["/session"]?.["post"]?.responses[201]?.headers?.["set-cookie"]?.required)
    const cookie = signedIn.headers.get("set-cookie")?.split("=")[0]
    assert.containSubset(body.components.securitySchemes.session, { type: "apiKey", in: "cookie", name: cookie })
    assert.deepStrictEqual(paths["/session"]?.["get"]?.security, [{ session: [] }])
    assert.deepStrictEqual(paths["/session"]?.["delete"]?.security, [{ session: [] }, {}])
    const taken = paths["/session"]?.["delete"]?.parameters ?? []
    assert.deepStrictEqual(
      taken.map(({ name }) => name),
      ["x-csrf-token"]
    )
  })

  it("describes each call, with a title of its own, and each header that it takes", () => {
    const titles = Object.values(paths).flatMap((operations) => Object.values(operations).map(({ summary }) => summary))
    assert.notInclude(titles, undefined)
    assert.strictEqual(new Set(titles).size, titles.length)
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { description, parameters = [] }] of Object.entries(operations)) {
        assert.isString(description, `${method} ${path}`)
        for (const parameter of parameters.filter(({ in: place }) => place === "header"))
          assert.property(parameter.schema, "description", path)
      }
  })

  it("describes each response: when it is sent, or what it contains", () => {
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const [status, { description }] of Object.entries(responses))
          assert.match(description, /^[A-Z][^|]+ [^|]+\.( \| [A-Z][^|]+ [^|]+\.)*$/, `${method} ${path} ${status}`)
  })

  it("describes a request field with its limits and its default", () => {
    assert.containSubset(schemas["CheckRequest"], {
      properties: {
        query: { description: "The question to ask, 1-500 characters.", minLength: 1, maxLength: 500 },
        mode: { default: "quick" }
      }
    })
    assert.containSubset(schemas["AskRequest"], {
      properties: {
        providers: { minItems: 1, default: AskProvider.literals },
        country: { pattern: "^[A-Za-z]{2}$" },
        messages: {
          description:
            "Up to 10 turns of user and assistant, the last one by the user, and at most one system turn beside them.",
          minItems: 1,
          maxItems: 11
        }
      }
    })
    assert.containSubset(schemas["CreateWebhook"], {
      properties: { url: { description: "https, on a public host." }, description: { default: null } }
    })
    assert.containSubset(schemas["DiscoverRequest"], {
      properties: { count: { default: 50 }, language: { default: "en" } }
    })
    for (const [path, most] of [
      ["/v1/watch", 200],
      ["/v1/deliveries", 100]
    ] as const) {
      const { schema } = paths[path]?.["get"]?.parameters?.find(({ name }) => name === "limit") ?? {}
      assert.containSubset(schema, { type: "integer", minimum: 1, maximum: most })
    }
  })

  it("describes which request fields are alternatives, and which one requires another", () => {
    const needsWebhook = { if: { properties: { async: { const: false } } }, else: { required: ["webhook_id"] } }
    assert.containSubset(schemas["AskRequest"], {
      not: { required: ["prompt", "messages"] },
      if: { required: ["prompt"] },
      else: { required: ["messages"] },
      dependentSchemas: { async: needsWebhook }
    })
    const unrotated = { if: { properties: { rotate_secret: { const: true } } }, else: { minProperties: 2 } }
    assert.containSubset(schemas["UpdateWebhook"], {
      minProperties: 1,
      dependentSchemas: { rotate_secret: unrotated }
    })
  })

  it("lists the values of an enumerated response field", () => {
    assert.containSubset(schemas["WalletEntry"], { properties: { kind: { enum: EntryKind.literals } } })
    const mode = { enum: [...Mode.literals, ...AskMode.literals] }
    assert.containSubset(schemas["Charge"], { properties: { mode } })
    assert.containSubset(schemas["ModeRoadmapProblem"], {
      properties: { mode: { enum: RoadmapMode.literals }, available_modes: { items: { enum: Mode.literals } } }
    })
    const failed = { properties: { error: { properties: { code: { enum: FailureCode.literals } } } } }
    const shown = { properties: { surface_present: { enum: [false] } } }
    assert.containSubset(schemas["RunResult"], shown)
    assert.containSubset(schemas["RunError"], failed)
    assert.containSubset(paths["/v1/check"]?.["post"]?.responses[200]?.headers?.["x-mode"], {
      schema: { enum: Mode.literals }
    })
  })

  it("describes each field of a response or webhook that is a number, or may be null or absent", () => {
    const unsaid = said.flatMap((name) => unsaidIn(schemas[name], name))
    assert.deepStrictEqual([...new Set(unsaid)], [])
  })

  it("describes each header of a response", () => {
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { responses }] of Object.entries(methods))
        for (const { headers = {} } of Object.values(responses))
          for (const [name, header] of Object.entries(headers))
            assert.isTrue(header.description !== undefined || isSaid(header.schema), `${method} ${path} ${name}`)
  })

  it("describes each header of a response that is a figure as a number", async () => {
    const { key } = await customer(program, token, 1000)
    const { headers } = await call(`${program.base}/v1/check`, { key, body: { query: "best headers", brand: "Nike" } })
    const figures = [...headers].flatMap(([name, value]) => (/^[\d.]+$/.test(value) ? [name] : []))
    const sent = figures.filter((name) => !everywhere.has(name))
    assert.includeMembers(sent, ["x-cost-cents", "x-balance-after-cents", "x-ratelimit-limit", "x-ratelimit-remaining"])
    for (const methods of Object.values(paths))
      for (const { responses } of Object.values(methods))
        for (const { headers = {} } of Object.values(responses))
          for (const name of [...sent, "retry-after"])
            assert.include(["number", "integer", undefined], headers[name]?.schema.type, name)
  })

  it("gives each time and date in a response its format", () => {
    const unsaid = propertiesOf(schemas).filter(
      ([name, schema]) =>
        (name.endsWith("_at") || ["scheduled_for", "bucket", "start", "end"].includes(name)) &&
        !/"format":"date(-time)?"/.test(JSON.stringify(schema))
    )
    assert.deepStrictEqual(unsaid, [])
  })

  it("describes each figure of a watch's evidence", () => {
    const figures = ["baseline_rate", "recent_rate", "runs_seen", "runs_since", "confidence"]
    const found = propertiesOf(schemas).filter(([name]) => figures.includes(name))
    assert.sameMembers([...new Set(found.map(([name]) => name))], figures)
    for (const [name, schema] of found) assert.property(schema, "description", name)
  })

  it("forbids additional fields in requests, and allows them in responses and webhooks", () => {
    const closed = Object.keys(schemas).filter((name) =>
      JSON.stringify(schemas[name]).includes('"additionalProperties":false')
    )
    const bodies = Object.values(paths).flatMap(({ post, patch }) =>
      [post, patch].map((operation) => nameOf(operation?.requestBody?.content["application/json"]))
    )
    assert.sameMembers(closed, ["AskMessage", ...bodies.filter((name) => name !== undefined)])
    assert.notInclude(JSON.stringify(paths), '"additionalProperties":false')
  })

  it("gives no two bodies the same name", () => {
    const numbered = Object.keys(schemas).filter((name) => /_\d+$/.test(name))
    assert.deepStrictEqual(numbered, [])
  })

  it("names each object in a list, and gives no schema a part that is a condition or the only one of its kind", () => {
    const text = JSON.stringify(schemas)
    assert.notMatch(text, /"items":{"(?:type":"object|anyOf":\[{"type":"object)/)
    assert.notMatch(text, /"(?:allOf|oneOf)":|"anyOf":\[[^[\]{}]*{[^{}]*}\]/)
  })

  it("has a 503 wherever a key is required, because any call may be given up", () => {
    for (const [path, operations] of Object.entries(paths))
      for (const { security, responses } of Object.values(operations))
        assert.strictEqual(
          security.some((way) => "bearer" in way),
          responses[503] !== undefined,
          path
        )
  })

  it("accepts dates and times for the window of a list", async () => {
    const { key } = await customer(program, token)
    for (const path of ["/v1/usage", "/v1/checks", "/v1/visibility"]) {
      const { schema } = paths[path]?.["get"]?.parameters?.find(({ name }) => name === "start") ?? {}
      assert.notProperty(schema, "format")
      for (const start of ["2026-01-01", "2026-01-01T00:00:00Z"]) {
        const asked = await call(`${program.base}${path}?start=${start}&end=2026-01-02`, { key })
        assert.strictEqual(asked.status, 200)
      }
    }
  })
})
