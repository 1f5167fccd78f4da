/**
 * `/v1/webhooks` as a customer sees it, against the whole program.
 *
 * Planted and seen red:
 * - addresses not checked on POST, or on PATCH;
 * - the ranges of the operator ignored, or extended;
 * - a 400 for an id that is no UUID, a 405 for a long or unreadable one, or an id repeated in its refusal;
 * - one environment for both;
 * - a 204 for deleting an unknown endpoint;
 * - an empty PATCH accepted, or one that rotates nothing, or a 415 for one without a body;
 * - an event twice, none, or both by default;
 * - no token for PATCH or DELETE;
 * - no limit of 100;
 * - secrets logged, stored in clear, or shown where none was created.
 */
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { createServer } from "node:net"
import { assert, describe, it } from "vitest"
import { Conflict, InvalidRequest, NotFound } from "@sightline/contract/Problem"
import { WebhookCreated, WebhookFound, WebhookList, WebhookUpdated } from "@sightline/contract/WebhookApi"
import * as Postgres from "@sightline/store/Postgres"
import { corpus } from "../egress/corpus.ts"
import { exactly } from "../services/exactly.ts"
import { type Answered, call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { listen } from "../services/listen.ts"

const local = "127.0.0.2/32"
const url = "https://93.184.216.34/in"

const { env, program } = await started({ LOG_LEVEL: "trace", DELIVERY_ALLOW_CIDRS: local })

const decodeCreated = exactly(WebhookCreated)
const decodeFound = exactly(WebhookFound)
const decodeUpdated = exactly(WebhookUpdated)
const decodeList = exactly(WebhookList)
const decodeInvalid = exactly(InvalidRequest)

const newKey = async (options: object = {}) => (await customer(program, env.ADMIN_TOKEN, 0, options)).key

const send = (key: string, method: string, id = "", body?: unknown, headers = {}): Promise<Answered> =>
  call(`${program.base}/v1/webhooks${id === "" ? "" : `/${id}`}`, { key, method, body, headers })

const create = async (key: string, more: object = {}) => {
  const { status, body } = await send(key, "POST", "", { url, ...more })
  assert.strictEqual(status, 201)
  return decodeCreated(body).webhook
}
const list = async (key: string) => decodeList((await send(key, "GET")).body).webhooks
const find = async (key: string, id: string) => decodeFound((await send(key, "GET", id)).body).webhook
const update = async (key: string, id: string, body: object) => {
  const answer = await send(key, "PATCH", id, body)
  assert.strictEqual(answer.status, 200)
  return decodeUpdated(answer.body).webhook
}

/** The fields that a 400 names. */
const wrongFields = ({ status, body }: Answered) => {
  assert.strictEqual(status, 400)
  const { error } = decodeInvalid(body)
  return error.details?.issues.map(({ path }) => path) ?? []
}

describe("an endpoint", () => {
  it("201: has the given values, or the defaults, and a secret", async () => {
    const key = await newKey()
    const { id, secret, created_at, updated_at, ...rest } = await create(key)
    assert.deepEqual(rest, { url, description: null, events: ["ask.completed"], enabled: true })
    assert.match(secret, /^[0-9a-f]{64}$/)
    assert.match(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    assert.strictEqual(updated_at, created_at)
    assert.isBelow(Math.abs(Date.now() - Date.parse(created_at)), 60_000)
    const wishes = {
      url,
      description: "🔔".repeat(200),
      events: ["watch.fired", "ask.completed"] as const,
      enabled: false
    }
    const other = await create(key, wishes)
    assert.deepInclude(other, wishes)
    assert.notStrictEqual(other.secret, secret)
    assert.deepInclude(await create(key, { description: null }), { description: null })
  })

  it("200: is listed newest first and can be read, without its secret", async () => {
    const key = await newKey()
    assert.deepEqual(await list(key), [])
    const { secret: _, ...first } = await create(key)
    const { secret: __, ...second } = await create(key, { description: "" })
    assert.deepEqual(await list(key), [second, first])
    assert.deepEqual(await find(key, first.id), first)
    assert.strictEqual((await send(key, "HEAD", first.id)).status, 200)
  })

  it("200: is found by its id in either case", async () => {
    const key = await newKey()
    const { id } = await create(key)
    assert.strictEqual((await find(key, id.toUpperCase())).id, id)
  })

  it("200: a PATCH changes only the fields it names", async () => {
    const key = await newKey()
    const { secret: _, ...created } = await create(key, { description: "mine" })
    const expected = { ...created }
    for (const change of [
      { url: "https://8.8.8.8:8443/" },
      { description: null },
      { description: "again" },
      { events: ["watch.fired"] as const },
      { enabled: false },
      { enabled: true, events: ["ask.completed", "watch.fired"] as const }
    ]) {
      const { updated_at, ...updated } = await update(key, created.id, { ...change, rotate_secret: false })
      assert.isTrue(updated_at > expected.updated_at)
      Object.assign(expected, change, { updated_at })
      assert.deepEqual({ ...updated, updated_at }, expected)
      assert.deepEqual(await find(key, created.id), expected)
    }
  })

  it("204: is deleted, and unknown to all calls from then on", async () => {
    const key = await newKey()
    const { id } = await create(key)
    const kept = await create(key)
    const removed = await send(key, "DELETE", id)
    assert.deepEqual([removed.status, removed.text], [204, ""])
    assert.isNotNull(removed.headers.get("x-ratelimit-limit"))
    for (const [method, body] of [
      ["GET"],
      ["DELETE"],
      ["PATCH", { enabled: true }],
      ["PATCH", { rotate_secret: true }]
    ] as const)
      assert.strictEqual((await send(key, method, id, body)).status, 404)
    assert.deepEqual(
      (await list(key)).map((each) => each.id),
      [kept.id]
    )
  })

  it("409: the 101st is refused, also for ten concurrent calls; other accounts and environments have their own hundred", async () => {
    const key = await newKey()
    for (let n = 0; n < 9; n++) await Promise.all(Array.from({ length: 11 }, () => create(key)))
    const more = await Promise.all(Array.from({ length: 10 }, () => send(key, "POST", "", { url })))
    assert.deepEqual(
      more.map(({ status }) => status).toSorted((a, b) => a - b),
      [201, ...Array(9).fill(409)]
    )
    for (const { body, status } of more)
      if (status === 409) assert.strictEqual(exactly(Conflict)(body).error.code, "conflict")
    const [one] = await list(key)
    await create(await newKey())
    assert.strictEqual((await send(key, "DELETE", one?.id)).status, 204)
    await create(key)
  })
})

describe("an invalid request", () => {
  const both = { events: ["ask.completed", "ask.completed"] }
  const wrong: ReadonlyArray<readonly [body: object, paths: ReadonlyArray<string>]> = [
    [{ url: null }, ["url"]],
    [{ url: 1 }, ["url"]],
    [{ url: ["https://8.8.8.8/"] }, ["url"]],
    [{ url, description: "🔔".repeat(201) }, ["description"]],
    [{ url, description: "\u0000" }, ["description"]],
    [{ url, description: "\ud800" }, ["description"]],
    [{ url, description: 1 }, ["description"]],
    [{ url, events: [] }, ["events"]],
    [{ url, ...both }, ["events"]],
    [{ url, events: ["watch.error"] }, ["events.0"]],
    [{ url, events: ["ask.completed", "*"] }, ["events.1"]],
    [{ url, events: "ask.completed" }, ["events"]],
    [{ url, events: null }, ["events"]],
    [{ url, enabled: "true" }, ["enabled"]],
    [{ url, enabled: null }, ["enabled"]],
    [{ url, secret: "0".repeat(64) }, ["secret"]],
    [{ url, id: randomUUID() }, ["id"]],
    [{ url, environment: "live", account_id: "x" }, ["environment", "account_id"]]
  ]

  it.each(wrong)("400: %j names %j, on POST and on PATCH", async (body, paths) => {
    const key = await newKey()
    assert.sameMembers(wrongFields(await send(key, "POST", "", body)), [...paths])
    assert.deepEqual(await list(key), [])
    const { secret: _, ...before } = await create(key)
    assert.sameMembers(wrongFields(await send(key, "PATCH", before.id, body)), [...paths])
    assert.deepEqual(await find(key, before.id), before)
  })

  it("400: without a URL, and with a rotation on creation", async () => {
    const key = await newKey()
    assert.deepEqual(wrongFields(await send(key, "POST", "", {})), ["url"])
    assert.deepEqual(wrongFields(await send(key, "POST", "", { url, rotate_secret: true })), ["rotate_secret"])
  })

  it("400: a PATCH that changes nothing: `{}`, no rotation or no body, also for a foreign id", async () => {
    const key = await newKey()
    const { id } = await create(await newKey())
    const { secret: _, ...own } = await create(key)
    for (const target of [id, own.id, randomUUID()]) {
      assert.deepEqual(wrongFields(await send(key, "PATCH", target, {})), [""])
      assert.deepEqual(wrongFields(await send(key, "PATCH", target, { rotate_secret: false })), [""])
      assert.deepEqual(wrongFields(await send(key, "PATCH", target)), [""])
      assert.deepEqual(wrongFields(await send(key, "PATCH", target, [])), [""])
      assert.deepEqual(wrongFields(await send(key, "PATCH", target, { rotate_secret: "yes" })), ["rotate_secret"])
    }
    assert.deepEqual(await find(key, own.id), own)
    const text = await send(key, "PATCH", id, {}, { "content-type": "text/plain" })
    assert.deepEqual([text.status, text.body.error.code], [415, "request_failed"])
  })

  it("400: an invalid request takes no token", async () => {
    const key = await newKey({ rate_limits: { default: { burst: 9, per_second: 0.001 } } })
    for (const [method, id] of [
      ["POST", ""],
      ["PATCH", randomUUID()]
    ] as const)
      assert.strictEqual((await send(key, method, id, { other: 1 })).headers.get("x-ratelimit-remaining"), "9")
  })
})

describe("an address", () => {
  const webhooks = corpus.cases.filter(({ sink }) => sink === "webhook")

  it("400: every forbidden case of the corpus names `url`, for live and test keys, and is not called", async () => {
    let connections = 0
    const server = createServer((socket) => {
      connections += 1
      socket.destroy()
    })
    const port = await listen(server)
    const keys = [await newKey(), await newKey({ environment: "live" })]
    const denied = webhooks.filter(({ expect, stage }) => expect === "deny" && stage === "register")
    assert.lengthOf(denied, 66)
    const near = ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "127.0.0.3"].map(
      (host) => `https://${host}:${port}/`
    )
    for (const key of keys) {
      const { id, secret: _, ...before } = await create(key)
      for (const refused of [...denied.map((each) => each.url), ...near]) {
        assert.deepEqual(wrongFields(await send(key, "POST", "", { url: refused })), ["url"], refused)
        assert.deepEqual(wrongFields(await send(key, "PATCH", id, { url: refused, enabled: false })), ["url"], refused)
      }
      assert.deepEqual(await list(key), [{ id, ...before }])
    }
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
    })
    assert.strictEqual(connections, 0)
  })

  it("400: says in a sentence why the address is refused", async () => {
    const { body } = await send(await newKey(), "POST", "", { url: "https://93.184.216.34:25/" })
    assert.strictEqual(body.error.message, "`url` may not be called: the port is not allowed.")
  })

  // Names are tested at a lower level, where their addresses can be set.
  it.each(webhooks.filter(({ dns, expect }) => expect === "allow" && dns === undefined))(
    "201: $url ($why)",
    async (each) => {
      assert.strictEqual((await create(await newKey(), { url: each.url })).url, each.url)
    }
  )

  it("201: a local address is accepted if the operator allows it", async () => {
    const key = await newKey()
    await create(key, { url: "https://127.0.0.2:8443/in" })
    assert.deepEqual(wrongFields(await send(key, "POST", "", { url: "https://127.0.0.1:8443/in" })), ["url"])
  })
})

