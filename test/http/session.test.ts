/**
 * Sessions, with two processes on one database and one NATS.
 *
 * Planted and seen red:
 * - a cookie that scripts can read;
 * - the token stored as it is;
 * - sign-in from any page;
 * - different responses to a wrong key and a malformed one;
 * - the first forwarded address limited instead of the last;
 * - each IPv6 address limited by itself;
 * - a cookie that takes precedence over the header;
 * - a session cached for 10 s and kept after the notice;
 * - a CSRF token that is not compared;
 * - the origin of a change ignored;
 * - a read-only key that spends by its session;
 * - a sign-out by another page;
 * - a CSRF token that differs each time it is read;
 * - a session that outlives the next one of its browser;
 * - a live session shown as a test session;
 * - a session still accepted by the process that ended it;
 * - a longer cookie taken for ours;
 * - tries of another page counted;
 * - a sign-out without the CSRF token.
 */
import { Effect } from "effect"
import { HttpApi } from "effect/http-api"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "@sightline/contract/Api"
import { type Browsing, originOf, signIn, trySignIn } from "./browsing.ts"
import { call, customer, installation, lastLetIn, operator, overNats, type Program, startProgram } from "./program.ts"
import { sqlOn } from "./sqlOn.ts"

let one: Program
let two: Program
let own: Awaited<ReturnType<typeof installation>>
let token: string

beforeAll(async () => {
  own = await installation()
  token = own.ADMIN_TOKEN
  const env = { ...own, ...overNats }
  one = await startProgram(env)
  two = await startProgram(env)
})
afterAll(() => Promise.all([one.stop(), two.stop()]))

const models = (program: Program, { cookie }: Pick<Browsing, "cookie">) =>
  call(`${program.base}/v1/models`, { headers: { cookie } })

const check = { query: "best running shoes", brand: "Nike" }

const endedEverywhere = (session: Browsing, since: number) =>
  lastLetIn(since, () => Promise.all([one, two].map(async (program) => (await models(program, session)).status)))

/** Every endpoint that changes something and needs a caller, with an id where its path has one. */
const mutations = () => {
  const found: Array<{ readonly method: string; readonly path: string }> = []
  HttpApi.reflect(Api, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, middleware }) => {
      if (endpoint.method === "GET" || middleware.size === 0) return
      found.push({
        method: endpoint.method,
        path: endpoint.path.replaceAll(/:[a-z_]+/gi, "00000000-0000-4000-8000-000000000000")
      })
    }
  })
  return found
}

