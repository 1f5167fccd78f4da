/**
 * Watches as resources: which can be created, who can see them, how they are paused and resumed. Nothing runs by itself here.
 *
 * Planted and seen red:
 * - a malformed id passed to the database;
 * - watches found across environments;
 * - the receiver checked before the mode, or not at all;
 * - a pause that takes no token;
 * - a trigger accepted twice;
 * - a page that begins with the last watch of the previous one;
 * - a next slot in the past;
 * - a secret of 15 characters;
 * - a mode that no capture serves;
 * - a resumption without effect;
 * - the time of the next run shown as that of the creation.
 */
import { DateTime } from "effect"
import { randomUUID } from "node:crypto"
import { assert, describe, it } from "vitest"
import {
  Conflict,
  Forbidden,
  InvalidRequest,
  ModeNotYetAvailable,
  WatchModeRoadmap,
  WatchNotFound
} from "@sightline/contract/Problem"
import { periodMillis } from "@sightline/domain/Slot"
import { Interval, Trigger } from "@sightline/domain/Watch"
import { corpus } from "../egress/corpus.ts"
import { exactly } from "../services/exactly.ts"
import { nextRunAt } from "../store/slots.ts"
import { call, customer, generous, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"
import { decode, secret, watching, wishes } from "./watching.ts"

const problem = {
  invalid: exactly(InvalidRequest),
  forbidden: exactly(Forbidden),
  conflict: exactly(Conflict),
  unknown: exactly(WatchNotFound),
  roadmap: exactly(WatchModeRoadmap),
  notYet: exactly(ModeNotYetAvailable)
}

const newCustomer = async (options: object = {}) => {
  const made = await customer(program, env.ADMIN_TOKEN, 1000, options)
  return { ...made, ...watching(program, made.key) }
}

// Without a scheduler, so that no slot that begins meanwhile starts a run.
const { env, program } = await started({ ROLES: "api,worker" })
const own = await newCustomer()

/** The issues of the 400 for a watch with this change. */
const issueOf = async (change: object) => {
  const answer = await own.send("POST", "", { ...wishes, ...change })
  assert.strictEqual(answer.status, 400, answer.text)
  return problem.invalid(answer.body).error.details?.issues ?? []
}

const clef = "\u{1D11E}"

describe("POST /v1/watch", () => {
  it.each(Interval.literals)(
    "201: a watch that runs %s has its next run at its own slot, strictly in the future",
    async (interval) => {
      const before = DateTime.makeUnsafe(Date.now())
      const answer = await own.send("POST", "", { ...wishes, interval })
      const after = Date.now()
      assert.strictEqual(answer.status, 201, answer.text)
      const { id, next_run_at, request_id, status } = decode.state(answer.body)
      assert.sameMembers(Object.keys(answer.body), ["request_id", "id", "status", "next_run_at"])
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.isNotEmpty(request_id)
      assert.strictEqual(status, "active")
      const next = Date.parse(next_run_at)
      assert.strictEqual(next % 300_000, 0)
      assert.isAbove(next, DateTime.toEpochMillis(before))
      assert.isAtMost(next, after + periodMillis(interval))
      const slots = [before, DateTime.makeUnsafe(after)].map((at) =>
        DateTime.toEpochMillis(nextRunAt(id, interval, at))
      )
      assert.include(slots, next)
      assert.deepInclude(await own.find(id), { id, status, next_run_at })
    }
  )

  it("201: creating a watch is free, even with an empty wallet", async () => {
    const poor = await customer(program, env.ADMIN_TOKEN, 0)
    await watching(program, poor.key).create()
    assert.isEmpty((await operator(program, env.ADMIN_TOKEN).ledger(poor.account)).entries)
  })

  it("201: lengths are counted in characters, and the maximum is accepted", async () => {
    await own.create({
      query: clef.repeat(480),
      brand: clef.repeat(100),
      webhook_secret: clef.repeat(128)
    })
    await own.create({ query: "q", brand: "b", webhook_secret: clef.repeat(16) })
    const { watches } = decode.list((await own.send("GET", "?limit=2")).body)
    assert.deepStrictEqual(
      watches.map(({ query }) => query),
      ["q", clef.repeat(480)]
    )
  })

  it("201: by default a watch fires on all triggers, at every change", async () => {
    const { create, send } = await newCustomer()
    await create()
    await create({ trigger_on: ["rank_changed", "mention_added"], sensitivity: "evidence", interval: "weekly" })
    const answer = await send("GET", "")
    const [chosen, plain] = decode.list(answer.body).watches
    assert.deepInclude(plain ?? {}, {
      query: wishes.query,
      brand: wishes.brand,
      mode: "quick",
      interval: "hourly",
      webhook_url: wishes.webhook_url,
      trigger_on: Trigger.literals,
      sensitivity: "every_change"
    })
    assert.deepInclude(chosen ?? {}, {
      interval: "weekly",
      trigger_on: ["rank_changed", "mention_added"],
      sensitivity: "evidence"
    })
    for (const { created_at, next_run_at } of [plain, chosen].filter((watch) => watch !== undefined))
      assert.isBelow(Date.parse(created_at), Date.parse(next_run_at))
    assert.notInclude(answer.text, secret)
  })

  it.each([
    ["query", clef.repeat(481)],
    ["query", ""],
    ["query", "a\u0000b"],
    ["query", undefined],
    ["brand", clef.repeat(101)],
    ["brand", ""],
    ["brand", undefined],
    ["mode", "realistic"],
    ["mode", "standard"],
    ["mode", undefined],
    ["interval", "minutely"],
    ["interval", "Hourly"],
    ["interval", undefined],
    ["webhook_secret", clef.repeat(15)],
    ["webhook_secret", "s".repeat(129)],
    ["webhook_secret", undefined],
    ["webhook_url", undefined],
    ["webhook_url", "http://93.184.216.34/in"],
    ["webhook_url", "https://127.0.0.1/in"],
    ["webhook_url", "https://10.0.0.1/in"],
    ["webhook_url", "https://user:secret@93.184.216.34/in"],
    ["webhook_url", "https://93.184.216.34:25/in"],
    ["webhook_url", `https://93.184.216.34/${"a".repeat(2048)}`],
    ["trigger_on", []],
    ["trigger_on", "mention_added"],
    ["trigger_on", ["mention_added", "mention_added"]],
    ["trigger_on", null],
    ["sensitivity", "high"],
    ["region", "us"],
    ["status", "active"]
  ])("400: names %s if it is %j", async (field, value) => {
    const issues = await issueOf({ [field]: value })
    assert.deepEqual([...new Set(issues.map(({ path }) => path))], [field])
  })

  it("400: names an unknown trigger", async () => {
    const [issue] = await issueOf({ trigger_on: ["mention_added", "price_changed"] })
    assert.match(issue?.path ?? "", /^trigger_on/)
  })

  it("400: names all wrong fields", async () => {
    const issues = await issueOf({ query: "", interval: "never", more: 1 })
    assert.sameMembers(
      issues.map(({ path }) => path),
      ["query", "interval", "more"]
    )
  })

  const denied = corpus.cases.filter(
    ({ expect, sink, stage }) => sink === "webhook" && stage === "register" && expect === "deny"
  )

  it.each(denied)("400: webhook_url, $id: $why", async ({ url }) => {
    const issues = await issueOf({ webhook_url: url })
    assert.deepEqual([...new Set(issues.map(({ path }) => path))], ["webhook_url"])
    assert.match(issues[0]?.message ?? "", /^(?:must |may not be called: )/)
  })

  it.each(["deep", "change_track"])("501: %s is a roadmap mode, whatever the receiver", async (mode) => {
    const answer = await own.send("POST", "", { ...wishes, mode, webhook_url: "http://127.0.0.1/" })
    assert.strictEqual(answer.status, 501)
    assert.include(problem.roadmap(answer.body).error.message, mode)
  })

  it("501: a live key cannot create a watch for a live mode that no capture serves", async () => {
    const live = await newCustomer({ environment: "live" })
    for (const mode of ["ai_overview", "all_live"]) {
      const answer = await live.send("POST", "", { ...wishes, mode })
      assert.strictEqual(answer.status, 501)
      assert.include(problem.notYet(answer.body).error.message, mode)
      await own.create({ mode })
    }
    assert.isEmpty(decode.list((await live.send("GET", "")).body).watches)
  })
})

describe("a watch", () => {
  it("200: is paused by DELETE, still exists, and resumes from its next slot", async () => {
    const { id, next_run_at } = await own.create()
    for (const _ of ["once", "twice"]) {
      const paused = await own.send("DELETE", `/${id}`)
      assert.strictEqual(paused.status, 200)
      assert.deepInclude(decode.state(paused.body), { id, status: "paused", next_run_at })
    }
    assert.deepInclude(await own.find(id), { id, status: "paused" })
    for (const _ of ["once", "twice"]) {
      const resumed = await own.send("POST", `/${id}/resume`)
      assert.strictEqual(resumed.status, 200)
      assert.deepInclude(decode.state(resumed.body), { id, status: "active", next_run_at })
    }
    assert.deepInclude(await own.find(id), { id, status: "active" })
  })

  it("409: with 10,000 active watches none is created or resumed", async () => {
    const { id } = await own.create()
    const full = await newCustomer()
    const paused = await full.create()
    assert.strictEqual((await full.send("DELETE", `/${paused.id}`)).status, 200)
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`
        INSERT INTO watches
        SELECT gen_random_uuid(), ${full.account}::uuid, environment, query, brand, mode, "interval", webhook_url, secret,
          trigger_on, sensitivity, true, next_run_at, created_at
        FROM watches, generate_series(1, 10000) WHERE id = ${id}`
    )
    for (const refused of [await full.send("POST", "", wishes), await full.send("POST", `/${paused.id}/resume`)]) {
      assert.strictEqual(refused.status, 409)
      assert.include(problem.conflict(refused.body).error.message, "10000 active watches")
    }
    assert.strictEqual((await full.find(paused.id)).status, "paused")
  })

  it("403: a read-only key can read but change nothing", async () => {
    const { id } = await own.create()
    const { key } = await operator(program, env.ADMIN_TOKEN).key(own.account, { read_only: true })
    const reader = watching(program, key)
    for (const [method, path, body] of [
      ["POST", "", wishes],
      ["DELETE", `/${id}`, undefined],
      ["POST", `/${id}/resume`, undefined],
      ["POST", `/${id}/run`, undefined]
    ] as const) {
      const answer = await reader.send(method, path, body)
      assert.strictEqual(answer.status, 403, `${method} ${path}`)
      problem.forbidden(answer.body)
    }
    assert.strictEqual((await reader.find(id)).status, "active")
    assert.isEmpty(await reader.runs(id))
    assert.include((await reader.send("GET", "")).text, id)
  })

  it("401: without a key", async () => {
    for (const path of ["", `/${randomUUID()}`, `/${randomUUID()}/runs`])
      assert.strictEqual((await call(`${program.base}/v1/watch${path}`)).body.error.code, "unauthorized")
  })
})

