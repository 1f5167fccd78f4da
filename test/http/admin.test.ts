/**
 * The operator API and the probes.
 *
 * Planted and seen red:
 * - one router for all listeners;
 * - a token compared by its length;
 * - a reference counted twice;
 * - test money in the live wallet;
 * - a page that repeats the last entry of the previous one;
 * - balances summed as floating-point numbers;
 * - a top-up of another amount taken for the same one;
 * - a key and money for a detached account;
 * - thousandths multiplied in floating point;
 * - a misspelt filter ignored;
 * - a live key by default;
 * - an account id compared case-sensitively;
 * - accounts without entries counted;
 * - a blank reference accepted;
 * - the ledger of both wallets where one is named;
 * - accounts counted as charges.
 */
import { assert, describe, it } from "vitest"
import { Audit, LedgerPage } from "@sightline/contract/AdminApi"
import { FieldConflict, InvalidRequest } from "@sightline/contract/Problem"
import { exactly } from "../services/exactly.ts"
import { call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"

const { env, program } = await started()
const token = env.ADMIN_TOKEN
const api = operator(program, token)

const decodeAudit = exactly(Audit)
const decodeConflict = exactly(FieldConflict)
const decodeInvalid = exactly(InvalidRequest)
const decodePage = exactly(LedgerPage)

const unknown = "00000000-0000-4000-8000-000000000000"

describe("operator API", () => {
  it("401: without the operator token, and on the public port, nothing is served", async () => {
    const { key } = await customer(program, token)
    for (const wrong of [undefined, "x", `${token}x`, "x".repeat(token.length), key]) {
      const options = wrong === undefined ? {} : { key: wrong }
      const { body, headers, status } = await call(`${program.admin}/admin/audit`, options)
      assert.deepStrictEqual([status, headers.get("www-authenticate")], [401, "Bearer"])
      assert.include(body.error.message, "Authorization: Bearer <ADMIN_TOKEN>")
    }
    assert.strictEqual((await call(`${program.base}/admin/audit`, { key: token })).status, 404)
    assert.strictEqual((await call(`${program.base}/metrics`)).status, 404)
    assert.strictEqual((await call(`${program.base}/openai/v1/models`, { key: "sandbox" })).status, 404)
  })

  it("201: a reference is booked once per wallet", async () => {
    const account = await api.account("a")
    const topUp = (credits: number, environment: string) =>
      api.admin(`/accounts/${account}/topups`, { credits, environment, reference: "invoice-1" })
    assert.strictEqual((await topUp(10.5, "live")).body.balance_cents, 10.5)
    assert.strictEqual((await topUp(10.5, "live")).body.balance_cents, 10.5)
    assert.strictEqual((await topUp(2, "test")).body.balance_cents, 2)
    assert.lengthOf((await api.ledger(account)).entries, 2)
  })

  it("201: an amount is exact to the thousandth of a credit", async () => {
    const account = await api.account("a")
    for (const [credits, balance] of [
      [1.005, 1.005],
      [4.035, 5.04],
      [0.001, 5.041]
    ]) {
      const { status, body } = await api.admin(`/accounts/${account}/topups`, { credits, environment: "test" })
      assert.deepStrictEqual([status, body.balance_cents], [201, balance])
    }
  })

  it("400: an amount must be positive and have at most three decimals", async () => {
    const account = await api.account("a")
    for (const credits of [0, -1, 0.0001, 1e-10, 0.0000004, 0.0009999999, 1.00000049, 1e9 + 0.0001, 1e10, "5", null]) {
      const { status, body } = await api.admin(`/accounts/${account}/topups`, { credits })
      assert.strictEqual(status, 400)
      assert.strictEqual(body.error.details.issues[0].path, "credits")
    }
  })

  it("409: a reference that was used for another amount is named, and no money moves", async () => {
    const account = await api.account("a")
    const topUp = (credits: number) => api.admin(`/accounts/${account}/topups`, { credits, reference: "invoice-3" })
    await topUp(10)
    const { body, status } = await topUp(100)
    assert.strictEqual(status, 409)
    assert.strictEqual(decodeConflict(body).error.details?.issues[0]?.path, "reference")
    assert.lengthOf((await api.ledger(account)).entries, 1)
  })

  it("409: a detached account gets no key and no money, but its ledger can be read", async () => {
    const account = await api.account("a")
    await api.admin(`/accounts/${account}`, undefined, "DELETE")
    for (const [path, body] of [
      ["topups", { credits: 1 }],
      ["keys", { environment: "test" }]
    ] as const) {
      const refused = await api.admin(`/accounts/${account}/${path}`, body)
      assert.strictEqual(refused.status, 409)
      assert.strictEqual(decodeConflict(refused.body).error.details?.issues[0]?.path, "id")
    }
    assert.deepStrictEqual((await api.ledger(account)).entries, [])
    assert.strictEqual((await api.admin(`/accounts/${account}`, undefined, "DELETE")).status, 204)
  })

  it("409: a top-up that would bring a wallet to 2^43 credits is refused; a wallet just below can be read and audited", async () => {
    const { account, key } = await customer(program, token, 0)
    for (const environment of ["live", "test"]) {
      const full = JSON.stringify([{ kind: "topup", account_id: account, environment, amount: 8796093022207991 }])
      await sqlOn(env.DATABASE_URL, (sql) => sql`SELECT * FROM post_movements(${full}::json)`)
      const topUp = (credits: number) =>
        api.admin(`/accounts/${account}/topups`, { credits, environment, reference: "invoice-2" })
      const { body, status } = await topUp(0.009)
      assert.strictEqual(status, 409)
      assert.strictEqual(decodeConflict(body).error.details?.issues[0]?.path, "credits")
      assert.deepInclude((await topUp(0.008)).body, { balance_cents: 8796093022207.999 })
    }
    assert.lengthOf((await api.ledger(account)).entries, 4)
    const { body: wallet } = await call(`${program.base}/v1/wallet`, { key })
    assert.strictEqual(wallet.balance_cents, 8796093022207.999)
    assert.isTrue(decodeAudit(await api.audit()).ok)
  })

  it("400: a reference of invisible characters is refused as blank", async () => {
    const { body, status } = await api.admin(`/accounts/${await api.account("a")}/topups`, {
      credits: 1,
      reference: " \u200b"
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(decodeInvalid(body).error.details?.issues, [
      { path: "reference", message: "must not be blank" }
    ])
  })

  it("400: a key must name its environment", async () => {
    const account = await api.account("a")
    const { body, status } = await api.admin(`/accounts/${account}/keys`, { read_only: true })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(
      decodeInvalid(body).error.details?.issues.map(({ path }) => path),
      ["environment"]
    )
  })

  it("400: an unknown parameter, or a field in a body where none is expected, is named", async () => {
    const account = await api.account("a")
    const { id } = await api.key(account)
    for (const [path, body, method] of [
      [`/accounts/${account}/ledger?other=test`],
      ["/actions?other=1"],
      ["/captures/samples?other=1"],
      ["/audit?other=1"],
      ["/scheduler/tick", { other: 1 }, "POST"],
      [`/keys/${id}`, { other: 1 }, "DELETE"],
      ["/accounts?other=1", { name: "a" }, "POST"]
    ] as const) {
      const refused = await api.admin(path, body, method)
      assert.strictEqual(refused.status, 400, path)
      assert.deepStrictEqual(decodeInvalid(refused.body).error.details?.issues, [
        { path: "other", message: "is not a known field" }
      ])
    }
    assert.strictEqual((await api.admin(`/keys/${id}`, undefined, "DELETE")).status, 204)
  })

  it("404: an unknown account or key, and an id that is malformed", async () => {
    for (const id of [unknown, "not-a-uuid"]) {
      assert.strictEqual((await api.admin(`/accounts/${id}/topups`, { credits: 1 })).status, 404)
      assert.strictEqual((await api.admin(`/accounts/${id}/keys`, { environment: "test" })).status, 404)
      assert.strictEqual((await api.admin(`/accounts/${id}/ledger`)).status, 404)
      assert.strictEqual((await api.admin(`/keys/${id}`, undefined, "DELETE")).status, 404)
      assert.strictEqual((await api.admin(`/accounts/${id}`, undefined, "DELETE")).status, 404)
    }
  })

  it("ids of accounts and keys are accepted in either case", async () => {
    const account = await api.account("a")
    const shouted = account.toUpperCase()
    assert.strictEqual((await api.topUp(shouted, 1)).status, 201)
    const { id } = await api.key(shouted)
    assert.lengthOf((await api.ledger(shouted)).entries, 1)
    assert.strictEqual((await api.admin(`/keys/${id.toUpperCase()}`, undefined, "DELETE")).status, 204)
    assert.strictEqual((await api.admin(`/accounts/${shouted}`, undefined, "DELETE")).status, 204)
  })

  it("200: the ledger pages through every entry once, newest first", async () => {
    const { account, key } = await customer(program, token, 10_000)
    for (let n = 0; n < 4; n++)
      await call(`${program.base}/v1/check`, { key, body: { query: `question ${n} [[sandbox:answer]]`, brand: "b" } })
    const whole = decodePage(await api.ledger(account)).entries
    assert.lengthOf(whole, 9)
    const paged: Array<unknown> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const page: { entries: ReadonlyArray<unknown>; next_cursor: string | null } = (
        await api.admin(`/accounts/${account}/ledger?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`)
      ).body
      paged.push(...page.entries)
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, [...whole])
    assert.deepEqual(
      whole.map(({ kind }) => kind),
      ["capture", "hold", "capture", "hold", "capture", "hold", "capture", "hold", "topup"]
    )
    for (const entry of whole) {
      assert.match(entry.hash, /^[0-9a-f]{64}$/)
      assert.match(entry.created_at, /^\d{4}-\d\d-\d\dT.*Z$/)
    }
    for (const query of ["cursor=nonsense", "limit=0", "limit=201", "limit=1.5", "environment=both"]) {
      const { body, status } = await api.admin(`/accounts/${account}/ledger?${query}`)
      assert.deepEqual([status, body.error.details.issues[0].path], [400, query.split("=")[0]], query)
    }
  })

  it("200: the ledger is of both wallets, or of the one that is named", async () => {
    const account = await api.account("a")
    await api.topUp(account, 1, "test")
    await api.topUp(account, 2, "live")
    const amounts = async (query: string) =>
      decodePage((await api.admin(`/accounts/${account}/ledger${query}`)).body).entries.map(
        ({ amount_cents, environment }) => [environment, amount_cents]
      )
    const [test, live] = [
      ["test", 1],
      ["live", 2]
    ]
    assert.deepStrictEqual(await amounts("?environment=test"), [test])
    assert.deepStrictEqual(await amounts("?environment=live"), [live])
    assert.deepStrictEqual(await amounts(""), [live, test])
  })

  it("200: the audit finds no difference, and counts charges and the accounts that have entries", async () => {
    const { key } = await customer(program, token)
    const { ok, accounts, charges, differences } = decodeAudit(await api.audit())
    assert.isTrue(ok)
    assert.isAbove(accounts, 0)
    assert.deepEqual(differences, [])
    await api.account("without an entry")
    await call(`${program.base}/v1/check`, { key, body: { query: "what is counted [[sandbox:answer]]", brand: "b" } })
    assert.deepInclude(decodeAudit(await api.audit()), { accounts, charges: charges + 1 })
  })

  it("200: probes, metrics and the description of the API need no key", async () => {
    for (const path of ["/livez", "/readyz", "/openapi.json"])
      assert.strictEqual((await call(`${program.base}${path}`)).status, 200)
    for (const probe of ["/livez", "/readyz"]) {
      const { body } = await call(`${program.admin}${probe}`)
      assert.deepStrictEqual({ ...body, request_id: "" }, { ok: true, request_id: "" })
      assert.match(body.request_id, /^[0-9a-f-]{36}$/)
    }
    const docs = await fetch(`${program.base}/docs`)
    assert.include(docs.headers.get("content-type"), "text/html")
    const page = await docs.text()
    assert.notMatch(page, /<(?:script|link|img)[^>]+(?:src|href)="https?:/)
    const metrics = await (await fetch(`${program.admin}/metrics`)).text()
    assert.match(metrics, /sightline_http_responses_total\{.*status="200".*\} \d+/)
    assert.match(metrics, /sightline_answers_total\{/)
  })

  it("404 and 405: unknown routes and wrong methods are JSON", async () => {
    const missing = await call(`${program.base}/v1/nothing`)
    assert.deepEqual(
      [missing.status, missing.body.error],
      [404, { code: "not_found", message: "There is no such route. See /docs or /openapi.json." }]
    )
    const unknown = await call(`${program.admin}/admin/nothing`)
    assert.deepEqual(
      [unknown.status, unknown.body.error],
      [404, { code: "not_found", message: "There is no such route." }]
    )
    const wrong = await call(`${program.base}/v1/check`)
    assert.strictEqual(wrong.status, 405)
    assert.strictEqual(wrong.headers.get("allow"), "POST")
    assert.strictEqual(wrong.body.error.code, "request_failed")
    for (const page of [`${program.base}/livez`, `${program.base}/openapi.json`, `${program.admin}/metrics`]) {
      const post = await call(page, { method: "POST" })
      assert.deepEqual(
        [post.status, post.headers.get("allow"), post.body.error.code],
        [405, "GET, HEAD", "request_failed"]
      )
    }
  })
})