describe("sign-in", () => {
  it("201 with a cookie for 12 hours that is not readable by scripts, not sent by other sites and not sent without TLS", async () => {
    const { key, keyId } = await customer(one, token, 0)
    const { status, headers, body } = await trySignIn(one, key)
    assert.strictEqual(status, 201)
    const [pair = "", ...attributes] = (headers.get("set-cookie") ?? "").split("; ")
    assert.match(pair, /^__Host-sightline=[A-Za-z0-9_-]{43}$/)
    assert.sameMembers(attributes, ["HttpOnly", "Secure", "SameSite=Strict", "Path=/", "Max-Age=43200"])
    assert.strictEqual(headers.get("cache-control"), "no-store")
    assert.deepStrictEqual([body.key_id, body.environment, body.read_only], [keyId, "test", false])
    assert.closeTo(Date.parse(body.expires_at), Date.now() + 12 * 3_600_000, 60_000)
  })

  it("200 for the session of the cookie, always with the same token; 401 without a session", async () => {
    const { key } = await customer(one, token, 0, { environment: "live", read_only: true })
    const session = await signIn(one, key)
    const { status, body } = await call(`${two.base}/session`, { headers: { cookie: session.cookie } })
    assert.deepStrictEqual([status, body.csrf_token], [200, session.csrf])
    assert.deepStrictEqual([body.environment, body.read_only], ["live", true])
    for (const cookie of ["", `__Host-sightline=${"A".repeat(43)}`, "__Host-sightline=%00"])
      assert.strictEqual((await call(`${one.base}/session`, { headers: { cookie } })).status, 401)
  })

  it("stores neither the key nor the session token in the database or the log", async () => {
    const { key } = await customer(one, token, 0)
    const session = await signIn(one, key)
    await trySignIn(one, `${key}x`)
    const [dump] = await sqlOn(
      own.DATABASE_URL,
      (sql) =>
        sql<{
          text: string
        }>`SELECT string_agg(s::text, ' ') || (SELECT string_agg(k::text, ' ') FROM api_keys k) AS text FROM sessions s`
    )
    const secret = session.cookie.split("=")[1] ?? "?"
    const hex = Buffer.from(secret, "base64url").toString("hex")
    for (const text of [key, secret, hex, Buffer.from(secret).toString("hex")]) {
      assert.notInclude(dump?.text, text)
      assert.notInclude(one.output(), text)
    }
  })

  it("401 for every wrong key, with the same message", async () => {
    const [revoked, detached] = [await customer(one, token, 0), await customer(one, token, 0)]
    const { admin } = operator(one, token)
    await admin(`/keys/${revoked.keyId}`, undefined, "DELETE")
    await admin(`/accounts/${detached.account}`, undefined, "DELETE")
    const wrong = [revoked.key, detached.key, "", "lvk_test_x", `lvk_live_${"A".repeat(49)}`, "\u{1f511}"]
    const answers = await Promise.all(wrong.map((key) => trySignIn(one, key)))
    for (const { status, headers, body } of answers) {
      assert.strictEqual(status, 401)
      assert.isNull(headers.get("set-cookie"))
      assert.deepStrictEqual(body.error, answers[0]?.body.error)
    }
  })

  it("400 for an invalid body, 415 for a form that another site could send", async () => {
    assert.strictEqual((await trySignIn(one, 7)).status, 400)
    const form = { method: "POST", headers: { origin: originOf(one) }, body: new URLSearchParams({ key: "x" }) }
    assert.strictEqual((await fetch(`${one.base}/session`, form)).status, 415)
  })

  it("403 for every page but the program's own", async () => {
    const { key } = await customer(one, token, 0)
    const origin = originOf(one)
    const foreign = [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { origin: `${origin}.evil.example` },
      { origin: originOf(two) },
      { "sec-fetch-site": "same-site" },
      { "sec-fetch-site": "cross-site", origin }
    ]
    for (const headers of foreign) {
      const { status, body, headers: answered } = await trySignIn(one, key, headers)
      assert.deepStrictEqual([status, body.error.code], [403, "forbidden"], JSON.stringify(headers))
      assert.isNull(answered.get("set-cookie"))
    }
    assert.strictEqual((await trySignIn(one, key, { "sec-fetch-site": "same-origin" })).status, 201)
  })

  it("403 for another page does not use up the tries of its visitor", async () => {
    const { key } = await customer(one, token, 0)
    const from = (origin: string) => trySignIn(one, key, { origin, "x-forwarded-for": "2001:db8:2::1" })
    const foreign = await Promise.all(Array.from({ length: 80 }, () => from("https://evil.example")))
    assert.deepStrictEqual(new Set(foreign.map(({ status }) => status)), new Set([403]))
    assert.strictEqual((await from(originOf(one))).status, 201)
  })

  it("429 on every process for an address with more than 60 tries at once; other addresses are not limited", async () => {
    const { key } = await customer(one, token, 0)
    const from = (address: string) => ({ origin: originOf(one), "x-forwarded-for": `10.0.0.1, ${address}` })
    const neighbour = { origin: originOf(two), "x-forwarded-for": "2001:db8::2" }
    const since = performance.now()
    const tries = await Promise.all(
      Array.from({ length: 80 }, () => [
        trySignIn(one, "wrong", from("2001:db8::1")),
        trySignIn(two, "wrong", neighbour)
      ]).flat()
    )
    const seconds = (performance.now() - since) / 1000
    const limited = tries.filter(({ status }) => status === 429)
    // One more try is let in each second, which a slow machine may take.
    assert.isAtMost(tries.length - limited.length, 60 + Math.ceil(seconds))
    assert.isAtLeast(Number(limited[0]?.headers.get("retry-after")), 1)
    assert.strictEqual((await trySignIn(one, key, from("2001:db8:1::1"))).status, 201)
  })
})