describe("the scope of an endpoint", () => {
  const malformed = [
    "x",
    "1",
    "..%2f",
    "%00",
    "null",
    `${randomUUID()}0`,
    `{${randomUUID()}}`,
    "%F0%9F%94%94",
    "a".repeat(15_000)
  ]

  it("404: foreign, other-environment, deleted, unknown and malformed ids have the same response", async () => {
    const admin = operator(program, env.ADMIN_TOKEN)
    const account = await admin.account("two worlds")
    const { key } = await admin.key(account, { rate_limits: generous })
    const live = (await admin.key(account, { environment: "live", rate_limits: generous })).key
    const foreign = await newKey()
    const [own, other, alien] = [await create(key), await create(live), await create(foreign)]
    assert.strictEqual((await send(key, "DELETE", (await create(key)).id)).status, 204)
    const gone = await create(key)
    await send(key, "DELETE", gone.id)
    const ids = [other.id, alien.id, gone.id, randomUUID(), own.id.replaceAll("-", ""), ...malformed]
    for (const [method, body] of [
      ["GET"],
      ["DELETE"],
      ["PATCH", { enabled: false }],
      ["PATCH", { rotate_secret: true, url }]
    ] as const) {
      const answers = new Set<string>()
      for (const id of ids) {
        const answer = await send(key, method, id, body)
        assert.strictEqual(answer.status, 404, id)
        const { request_id } = exactly(NotFound)(answer.body)
        answers.add(answer.text.replace(request_id, ""))
      }
      assert.lengthOf([...answers], 1, method)
      assert.include([...answers][0], '"not_found"')
    }
    for (const [whose, { secret: _, ...webhook }] of [
      [key, own],
      [live, other],
      [foreign, alien]
    ] as const)
      assert.deepEqual(await list(whose), [webhook])
  })

  it("404: an id that cannot be decoded is unknown too", async () => {
    const key = await newKey()
    for (const method of ["GET", "HEAD", "DELETE"])
      for (const id of ["%ZZ", "%", "%C3"]) assert.strictEqual((await send(key, method, id)).status, 404)
    assert.strictEqual((await send(key, "GET", "%ZZ")).body.error.code, "not_found")
    assert.strictEqual((await send(key, "PUT", "%ZZ")).status, 405)
  })

  it("403: a read-only key can read but change nothing", async () => {
    const admin = operator(program, env.ADMIN_TOKEN)
    const account = await admin.account("readers")
    const { key } = await admin.key(account)
    const reader = (await admin.key(account, { read_only: true })).key
    const { secret: _, ...webhook } = await create(key)
    assert.deepEqual(await list(reader), [webhook])
    assert.deepEqual(await find(reader, webhook.id), webhook)
    for (const [method, id, body] of [
      ["POST", "", { url }],
      ["PATCH", webhook.id, { rotate_secret: true }],
      ["PATCH", webhook.id, {}],
      ["DELETE", webhook.id, undefined]
    ] as const) {
      const answer = await send(reader, method, id, body)
      assert.deepEqual([answer.status, answer.body.error.code], [403, "forbidden"], method)
    }
    assert.deepEqual(await list(key), [webhook])
  })

  it("401: without a key, on every method", async () => {
    for (const [method, id] of [
      ["POST", ""],
      ["GET", ""],
      ["GET", "x"],
      ["PATCH", "x"],
      ["DELETE", "x"]
    ] as const) {
      const path = `${program.base}/v1/webhooks${id === "" ? "" : `/${id}`}`
      const { status, body } = await call(path, { method })
      assert.deepEqual([status, body.error.code], [401, "unauthorized"])
    }
  })
})

