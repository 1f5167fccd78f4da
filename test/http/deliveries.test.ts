/**
 * Deliveries as a customer sees them: from a queued ask to the receiver and to the history, against the whole program.
 *
 * Planted and seen red: replays without a limit, or while one is pending, also if each replays the previous replay; replays to an endpoint
 * that is sent nothing, or that no sender is notified of; a filter by status ignored; a pending delivery without the time of its next
 * attempt.
 */
import { connect } from "@nats-io/transport-node"
import { createHmac, randomUUID } from "node:crypto"
import type { IncomingHttpHeaders } from "node:http"
import { createServer, type Server } from "node:https"
import { afterAll, assert, beforeAll, beforeEach, describe, it } from "vitest"
import { DeliveryFound, DeliveryList, DeliveryReplayed } from "@sightline/contract/DeliveryApi"
import { Conflict, InvalidRequest, NotFound } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, installation, operator, type Program, startProgram } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"
import { waitFor } from "./waiting.ts"
import { certificatePath, home, identity } from "../engine/receivers.ts"
import { listen } from "../services/listen.ts"
import { startNats } from "../services/nats.ts"

const decodeFound = exactly(DeliveryFound)
const decodeList = exactly(DeliveryList)
const decodeReplayed = exactly(DeliveryReplayed)
const decodeConflict = exactly(Conflict)
const decodeInvalid = exactly(InvalidRequest)
const decodeNotFound = exactly(NotFound)

interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

// A server of its own, where no other program's notices are heard.
const nats = await startNats()
let program: Program
let env: Awaited<ReturnType<typeof installation>>
let receiver: Server
let url: string
let status = 200
/** The receiver waits for this before it responds. */
let answering = Promise.resolve()
const received: Array<Received> = []

beforeAll(async () => {
  receiver = createServer(identity, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString() })
      void answering.then(() => response.writeHead(status).end("thank you"))
    })
  })
  url = `https://${home}:${await listen(receiver, home)}/in`
  env = await installation()
  program = await startProgram({
    ...env,
    NATS_URL: nats.url,
    DELIVERY_ALLOW_CIDRS: "127.9.0.0/16",
    DELIVERY_RETRY_DELAYS: "100ms,200ms",
    // For this process the system's root certificates. The tests of watches use those that Node has in addition.
    SSL_CERT_FILE: certificatePath
  })
})
afterAll(async () => {
  await program.stop()
  receiver.closeAllConnections()
  receiver.close()
  await nats.stop()
})
beforeEach(() => {
  status = 200
  answering = Promise.resolve()
  received.length = 0
})

const api = (key: string) => {
  const get = (path: string) => call(`${program.base}${path}`, { key })
  const list = async (query = "") => {
    const answer = await get(`/v1/deliveries${query}`)
    assert.strictEqual(answer.status, 200, answer.text)
    return decodeList(answer.body)
  }
  const find = async (id: string) => {
    const answer = await get(`/v1/deliveries/${id}`)
    assert.strictEqual(answer.status, 200, answer.text)
    return decodeFound(answer.body)
  }
  return {
    get,
    list,
    find,
    replay: (id: string, once?: string) =>
      call(`${program.base}/v1/deliveries/${id}/replay`, {
        key,
        method: "POST",
        ...(once === undefined ? {} : { headers: { "idempotency-key": once } })
      }),
    endpoint: async (more: object = {}): Promise<{ id: string; secret: string }> =>
      (await call(`${program.base}/v1/webhooks`, { key, body: { url, ...more } })).body.webhook,
    ask: async (webhook_id: string): Promise<string> => {
      const body = {
        prompt: `best shoes ${randomUUID()} [[sandbox:answer]]`,
        providers: ["openai"],
        async: true,
        webhook_id
      }
      const answer = await call(`${program.base}/v1/ask`, { key, body })
      assert.strictEqual(answer.status, 202, answer.text)
      return answer.body.ask_id
    },
    /** The only delivery of an endpoint, once it is no longer pending. */
    settled: (webhook: string) =>
      waitFor(`the end of what ${webhook} is sent`, async () => {
        const [delivery] = (await list(`?webhook_id=${webhook}`)).deliveries
        return delivery === undefined || delivery.status === "pending" ? undefined : find(delivery.id)
      })
  }
}

const newCustomer = async (options: object = {}) => {
  const made = await customer(program, env.ADMIN_TOKEN, 10_000, options)
  return { ...made, ...api(made.key) }
}

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("hex")