describe("404", () => {
  it("is byte for byte the same for a foreign, other-environment, unknown or malformed id", async () => {
    const { id } = await own.create()
    const other = await newCustomer()
    const { key } = await operator(program, env.ADMIN_TOKEN).key(own.account, {
      environment: "live",
      rate_limits: generous
    })
    const live = watching(program, key)
    const attempts = [
      // An id that is not valid UTF-8 is unknown too.
      ...[id, randomUUID(), "x", `${id}0`, `{${id}}`, "%00", "%ZZ", "%F0%9D"].map((wanted) => [other, wanted] as const),
      [live, id] as const
    ]
    const texts = new Set<string>()
    for (const [{ send }, wanted] of attempts)
      for (const [method, path] of [
        ["GET", ""],
        ["DELETE", ""],
        ["POST", "/resume"],
        ["POST", "/run"],
        ["GET", "/runs"]
      ] as const) {
        const answer = await send(method, `/${wanted}${path}`)
        assert.strictEqual(answer.status, 404, `${method} ${wanted}${path} ${answer.text}`)
        const { request_id } = problem.unknown(answer.body)
        texts.add(answer.text.replace(request_id, ""))
      }
    assert.strictEqual(texts.size, 1)
    assert.strictEqual((await own.find(id)).status, "active")
    assert.isEmpty(await own.runs(id))
  })
})