describe("a session", () => {
  it("200: acts as its key: same wallet, same bucket, same headers", async () => {
    const { key, account } = await customer(one, token, 1000, {
      rate_limits: { default: { burst: 7, per_second: 0.001 } }
    })
    const session = await signIn(one, key)
    const { status, body } = await call(`${one.base}/v1/check`, { body: check, headers: session.headers })
    assert.strictEqual(status, 200)
    const { entries } = await operator(one, token).ledger(account)
    assert.strictEqual(entries[0].available_after_cents, 1000 - body.cost_cents)
    assert.strictEqual((await models(one, session)).headers.get("x-ratelimit-remaining"), "6")
    const byKey = await call(`${two.base}/v1/models`, { key })
    assert.deepStrictEqual(
      [byKey.headers.get("x-ratelimit-limit"), byKey.headers.get("x-ratelimit-remaining")],
      ["7", "5"]
    )
  })

  it("403: a session of a read-only key spends nothing, even with its CSRF token", async () => {
    const { key } = await customer(one, token, 1000, { read_only: true })
    const session = await signIn(one, key)
    const { status, body } = await call(`${one.base}/v1/check`, { body: check, headers: session.headers })
    assert.deepStrictEqual([status, body.error.message], [403, "This key is read-only."])
    assert.strictEqual((await models(one, session)).status, 200)
  })

  it("with both, the Authorization header takes precedence over the cookie", async () => {
    const { key } = await customer(one, token, 0)
    const { key: other } = await customer(one, token, 0, { read_only: true })
    const { cookie, headers } = await signIn(one, key)
    assert.strictEqual((await call(`${one.base}/v1/models`, { key: `${key}x`, headers: { cookie } })).status, 401)
    const { status, body } = await call(`${one.base}/v1/check`, { key: other, body: check, headers })
    assert.deepStrictEqual([status, body.error.message], [403, "This key is read-only."])
    // With the header no CSRF token is needed.
    assert.strictEqual((await call(`${one.base}/v1/check`, { key, body: {}, headers: { cookie } })).status, 400)
  })

  it("401 without either, also for a cookie that is no session token", async () => {
    const code = async (headers: object) =>
      (await call(`${one.base}/v1/check`, { body: check, headers })).body.error.code
    assert.strictEqual(await code({}), "missing_authorization")
    for (const other of ["short", "A".repeat(44)])
      assert.strictEqual(await code({ cookie: `theme=dark; __Host-sightline=${other}` }), "missing_authorization")
    assert.strictEqual(await code({ cookie: `__Host-sightline=${"A".repeat(43)}` }), "unauthorized")
  })

  it("401 on every process within 2 s after its key is revoked, its account is detached, it is signed out or it expires", async () => {
    const { admin } = operator(one, token)
    const ends = [
      ({ keyId }: Awaited<ReturnType<typeof customer>>) => admin(`/keys/${keyId}`, undefined, "DELETE"),
      ({ account }: Awaited<ReturnType<typeof customer>>) => admin(`/accounts/${account}`, undefined, "DELETE"),
      (_: unknown, { headers }: Browsing) => call(`${one.base}/session`, { method: "DELETE", headers }),
      (_: unknown, { cookie }: Browsing) =>
        sqlOn(own.DATABASE_URL, (sql) =>
          Effect.asVoid(sql`UPDATE sessions SET expires_at = clock_timestamp()
            WHERE hash = sha256(convert_to(${cookie.split("=")[1] ?? ""}, 'UTF8'))`)
        )
    ]
    for (const end of ends) {
      const whose = await customer(one, token, 0)
      const session = await signIn(one, whose.key)
      assert.deepEqual([(await models(one, session)).status, (await models(two, session)).status], [200, 200])
      await end(whose, session)
      assert.isAtMost(await endedEverywhere(session, Date.now()), 2000)
    }
  })

  it("204 ends a session and deletes the cookie, also without a session; 403 for another page or without the token", async () => {
    const { key } = await customer(one, token, 0)
    const session = await signIn(one, key)
    const end = (headers: object) => call(`${one.base}/session`, { method: "DELETE", headers })
    const { cookie } = session
    for (const headers of [
      { cookie },
      { cookie, origin: originOf(one) },
      { ...session.headers, origin: "https://evil.example" }
    ])
      assert.strictEqual((await end(headers)).status, 403)
    assert.strictEqual((await models(one, session)).status, 200)
    for (const headers of [session.headers, session.headers, {}]) {
      const { status, headers: answered } = await end(headers)
      assert.strictEqual(status, 204)
      assert.match(answered.get("set-cookie") ?? "", /^__Host-sightline=; Max-Age=0; .*Path=\/.*Secure/)
      // The process that ended it refuses it immediately, although it accepted it a moment ago.
      assert.strictEqual((await models(one, session)).status, 401)
    }
  })
})