describe("a delivery", () => {
  it("of a queued ask arrives signed, and the history says so", async () => {
    const { ask, endpoint, settled } = await newCustomer()
    const { id, secret } = await endpoint()
    const askId = await ask(id)
    const { attempts, created_at: _, id: deliveryId, request_id: __, ...rest } = await settled(id)
    assert.deepStrictEqual(rest, {
      event: "ask.completed",
      webhook_id: id,
      ask_id: askId,
      url,
      status: "delivered",
      next_attempt_at: null
    })
    assert.lengthOf(received, 1)
    const [{ body, headers } = assert.fail("nothing came")] = received
    assert.strictEqual(JSON.parse(body).data.id, askId)
    assert.notStrictEqual(JSON.parse(body).id, deliveryId)
    assert.strictEqual(headers["x-svc-signature"], hmac(secret, body))
    const t = String(headers["x-svc-timestamp"])
    assert.strictEqual(headers["x-svc-signature-legacy"], `t=${t},v1=${hmac(secret, `${t}.${body}`)}`)
    assert.deepInclude(attempts[0] ?? {}, {
      delivery_id: headers["x-svc-delivery-id"],
      number: 1,
      remote_address: home,
      status_code: 200,
      response_excerpt: "thank you"
    })
    assert.isAbove(attempts[0]?.duration_ms ?? 0, 0)
  })

  it("is tried three times with the same bytes and different ids, and has then failed", async () => {
    const { ask, endpoint, settled } = await newCustomer()
    status = 503
    const { id } = await endpoint()
    await ask(id)
    const { attempts, reason, status: outcome } = await settled(id)
    assert.deepStrictEqual([outcome, reason], ["failed", "http_503"])
    assert.deepStrictEqual(
      attempts.map(({ error, number, status_code }) => [number, status_code, error]),
      [1, 2, 3].map((number) => [number, 503, "http_503"])
    )
    assert.deepStrictEqual(
      received.map(({ headers }) => headers["x-svc-delivery-id"]),
      attempts.map(({ delivery_id }) => delivery_id)
    )
    assert.strictEqual(new Set(received.map(({ body }) => body)).size, 1)
  })

  it("is signed with the new secret only, from its rotation on", async () => {
    const { ask, endpoint, key, settled } = await newCustomer()
    const { id } = await endpoint()
    const rotated = await call(`${program.base}/v1/webhooks/${id}`, {
      key,
      method: "PATCH",
      body: { rotate_secret: true }
    })
    await ask(id)
    await settled(id)
    const [{ body, headers } = assert.fail("nothing came")] = received
    assert.strictEqual(headers["x-svc-signature"], hmac(rotated.body.webhook.secret, body))
  })

  it.each([
    ["disabled", "PATCH", { enabled: false }],
    ["deleted", "DELETE", undefined]
  ])("that waits for its next attempt fails permanently as soon as its endpoint is %s", async (_, method, body) => {
    const { ask, endpoint, find, key, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`
        UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp() + interval '5 minutes'
        WHERE id = ${first.id}`
    )
    const waiting = await find(first.id)
    assert.strictEqual(waiting.status, "pending")
    assert.isAbove(Date.parse(waiting.next_attempt_at ?? ""), Date.parse(waiting.created_at))
    const path = `${program.base}/v1/webhooks/${id}`
    await call(path, { key, method, ...(body === undefined ? {} : { body }) })
    const stopped = { status: "failed", reason: "endpoint_disabled", next_attempt_at: null } as const
    assert.deepInclude(await find(first.id), stopped)
    await call(path, { key, method: "PATCH", body: { enabled: true } })
    assert.deepInclude(await find(first.id), stopped)
    assert.lengthOf(received, 1)
  })
})

it("is signed with the newest secret, whatever the case of the endpoint id in the rotation and in the ask", async () => {
  const { ask, endpoint, key, settled } = await newCustomer()
  const { id } = await endpoint()
  const upper = id.toUpperCase()
  const rotated = await call(`${program.base}/v1/webhooks/${upper}`, {
    key,
    method: "PATCH",
    body: { rotate_secret: true }
  })
  const { webhook } = rotated.body
  assert.strictEqual(webhook.id, id)
  await ask(upper)
  assert.deepInclude(await settled(id), { status: "delivered", webhook_id: id })
  const [{ body, headers } = assert.fail("nothing came")] = received
  assert.strictEqual(headers["x-svc-signature"], hmac(webhook.secret, body))
})

