/**
 * `Idempotency-Key` on calls that are not charged themselves, with two processes on one database and one NATS: to create, run and resume a
 * watch, and to replay a delivery.
 *
 * Planted and seen red: the secret left out of the fingerprint; a key kept after a refusal; the watch left out of the fingerprint of a run
 * or a resumption, or the delivery of a replay; a resumption that ignores the key.
 */
import { randomUUID } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { DeliveryReplayed } from "@sightline/contract/DeliveryApi"
import { BodyMismatch, Conflict, InvalidRequest, WatchNotFound } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, installation, overNats, type Program, startProgram } from "./program.ts"
import { decode, receiving, secret, startReceiver, watching, wishes } from "./watching.ts"
import { waitFor } from "./waiting.ts"

const decodeReplayed = exactly(DeliveryReplayed)
const problem = {
  mismatch: exactly(BodyMismatch),
  conflict: exactly(Conflict),
  invalid: exactly(InvalidRequest),
  unknown: exactly(WatchNotFound)
}

let programs: ReadonlyArray<Program>
let env: Awaited<ReturnType<typeof installation>>
let receiver: Awaited<ReturnType<typeof startReceiver>>

beforeAll(async () => {
  receiver = await startReceiver()
  env = await installation()
  const settings = { ...env, ...receiving, ROLES: "api,worker", ...overNats }
  programs = [await startProgram(settings), await startProgram(settings)]
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.stop()))
  receiver.stop()
})

const program = (n = 0) => programs[n % 2] ?? assert.fail("no program")

const newCustomer = async () => {
  const { key } = await customer(program(), env.ADMIN_TOKEN, 1000)
  const post = (path: string, name: string, body?: unknown, n = 0) =>
    call(`${program(n).base}/v1/${path}`, {
      key,
      method: "POST",
      ...(body === undefined ? {} : { body }),
      headers: { "idempotency-key": name }
    })
  return { key, post, ...watching(program(), key) }
}

const isReplay = ({ headers }: { readonly headers: Headers }) => headers.get("idempotency-replay") === "true"

describe("POST /v1/watch with an Idempotency-Key", () => {
  it("201: twenty concurrent calls to two processes create one watch and have the same response, as does a later call", async () => {
    const { post, send } = await newCustomer()
    const shuffled = Object.fromEntries(Object.entries(wishes).toReversed())
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => post("watch", "one", n % 3 === 0 ? shuffled : wishes, n))
    )
    const later = await post("watch", "one", wishes, 1)
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [201])
    assert.strictEqual(new Set([later, ...answers].map(({ text }) => text)).size, 1)
    assert.lengthOf(
      answers.filter((answer) => !isReplay(answer)),
      1
    )
    assert.isTrue(isReplay(later))
    assert.isNotNull(later.headers.get("x-ratelimit-remaining"))
    const { id } = decode.state(later.body)
    assert.deepStrictEqual(
      decode.list((await send("GET", "")).body).watches.map((watch) => watch.id),
      [id]
    )
  })

  it("422: another query, another secret, or other triggers", async () => {
    const { post, send } = await newCustomer()
    await post("watch", "one", wishes)
    for (const change of [
      { query: "best shoes" },
      { webhook_secret: `${secret}!` },
      { trigger_on: ["mention_added"] }
    ]) {
      const other = await post("watch", "one", { ...wishes, ...change }, 1)
      assert.strictEqual(other.status, 422, other.text)
      assert.strictEqual(problem.mismatch(other.body).error.code, "idempotency_body_mismatch")
    }
    assert.lengthOf(decode.list((await send("GET", "")).body).watches, 1)
  })

  it("400 and 501, then 201: a refused call releases its key", async () => {
    const { post } = await newCustomer()
    const forbidden = await post("watch", "one", { ...wishes, webhook_url: "https://10.0.0.1/in" })
    assert.deepInclude(problem.invalid(forbidden.body).error.details?.issues[0], { path: "webhook_url" })
    assert.strictEqual((await post("watch", "one", { ...wishes, mode: "deep" })).status, 501)
    const made = await post("watch", "one", wishes)
    assert.deepStrictEqual([made.status, isReplay(made)], [201, false])
  })

  it("400: a key must have 1 to 200 characters, and otherwise nothing is created", async () => {
    const { post, send } = await newCustomer()
    for (const none of ["x".repeat(201), ""]) {
      const answer = await post("watch", none, wishes)
      assert.deepInclude(problem.invalid(answer.body).error.details?.issues[0], { path: "Idempotency-Key" })
    }
    assert.isEmpty(decode.list((await send("GET", "")).body).watches)
  })
})

