/**
 * `/v1/keys`: how an account manages its own keys, with two processes on one database and one NATS.
 *
 * Planted and seen red: a key of the other environment revoked; every revoked key listed; concurrent creations that each count before the
 * others; default rate limits for a new key; a key created by a revoked one; the first hundred revoked keys listed in place of the last;
 * a read-only key shown as one that may spend.
 */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { KeyCreated, KeyList } from "@sightline/contract/KeyApi"
import { Conflict, NotFound } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { signIn } from "./browsing.ts"
import {
  call,
  customer,
  generous,
  installation,
  lastLetIn,
  operator,
  overNats,
  type Program,
  startProgram
} from "./program.ts"
import { sqlOn } from "./sqlOn.ts"

let one: Program
let two: Program
let own: Awaited<ReturnType<typeof installation>>
let api: ReturnType<typeof operator>

beforeAll(async () => {
  own = await installation()
  const env = { ...own, ...overNats }
  one = await startProgram(env)
  two = await startProgram(env)
  api = operator(one, own.ADMIN_TOKEN)
})
afterAll(() => Promise.all([one.stop(), two.stop()]))

const decode = {
  list: exactly(KeyList),
  created: exactly(KeyCreated),
  notFound: exactly(NotFound),
  conflict: exactly(Conflict)
}

const list = async (key: string) => decode.list((await call(`${one.base}/v1/keys`, { key })).body).keys
const create = (key: string, body: object = {}) => call(`${one.base}/v1/keys`, { key, body })
const revoke = (key: string, id: string) => call(`${one.base}/v1/keys/${id}`, { key, method: "DELETE" })
const models = (program: Program, options: Parameters<typeof call>[1]) => call(`${program.base}/v1/models`, options)

const made = async (key: string, body?: object) => {
  const { status, text, body: answer } = await create(key, body)
  assert.strictEqual(status, 201, text)
  return decode.created(answer).key
}