describe("POST /v1/deliveries/{id}/replay", () => {
  it("202: a replay is a new delivery with the same bytes", async () => {
    const { ask, endpoint, list, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const answer = await replay(first.id)
    assert.strictEqual(answer.status, 202)
    const second = decodeReplayed(answer.body)
    assert.notStrictEqual(second.id, first.id)
    assert.deepStrictEqual([second.status, second.webhook_id, second.ask_id], ["pending", id, first.ask_id])
    const again = await settled(id)
    assert.strictEqual(again.id, second.id)
    assert.strictEqual(again.status, "delivered")
    assert.deepStrictEqual(received[0]?.body, received[1]?.body)
    assert.lengthOf(new Set(received.map(({ headers }) => headers["x-svc-delivery-id"])), 2)
    assert.deepStrictEqual(
      (await list()).deliveries.map((delivery) => delivery.id),
      [second.id, first.id]
    )
  })

  it("202: the senders are notified of a replay, so that it need not wait to be found", async () => {
    const connection = await connect({ servers: nats.url })
    const { ask, endpoint, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    let notices = 0
    connection.subscribe("broadcast.*.delivery.written", { callback: () => void notices++ })
    await connection.flush()
    await ask(id)
    const first = await settled(id)
    await waitFor("the notice of the first delivery", () => Promise.resolve(notices === 1 || undefined))
    await replay(first.id)
    assert.notStrictEqual((await settled(id)).id, first.id)
    await connection.flush()
    assert.strictEqual(notices, 2)
    await connection.close()
  })

  it("202: shows its URL, which is the current URL of the endpoint", async () => {
    const { ask, endpoint, key, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const moved = `${url}/moved`
    await call(`${program.base}/v1/webhooks/${id}`, { key, method: "PATCH", body: { url: moved } })
    assert.strictEqual(decodeReplayed((await replay(first.id)).body).url, moved)
    assert.deepInclude(await settled(id), { status: "delivered", url: moved })
  })

  it("409: only one of any number of concurrent replays is accepted; when it has ended, another is", async () => {
    const { ask, endpoint, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    const answers = await Promise.all(Array.from({ length: 20 }, () => replay(first.id)))
    assert.lengthOf(
      answers.filter((answer) => answer.status === 409),
      19
    )
    const second = decodeReplayed(answers.find((answer) => answer.status === 202)?.body)
    const { code, message } = decodeConflict((await replay(first.id)).body).error
    assert.strictEqual(code, "conflict")
    assert.include(message, second.id)
    resolve()
    assert.strictEqual((await settled(id)).id, second.id)
    assert.lengthOf(received, 2)
    assert.strictEqual((await replay(second.id)).status, 202)
    await settled(id)
  })

  it("409: for a disabled endpoint until it is enabled, and for a deleted one permanently", async () => {
    const { ask, endpoint, key, list, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const path = `${program.base}/v1/webhooks/${id}`
    await call(path, { key, method: "PATCH", body: { enabled: false } })
    const refused = await replay(first.id, "one")
    assert.strictEqual(refused.status, 409, refused.text)
    assert.include(decodeConflict(refused.body).error.message, "is disabled. Enable it")
    await call(path, { key, method: "PATCH", body: { enabled: true } })
    assert.strictEqual((await replay(first.id, "one")).status, 202)
    assert.strictEqual((await settled(id)).status, "delivered")
    await call(path, { key, method: "DELETE" })
    assert.include(decodeConflict((await replay(first.id)).body).error.message, "was deleted")
    assert.lengthOf((await list()).deliveries, 2)
    assert.lengthOf(received, 2)
  })

  it("409: a replay cannot be replayed while its original is pending; the pending original can", async () => {
    const { ask, endpoint, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    await sqlOn(
      env.DATABASE_URL,
      (sql) => sql`
        UPDATE deliveries SET status = 'pending', next_attempt_at = clock_timestamp() + interval '5 minutes'
        WHERE id = ${first.id}`
    )
    const second = decodeReplayed((await replay(first.id)).body)
    assert.strictEqual((await settled(id)).id, second.id)
    assert.include(decodeConflict((await replay(second.id)).body).error.message, first.id)
    assert.strictEqual((await replay(first.id)).status, 202)
    await settled(id)
  })

  it("202 for the same Idempotency-Key while it is pending, and for a refused key once it is not", async () => {
    const { ask, endpoint, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const { promise, resolve } = Promise.withResolvers<void>()
    answering = promise
    const made = await replay(first.id, "one")
    const again = await replay(first.id, "one")
    assert.deepStrictEqual([made.status, again.status, again.text], [202, 202, made.text])
    assert.strictEqual((await replay(first.id, "two")).status, 409)
    resolve()
    assert.strictEqual((await settled(id)).id, made.body.id)
    const other = await replay(first.id, "two")
    assert.strictEqual(other.status, 202)
    assert.notStrictEqual(other.body.id, made.body.id)
    await settled(id)
  })

  it("409: a delivery that already has a hundred deliveries of its event cannot be replayed", async () => {
    const { ask, endpoint, list, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const kept = (count: number) =>
      sqlOn(
        env.DATABASE_URL,
        (sql) => sql`
          INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at)
          SELECT gen_random_uuid(), account_id, environment, event, webhook_id, ask_id, url, body, 'failed', created_at
          FROM deliveries, generate_series(1, ${count}::integer) WHERE id = ${first.id}`
      )
    await kept(98)
    assert.strictEqual((await replay(first.id)).status, 202)
    const last = await settled(id)
    for (const one of [first, last])
      assert.include(decodeConflict((await replay(one.id)).body).error.message, "100 deliveries")
    assert.isNotNull((await list("?limit=99")).next_cursor)
    assert.isNull((await list("?limit=100")).next_cursor)
    // Another event of the same endpoint has its own hundred.
    const askId = await ask(id)
    const other = await waitFor("its delivery", async () =>
      (await list()).deliveries.find(({ ask_id, status: outcome }) => ask_id === askId && outcome === "delivered")
    )
    assert.strictEqual((await replay(other.id)).status, 202)
    await settled(id)
  })

  it("403: a read-only key can read but not replay", async () => {
    const { account, ask, endpoint, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const first = await settled(id)
    const { key } = await operator(program, env.ADMIN_TOKEN).key(account, { read_only: true })
    assert.strictEqual((await api(key).replay(first.id)).status, 403)
    assert.strictEqual((await api(key).find(first.id)).id, first.id)
    assert.lengthOf(received, 1)
  })
})

describe("404", () => {
  it("is the same for another account, another environment, an unknown id and a malformed id", async () => {
    const { account, ask, endpoint, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const foreign = (await settled(id)).id
    const other = await newCustomer()
    const live = await operator(program, env.ADMIN_TOKEN).key(account, { environment: "live" })
    const attempts = [
      ...[foreign, randomUUID(), "x", `${foreign}0`, "%00"].map((wanted) => [other.key, wanted] as const),
      [live.key, foreign] as const
    ]
    for (const [key, wanted] of attempts) {
      for (const answer of [await api(key).get(`/v1/deliveries/${wanted}`), await api(key).replay(wanted)]) {
        assert.strictEqual(answer.status, 404)
        assert.strictEqual(decodeNotFound(answer.body).error.message, "There is no such delivery.")
      }
    }
    assert.isEmpty((await other.list(`?webhook_id=${id}`)).deliveries)
    assert.lengthOf(received, 1)
  })
})

describe("GET /v1/deliveries", () => {
  it("200: the pages list each delivery once, newest first", async () => {
    const { ask, endpoint, list, replay, settled } = await newCustomer()
    const { id } = await endpoint()
    await ask(id)
    const { id: first } = await settled(id)
    for (const _ of Array.from({ length: 4 })) {
      await replay(first)
      await settled(id)
    }
    const seen: Array<string> = []
    let query = "?limit=2"
    for (;;) {
      const { deliveries, next_cursor } = await list(query)
      seen.push(...deliveries.map((delivery) => delivery.id))
      if (next_cursor === null) break
      query = `?limit=2&cursor=${next_cursor}`
    }
    assert.lengthOf(seen, 5)
    assert.strictEqual(new Set(seen).size, 5)
    assert.strictEqual(seen.at(-1), first)
    for (const filter of [`watch_id=${randomUUID()}`, `webhook_id=${randomUUID()}`, "status=failed"])
      assert.isEmpty((await list(`?${filter}`)).deliveries, filter)
    for (const filter of [`webhook_id=${id}`, "status=delivered"])
      assert.lengthOf((await list(`?${filter}`)).deliveries, 5, filter)
    assert.isNull((await list("?limit=5")).next_cursor)
  })

  it.each([
    "nothing=1",
    "status=lost",
    "limit=0",
    "limit=101",
    "limit=x",
    "watch_id=1",
    "webhook_id=",
    "cursor=x",
    "cursor="
  ])("400: ?%s", async (query) => {
    const { get } = await newCustomer()
    const answer = await get(`/v1/deliveries?${query}`)
    assert.strictEqual(answer.status, 400, answer.text)
    assert.strictEqual(decodeInvalid(answer.body).error.details?.issues[0]?.path, query.split("=")[0])
  })

  it("400: says which limits are valid", async () => {
    const { get } = await newCustomer()
    const issues = async (path: string) => decodeInvalid((await get(path)).body).error.details?.issues
    const [path, words] = ["limit", "must be a whole number from 1 to"]
    assert.deepEqual(await issues("/v1/deliveries?limit=101"), [{ path, message: `${words} 100` }])
    assert.deepEqual(await issues("/v1/ledger?limit=0"), [{ path, message: `${words} 200` }])
  })

  it("401: without a key", async () => {
    assert.strictEqual((await call(`${program.base}/v1/deliveries`)).body.error.code, "unauthorized")
  })
})