describe("POST /v1/watch/{id}/run with an Idempotency-Key", () => {
  it("202: the same run, even after it has ended, and one charge", async () => {
    const { create, ended, post, runs } = await newCustomer()
    const { id } = await create({ trigger_on: ["mention_removed"] })
    const first = await post(`watch/${id}/run`, "one")
    const { run_id } = decode.started(first.body)
    await ended(id, run_id)
    const again = await post(`watch/${id}/run`, "one", undefined, 1)
    assert.deepStrictEqual([first.status, again.status], [202, 202])
    assert.deepStrictEqual([again.text, isReplay(again)], [first.text, true])
    assert.lengthOf(await runs(id), 1)
    const other = await post(`watch/${id}/run`, "two")
    assert.notStrictEqual(decode.started(other.body).run_id, run_id)
  })

  it("422 for another watch; 404 for an unknown one; 409 while it is paused, then 202 once it is resumed", async () => {
    const { create, post, send } = await newCustomer()
    const [one, two] = [await create(), await create()]
    await post(`watch/${one.id}/run`, "one")
    const other = await post(`watch/${two.id}/run`, "one")
    assert.strictEqual(other.status, 422)
    const { message } = problem.mismatch(other.body).error
    assert.strictEqual(message, "This Idempotency-Key was used for another request. Use a new one.")
    assert.strictEqual(
      problem.unknown((await post(`watch/${randomUUID()}/run`, "one")).body).error.code,
      "watch_not_found"
    )
    await send("DELETE", `/${two.id}`)
    assert.strictEqual(problem.conflict((await post(`watch/${two.id}/run`, "two")).body).error.code, "conflict")
    await send("POST", `/${two.id}/resume`)
    const resumed = await post(`watch/${two.id}/run`, "two")
    assert.deepStrictEqual([resumed.status, isReplay(resumed)], [202, false])
  })
})

describe("POST /v1/watch/{id}/resume with an Idempotency-Key", () => {
  it("200: a replay leaves a watch paused that was paused again meanwhile; 422: another watch", async () => {
    const { create, post, send } = await newCustomer()
    const [one, two] = [await create(), await create()]
    await send("DELETE", `/${one.id}`)
    const resumed = await post(`watch/${one.id}/resume`, "one")
    assert.deepInclude(decode.state(resumed.body), { id: one.id, status: "active" })
    await send("DELETE", `/${one.id}`)
    const again = await post(`watch/${one.id}/resume`, "one", undefined, 1)
    assert.deepStrictEqual([again.status, again.text, isReplay(again)], [200, resumed.text, true])
    assert.strictEqual(decode.state((await send("GET", `/${one.id}`)).body).status, "paused")
    assert.strictEqual((await post(`watch/${two.id}/resume`, "one")).status, 422)
    const other = await post(`watch/${one.id}/resume`, "two")
    assert.deepInclude(decode.state(other.body), { id: one.id, status: "active" })
  })
})

describe("POST /v1/deliveries/{id}/replay with an Idempotency-Key", () => {
  it("202: one more delivery, however many calls; 422: another delivery", async () => {
    const { create, key, post, run } = await newCustomer()
    const { received, url } = receiver.next()
    const { id } = await create({ webhook_url: url })
    await run(id)
    await waitFor("the webhook", async () => (received().length > 0 ? true : undefined))
    const all = async () => (await call(`${program().base}/v1/deliveries`, { key })).body.deliveries
    const [{ id: delivery }] = await all()
    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) => post(`deliveries/${delivery}/replay`, "one", undefined, n))
    )
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [202, 202, 202, 202]
    )
    const [made = "", ...others] = new Set(answers.map(({ body }) => decodeReplayed(body).id))
    assert.isEmpty(others)
    await waitFor("the webhook again", async () => (received().length > 1 ? true : undefined))
    const other = await post(`deliveries/${made}/replay`, "one")
    assert.strictEqual(problem.mismatch(other.body).error.code, "idempotency_body_mismatch")
    assert.lengthOf(await all(), 2)
  })
})