describe("limits", () => {
  it("429: every method takes a token of the default bucket", async () => {
    const key = await newKey({ rate_limits: { default: { burst: 5, per_second: 0.001 } } })
    const { id } = await create(key)
    const remaining = [
      await send(key, "GET"),
      await send(key, "GET", id),
      await send(key, "PATCH", id, { enabled: false }),
      await send(key, "DELETE", id)
    ].map(({ headers }) => headers.get("x-ratelimit-remaining"))
    assert.deepEqual(remaining, ["3", "2", "1", "0"])
    for (const [method, at, body] of [
      ["GET", ""],
      ["POST", "", { url }],
      ["DELETE", id],
      ["PATCH", id, { enabled: true }]
    ] as const) {
      const { status, headers, body: refusal } = await send(key, method, at, body)
      assert.deepEqual([status, refusal.error.code], [429, "rate_limited"])
      assert.isAbove(Number(headers.get("retry-after")), 0)
    }
  })

  it("405: lists the allowed methods", async () => {
    const key = await newKey()
    const put = await send(key, "PUT", "", { url })
    assert.deepEqual([put.status, put.headers.get("allow")], [405, "POST, GET, HEAD"])
    const post = await send(key, "POST", randomUUID(), { url })
    assert.deepEqual([post.status, post.headers.get("allow")], [405, "GET, HEAD, PATCH, DELETE"])
  })

  it("201: an Idempotency-Key is ignored, and nothing is replayed", async () => {
    const key = await newKey()
    const [one, two] = [
      await send(key, "POST", "", { url }, { "idempotency-key": "once" }),
      await send(key, "POST", "", { url }, { "idempotency-key": "once" })
    ]
    assert.deepEqual([one.status, two.status], [201, 201])
    assert.isNull(two.headers.get("idempotency-replay"))
    assert.notStrictEqual(one.body.webhook.id, two.body.webhook.id)
  })
})