describe("an account's own keys", () => {
  it("201 creates a key of the same environment, and its text is shown once", async () => {
    const { key, keyId } = await customer(one, own.ADMIN_TOKEN, 0)
    const { text, ...record } = await made(key)
    assert.deepInclude(record, { environment: "test", read_only: false, revoked_at: null })
    assert.match(text, /^lvk_test_/)
    const keys = await list(text)
    assert.deepStrictEqual(keys[0], { ...record, current: true })
    assert.deepStrictEqual([keys[1]?.id, keys[1]?.current, keys.length], [keyId, false, 2])
    assert.notInclude(JSON.stringify((await call(`${one.base}/v1/keys`, { key })).body), text.slice(9))
  })

  it("403: a read-only key creates and revokes none, and a key that was created read-only spends nothing", async () => {
    const { key, keyId } = await customer(one, own.ADMIN_TOKEN, 1000)
    const { text, ...record } = await made(key, { read_only: true })
    assert.isTrue(record.read_only)
    const [shown, other] = await list(text)
    assert.deepStrictEqual([shown, other?.id, other?.read_only], [{ ...record, current: true }, keyId, false])
    assert.strictEqual((await create(text)).status, 403)
    assert.strictEqual((await revoke(text, keyId)).status, 403)
    const spent = await call(`${one.base}/v1/check`, { key: text, body: { query: "q", brand: "b" } })
    assert.strictEqual(spent.status, 403)
  })

  it("400 for an unknown field, including an environment, and for an invalid value", async () => {
    const { key } = await customer(one, own.ADMIN_TOKEN, 0)
    for (const body of [{ environment: "live" }, { rate_limits: {} }, { read_only: "yes" }, { read_only: null }])
      assert.strictEqual((await create(key, body)).status, 400)
  })

  it("204 revokes a key within 2 s on every process, including its session", async () => {
    const { key } = await customer(one, own.ADMIN_TOKEN, 0)
    const { id, text } = await made(key)
    const { cookie } = await signIn(two, text)
    for (const options of [{ key: text }, { headers: { cookie } }])
      assert.strictEqual((await models(two, options)).status, 200)
    assert.strictEqual((await revoke(key, id.toUpperCase())).status, 204)
    const look = () =>
      Promise.all([{ key: text }, { headers: { cookie } }].map(async (options) => (await models(two, options)).status))
    assert.isAtMost(await lastLetIn(Date.now(), look), 2000)
    const [revoked, current] = await list(key)
    assert.isNotNull(revoked?.revoked_at)
    assert.deepStrictEqual([current?.revoked_at, current?.current], [null, true])
    assert.strictEqual((await revoke(key, id)).status, 204)
  })

  it("401 for a revoked key, even on a process that has not received the notice; it creates no key", async () => {
    const { key, keyId } = await customer(one, own.ADMIN_TOKEN, 0)
    const other = await made(key)
    await sqlOn(own.DATABASE_URL, (sql) => sql`UPDATE api_keys SET revoked_at = now() WHERE id = ${keyId}`)
    assert.strictEqual((await create(key)).status, 401)
    assert.sameMembers(
      (await list(other.text)).map(({ id }) => id),
      [keyId, other.id]
    )
  })

  it("204 revokes the key that made the call", async () => {
    const { key, keyId } = await customer(one, own.ADMIN_TOKEN, 0)
    assert.strictEqual((await revoke(key, keyId)).status, 204)
    assert.strictEqual((await revoke(key, keyId)).status, 401)
  })

  it("404 with one message for a key of another account or environment, an unknown id and a malformed id", async () => {
    const mine = await customer(one, own.ADMIN_TOKEN, 0)
    const foreign = await customer(one, own.ADMIN_TOKEN, 0)
    const live = await api.key(mine.account, { environment: "live", rate_limits: generous })
    for (const id of [foreign.keyId, live.id, crypto.randomUUID(), "1", "%00", mine.keyId.toUpperCase() + "0"]) {
      const { status, body } = await revoke(mine.key, id)
      assert.strictEqual(status, 404)
      assert.strictEqual(decode.notFound(body).error.message, "There is no such key.")
    }
    for (const { key } of [foreign, live]) assert.strictEqual((await models(one, { key })).status, 200)
    assert.deepStrictEqual(
      (await list(mine.key)).map(({ id }) => id),
      [mine.keyId]
    )
    assert.deepStrictEqual(
      (await list(live.key)).map(({ id }) => id),
      [live.id]
    )
  })

  it("201 gives a new key the rate limits of the key that creates it, so that they cannot be evaded", async () => {
    const { account } = await customer(one, own.ADMIN_TOKEN, 0)
    const { key } = await api.key(account, {
      environment: "test",
      rate_limits: { default: { burst: 7, per_second: 7 } }
    })
    const { text } = await made(key)
    assert.strictEqual((await models(two, { key: text })).headers.get("x-ratelimit-limit"), "7")
  })

  it("409 for the 101st valid key, however many are created concurrently; a revocation makes room", async () => {
    const { key, account } = await customer(one, own.ADMIN_TOKEN, 0)
    await sqlOn(
      own.DATABASE_URL,
      (sql) => sql`INSERT INTO api_keys (id, account_id, environment, hash, read_only, rate_limits)
        SELECT gen_random_uuid(), ${account}, 'test', sha256(gen_random_uuid()::text::bytea), false, '{}' FROM generate_series(1, 95)`
    )
    const answers = await Promise.all(Array.from({ length: 8 }, () => create(key)))
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b)
    assert.deepStrictEqual(statuses, [201, 201, 201, 201, 409, 409, 409, 409])
    decode.conflict(answers.find(({ status }) => status === 409)?.body)
    const keys = await list(key)
    assert.lengthOf(keys, 100)
    await revoke(key, keys.find(({ current }) => !current)?.id ?? "")
    assert.strictEqual((await create(key)).status, 201)
    // The other environment has its own limit.
    const live = await api.key(account, { environment: "live" })
    assert.strictEqual((await create(live.key)).status, 201)
  })

  it("lists newest first, with only the last hundred revoked keys", async () => {
    const { key, account } = await customer(one, own.ADMIN_TOKEN, 0)
    await sqlOn(
      own.DATABASE_URL,
      (
        sql
      ) => sql`INSERT INTO api_keys (id, account_id, environment, hash, read_only, rate_limits, created_at, revoked_at)
        SELECT gen_random_uuid(), ${account}, 'test', sha256(gen_random_uuid()::text::bytea), false, '{}',
          '2026-02-01T00:00:00Z'::timestamptz - make_interval(hours => n),
          '2026-03-01T00:00:00Z'::timestamptz + make_interval(mins => n)
        FROM generate_series(1, 120) n`
    )
    const keys = await list(key)
    const revocations = keys.flatMap(({ revoked_at }) => (revoked_at === null ? [] : [revoked_at]))
    const minutes = revocations.map((moment) => (Date.parse(moment) - Date.parse("2026-03-01T00:00:00Z")) / 60_000)
    assert.deepStrictEqual(
      minutes,
      Array.from({ length: 100 }, (_, place) => place + 21)
    )
    assert.lengthOf(keys, 101)
    const times = keys.map(({ created_at }) => created_at)
    assert.deepStrictEqual(times, times.toSorted().toReversed())
  })
})