it("201 in a browser with a session ends that session on every process; a wrong key does not, and other browsers keep theirs", async () => {
  const [{ key }, { key: second }] = [await customer(one, token, 0), await customer(one, token, 0)]
  const [first, elsewhere] = [await signIn(one, key), await signIn(one, key)]
  const again = (sent: unknown) => trySignIn(one, sent, { origin: originOf(one), cookie: first.cookie })
  assert.strictEqual((await again(`${key}x`)).status, 401)
  assert.deepEqual([(await models(one, first)).status, (await models(two, first)).status], [200, 200])
  const { status, headers } = await again(second)
  const since = Date.now()
  assert.strictEqual(status, 201)
  const [cookie = ""] = (headers.get("set-cookie") ?? "").split(";")
  assert.isAtMost(await endedEverywhere(first, since), 2000)
  assert.strictEqual((await models(one, elsewhere)).status, 200)
  assert.strictEqual((await models(two, { cookie })).status, 200)
})

describe("a change by cookie", () => {
  it("there are mutations to try", () => assert.isAtLeast(mutations().length, 14))

  it.each(mutations())("403: $method $path accepts only the program's own page", async ({ method, path }) => {
    const { key } = await customer(one, token, 0)
    const [{ cookie, csrf, headers }, stranger] = [await signIn(one, key), await signIn(one, key)]
    const origin = originOf(one)
    const attempt = (sent: object) =>
      call(`${one.base}${path}`, { method, headers: sent, ...(method === "DELETE" ? {} : { body: {} }) })
    const forged = [
      { cookie },
      { cookie, origin },
      { cookie, "x-csrf-token": csrf },
      { cookie, origin, "x-csrf-token": "" },
      { cookie, origin, "x-csrf-token": stranger.csrf },
      { cookie, origin, "x-csrf-token": `${csrf}x` },
      { cookie, origin: "https://evil.example", "x-csrf-token": csrf },
      { cookie, origin: "null", "x-csrf-token": csrf },
      { cookie, origin: originOf(two), "x-csrf-token": csrf },
      { cookie, origin, "sec-fetch-site": "same-site", "x-csrf-token": csrf }
    ]
    for (const sent of forged) {
      const { status, body, headers: answered } = await attempt(sent)
      assert.deepStrictEqual([status, body.error.code], [403, "forbidden"], JSON.stringify(sent))
      assert.isNotNull(answered.get("x-ratelimit-remaining"))
    }
    assert.notInclude([401, 403], (await attempt(headers)).status)
  })
})