/** Every row of every table, as text. */
const databaseText = () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const tables = yield* sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`
    const dumps = yield* Effect.forEach(
      tables,
      ({ name }) => sql<{ text: string | null }>`SELECT string_agg(t::text, ' ') AS text FROM ${sql(name)} t`
    )
    return dumps
      .flat()
      .map(({ text }) => text ?? "")
      .join("\n")
  }).pipe(Effect.provide(Postgres.layer({ url: Redacted.make(env.DATABASE_URL) })), Effect.runPromise)

describe("a secret", () => {
  it("is in one response only, and in no form in the database, the logs or any other response", async () => {
    const key = await newKey()
    const answers: Array<string> = []
    const asked = async (method: string, id = "", body?: unknown) => {
      const answer = await send(key, method, id, body)
      answers.push(answer.text)
      return answer.body
    }
    const { webhook } = await asked("POST", "", { url })
    const { webhook: rotated } = await asked("PATCH", webhook.id, { rotate_secret: true, enabled: false })
    assert.match(rotated.secret, /^[0-9a-f]{64}$/)
    assert.notStrictEqual(rotated.secret, webhook.secret)
    assert.isFalse(rotated.enabled)
    await asked("GET")
    await asked("GET", webhook.id)
    await asked("PATCH", webhook.id, { description: "d" })
    await asked("PATCH", webhook.id, { url: "https://127.0.0.1/" })
    await asked("DELETE", webhook.id)
    await asked("GET", webhook.id)
    const { webhook: kept } = await asked("POST", "", { url })
    const stored = await databaseText()
    assert.include(stored, webhook.id)
    for (const secret of [webhook.secret, rotated.secret, kept.secret]) {
      assert.lengthOf(
        answers.filter((text) => text.includes(secret)),
        1
      )
      for (const bytes of [Buffer.from(secret), Buffer.from(secret, "hex")])
        for (const encoding of ["latin1", "hex", "base64", "base64url"] as const) {
          const form = bytes.toString(encoding).replace(/=+$/, "")
          assert.notInclude(stored, form)
          assert.notInclude(program.output(), form)
        }
    }
    assert.include(program.output(), "/v1/webhooks")
  })
})