describe("GET /v1/watch", () => {
  it("200: the pages list each watch once, newest first, even if watches are created meanwhile", async () => {
    const { create, send } = await newCustomer()
    const made: Array<string> = []
    for (const _ of Array.from({ length: 5 })) made.unshift((await create()).id)
    const seen: Array<string> = []
    let query = "?limit=2"
    for (;;) {
      const { watches, next_cursor } = decode.list((await send("GET", query)).body)
      seen.push(...watches.map(({ id }) => id))
      if (next_cursor === null) break
      query = `?limit=2&cursor=${next_cursor}`
      await create()
    }
    assert.deepStrictEqual(seen, made)
    assert.isNull(decode.list((await send("GET", "?limit=200")).body).next_cursor)
  })

  it.each(["nothing=1", "limit=0", "limit=201", "limit=x", "limit=1.5", "limit=1e1", "limit=", "cursor=x", "cursor="])(
    "400: ?%s, for watches and for runs",
    async (query) => {
      const { id } = await own.create()
      for (const path of ["", `/${id}/runs`]) {
        const answer = await own.send("GET", `${path}?${query}`)
        assert.strictEqual(answer.status, 400, answer.text)
        assert.deepEqual(
          problem.invalid(answer.body).error.details?.issues.map((issue) => issue.path),
          [query.split("=")[0]]
        )
      }
    }
  )
})

