/**
 * What operators do on the command line, as a process against a running server.
 *
 * Planted and seen red: an audit ends with 0 when the books differ, or with 1 when they agree; a key without an environment is a live
 * key; an account is found only under a UUID of a known version; an audit is requested with `fetch`.
 */
import { assert, it } from "vitest"
import { call } from "../http/program.ts"
import { started } from "../http/started.ts"
import { fakeServer, sightline, type Ended } from "./command.ts"
import { sqlOn } from "../http/sqlOn.ts"

const { env: settings, program } = await started({ ROLES: "api,worker" })

const run = (...args: ReadonlyArray<string>): Promise<Ended> =>
  sightline({ SIGHTLINE_ADMIN_URL: program.admin, ADMIN_TOKEN: settings.ADMIN_TOKEN }, args)

/** Runs with `--json` and reads the document. */
const json = async (...args: ReadonlyArray<string>) => {
  const ended = await run(...args, "--json")
  assert.deepEqual({ code: ended.code, stderr: ended.stderr }, { code: 0, stderr: "" }, ended.stdout)
  return JSON.parse(ended.stdout)
}

/** A server that answers audits only, and only on demand, for a process whose `fetch` waits half a second instead of five minutes. */
const hasty = async () => {
  const audited = { ok: true, accounts: 1, charges: 4_000_000, differences: [], request_id: "req_1" }
  const body = JSON.stringify(audited)
  const asked = Promise.withResolvers<() => void>()
  const server = await fakeServer(({ url }, response) => {
    if (url === "/admin/audit") asked.resolve(() => response.end(body))
  })
  const place = `globalThis[Symbol.for("undici.globalDispatcher.1")]`
  const shorten = `await fetch("data:,");${place}=new ${place}.constructor({headersTimeout:500})`
  const env = {
    ADMIN_TOKEN: "token-token",
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(shorten)}`
  }
  return { ...server, env: { ...env, SIGHTLINE_ADMIN_URL: server.url }, asked: asked.promise }
}

const usage = (key: string) => call(`${program.base}/v1/usage`, { key })

it("an account is created, topped up, given keys, and detached", async () => {
  const { id: account, name } = await json("admin", "accounts", "create", "Acme")
  assert.strictEqual(name, "Acme")
  const paid = ["admin", "topup", account, "1000.5", "--environment", "test", "--reference", "invoice 7"]
  assert.strictEqual((await json(...paid)).balance_cents, 1000.5)
  const [again, first, second] = await Promise.all([
    json(...paid),
    json("admin", "keys", "create", account, "--environment", "test"),
    run("admin", "keys", "create", account, "--environment", "test", "--read-only")
  ])
  assert.strictEqual(again.balance_cents, 1000.5)
  const neither = await run("admin", "keys", "create", account)
  assert.deepEqual([neither.code, neither.stdout], [2, ""])
  assert.include(neither.stderr, "--environment")
  assert.match(second.stdout, /^text +lvk_test_\S+$/m)
  assert.strictEqual((await usage(first.key)).status, 200)
  assert.strictEqual((await run("admin", "keys", "revoke", first.id)).code, 0)
  assert.strictEqual((await usage(first.key)).status, 401)
  const { entries } = await json("admin", "ledger", account, "--limit", "10")
  assert.deepEqual(
    entries.map((entry: { amount_cents: number }) => entry.amount_cents),
    [1000.5]
  )
  const shown = await json("admin", "actions", "--account", account, "--limit", "2")
  assert.deepEqual(
    shown.actions.map(({ action, principal }: Record<string, string>) => [action, principal]),
    [
      ["key_revoked", "operator"],
      ["key_created", "operator"]
    ]
  )
  const rest = await run("admin", "actions", "--account", account, "--cursor", shown.next_cursor)
  assert.match(
    rest.stdout,
    /^ *\d+ +\S+Z +wallet_topped_up +operator +- +\S+ +test-1 +\{"environment":"test","credits":1000.5,/m
  )
  const closed = await run("admin", "accounts", "detach", account)
  assert.deepEqual(closed, { code: 0, stdout: `account ${account} is detached\n`, stderr: "" })
  assert.strictEqual((await usage(/lvk_\S+/.exec(second.stdout)?.[0] ?? "")).status, 401)
})

it("actions are shown for the test account too, and its id may be a UUID of no known version", async () => {
  const demo = (await json("admin", "actions")).actions.at(-1).account_id
  for (const account of [demo, demo.toUpperCase(), "01234567-89AB-CDEF-0123-456789ABCDEF"]) {
    const { actions } = await json("admin", "actions", "--account", account)
    assert.lengthOf(actions, account.toLowerCase() === demo ? 3 : 0)
  }
  const { code, stderr } = await run("admin", "actions", "--account", "acme")
  assert.deepEqual([code, stderr], [2, "sightline: `account_id` must be a UUID\n"])
})

it("the scheduler runs one tick", async () => {
  assert.deepEqual(await run("admin", "scheduler", "tick"), { code: 0, stdout: "claimed  0\n", stderr: "" })
})

it("audit ends with 0 while the books agree, with 1 when they differ, and with 7 when the server is unreachable", async () => {
  const agreed = await run("audit")
  assert.deepEqual([agreed.code, agreed.stderr], [0, ""])
  assert.match(agreed.stdout, /^ok +yes$/m)
  await sqlOn(settings.DATABASE_URL, (sql) => sql`UPDATE wallets SET available = available + 1000`)
  const differing = await run("audit")
  assert.deepEqual([differing.code, differing.stderr], [1, ""])
  assert.match(differing.stdout, /^ok +no$/m)
  assert.strictEqual((await run("audit", "--admin-url", "http://127.0.0.1:1")).code, 7)
})

it("audit waits as long as the books take, beyond the timeout of a web client", async () => {
  const { asked, env, stop, url } = await hasty()
  const auditing = sightline(env, ["audit", "--json"])
  const answer = await asked
  const actions = await sightline(env, ["admin", "actions"])
  answer()
  const audit = await auditing
  await stop()
  assert.deepEqual([audit.code, audit.stderr], [0, ""])
  // The timeout does end any other call.
  assert.deepEqual(
    [actions.code, actions.stderr],
    [7, `sightline: ${url} cannot be reached (UND_ERR_HEADERS_TIMEOUT)\n`]
  )
})

it("without ADMIN_TOKEN nothing is sent; with a wrong one the command ends with 3", async () => {
  const env = { SIGHTLINE_ADMIN_URL: program.admin }
  const [none, wrong] = await Promise.all([
    sightline(env, ["audit"]),
    sightline({ ...env, ADMIN_TOKEN: "not-the-token" }, ["audit"])
  ])
  assert.deepEqual(none, { code: 2, stdout: "", stderr: "sightline: ADMIN_TOKEN is not set\n" })
  assert.deepEqual([wrong.code, wrong.stdout], [3, ""])
  assert.match(wrong.stderr, /^sightline: unauthorized: .+\n$/)
  assert.notInclude(wrong.stderr, "not-the-token")
})