describe("429", () => {
  it("every response shows the default bucket, which all calls use; invalid requests take no token", async () => {
    const limits = { ...generous, default: { burst: 8, per_second: 0.0001 } }
    const { key } = await operator(program, env.ADMIN_TOKEN).key(own.account, { rate_limits: limits })
    const { send } = watching(program, key)
    const left: Array<string | null> = []
    const asked = async (method: string, path: string, body?: unknown) => {
      const answer = await send(method, path, body)
      assert.strictEqual(answer.headers.get("x-ratelimit-limit"), "8", `${method} ${path}`)
      left.push(answer.headers.get("x-ratelimit-remaining"))
      return answer
    }
    const { id } = (await asked("POST", "", wishes)).body
    await asked("GET", "")
    await asked("GET", `/${id}`)
    await asked("DELETE", `/${id}`)
    await asked("POST", `/${id}/run`)
    await asked("POST", `/${id}/resume`)
    await asked("GET", `/${id}/runs`)
    await asked("POST", "", {})
    await asked("POST", "", { ...wishes, mode: "deep" })
    await asked("GET", "?limit=0")
    await asked("GET", `/${randomUUID()}`)
    const refused = await asked("GET", `/${id}`)
    assert.deepStrictEqual(left, ["7", "6", "5", "4", "3", "2", "1", "1", "1", "1", "0", "0"])
    assert.strictEqual(refused.status, 429)
    assert.isAbove(Number(refused.headers.get("retry-after")), 0)
  })
})

it("200: the API description marks extensions", async () => {
  const { body } = await call(`${program.base}/openapi.json`)
  const extensions = ["/v1/watch", "/v1/deliveries"].flatMap((prefix) =>
    Object.entries<Record<string, { description?: string }>>(body.paths)
      .filter(([path]) => path.startsWith(prefix))
      .flatMap(([path, methods]) =>
        Object.entries(methods)
          .filter(([, { description = "" }]) => description.startsWith("Extension."))
          .map(([method]) => `${method} ${path}`)
      )
  )
  assert.sameMembers(extensions, [
    "get /v1/watch",
    "post /v1/watch/{id}/resume",
    "post /v1/watch/{id}/run",
    "get /v1/watch/{id}/runs",
    "get /v1/deliveries",
    "get /v1/deliveries/{id}",
    "post /v1/deliveries/{id}/replay"
  ])
  assert.include(JSON.stringify(body.components.schemas.CreateWatch.properties.sensitivity), "Extension.")
})
