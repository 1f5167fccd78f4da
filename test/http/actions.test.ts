/**
 * The audit log. Every route that changes something is either recorded or listed here with the reason why not, so a new route fails this
 * test until it is added to one of the two.
 *
 * Planted and seen red: a route left out of both lists; no principal for operators, keys and sessions; the id of another request; the text
 * of a key in a row; an account filter that takes only versioned UUIDs.
 */
import { Effect } from "effect"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { ActionPage } from "@sightline/contract/ActionApi"
import { AdminApi } from "@sightline/contract/AdminApi"
import { Api } from "@sightline/contract/Api"
import { exactly } from "../services/exactly.ts"
import { signIn, trySignIn } from "./browsing.ts"
import { type Answered, call, customer, operator } from "./program.ts"
import { started } from "./started.ts"
import { sqlOn } from "./sqlOn.ts"
import { waitFor } from "./waiting.ts"
import { receiving } from "./watching.ts"

const charged = "what it takes, and from whom, is in the ledger"
const ownWatch =
  "a customer's own data, kept for good with its date and runs; it opens nothing, and each run is a charge"

/** The routes that change something but are not recorded, with the reason. */
const unrecorded: Readonly<Record<string, string>> = {
  "check.run": charged,
  "compare.run": charged,
  "discover.run": charged,
  "ask.run": charged,
  "watch.create": ownWatch,
  "watch.pause": ownWatch,
  "watch.resume": ownWatch,
  "watch.start": ownWatch,
  "admin.tick": "what schedulers do by themselves every five seconds; what came of it are runs"
}

/** Nothing listens there: each delivery fails at once. */
const url = "https://127.9.0.1:9443/secret-path?secret=query"

const { env, program } = await started(receiving)
const api = operator(program, env.ADMIN_TOKEN)
const own = await customer(program, env.ADMIN_TOKEN)
const browsing = await signIn(program, own.key)

const decode = exactly(ActionPage)

const list = async (query = "") => decode((await api.admin(`/actions?limit=200${query}`)).body)

const send = (
  path: string,
  by: { readonly key?: string; readonly headers?: object },
  body?: unknown,
  method?: string
) => call(`${program.base}${path}`, { ...by, body, ...(method === undefined ? {} : { method }) })

const newKey = async () => api.key(own.account)
const newWebhook = async (): Promise<string> => (await send("/v1/webhooks", own, { url })).body.webhook.id

const newDelivery = async (): Promise<string> => {
  const webhook_id = await newWebhook()
  await send("/v1/ask", own, { prompt: "best crm", async: true, webhook_id })
  return waitFor(
    "a delivery",
    async () => (await send(`/v1/deliveries?webhook_id=${webhook_id}`, own)).body.deliveries[0]?.id
  )
}

interface Recorded {
  readonly action: string
  readonly principal: string
  /** The customer's account, if not given. */
  readonly account?: string
  readonly subject?: string
}

/** The response to a call, and the row that the call leaves. */
type Recording = readonly [answer: Answered, left: Recorded]

/** Each recorded route: how to prepare it, its one call, and the row that it leaves. */
const recorded: Readonly<Record<string, () => Promise<() => Promise<Recording>>>> = {
  "admin.createAccount": async () => async () => {
    const answer = await api.admin("/accounts", { name: "Beta" })
    const { id } = answer.body
    return [answer, { action: "account_created", principal: "operator", account: id, subject: id }]
  },
  "admin.detachAccount": async () => {
    const id = await api.account("Gamma")
    const left = { action: "account_detached", principal: "operator", account: id, subject: id }
    return async () => [await api.admin(`/accounts/${id}`, undefined, "DELETE"), left]
  },
  "admin.topUp": async () => async () => {
    const id = await api.topUp(own.account, 5, "live")
    return [id, { action: "wallet_topped_up", principal: "operator", subject: "live-1" }]
  },
  "admin.createKey": async () => async () => {
    const answer = await api.admin(`/accounts/${own.account}/keys`, { environment: "live" })
    return [answer, { action: "key_created", principal: "operator", subject: answer.body.id }]
  },
  "admin.revokeKey": async () => {
    const { id } = await newKey()
    const left = { action: "key_revoked", principal: "operator", subject: id }
    return async () => [await api.admin(`/keys/${id}`, undefined, "DELETE"), left]
  },
  "keys.create": async () => async () => {
    const answer = await send("/v1/keys", own, {})
    return [answer, { action: "key_created", principal: "key", subject: answer.body.key.id }]
  },
  "keys.revoke": async () => {
    const { id } = await newKey()
    const left = { action: "key_revoked", principal: "session", subject: id }
    return async () => [await send(`/v1/keys/${id}`, browsing, undefined, "DELETE"), left]
  },
  "webhooks.create": async () => async () => {
    const answer = await send("/v1/webhooks", browsing, { url })
    return [answer, { action: "webhook_created", principal: "session", subject: answer.body.webhook.id }]
  },
  "webhooks.update": async () => {
    const id = await newWebhook()
    const left = { action: "webhook_updated", principal: "key", subject: id }
    return async () => [await send(`/v1/webhooks/${id}`, own, { rotate_secret: true }, "PATCH"), left]
  },
  "webhooks.remove": async () => {
    const id = await newWebhook()
    const left = { action: "webhook_deleted", principal: "key", subject: id }
    return async () => [await send(`/v1/webhooks/${id}`, own, undefined, "DELETE"), left]
  },
  "deliveries.replay": async () => {
    const id = await newDelivery()
    return async () => {
      const answer = await send(`/v1/deliveries/${id}/replay`, own, undefined, "POST")
      return [answer, { action: "delivery_replayed", principal: "key", subject: answer.body.id }]
    }
  },
  "session.signIn": async () => async () => [
    await trySignIn(program, own.key),
    { action: "session_opened", principal: "key" }
  ],
  "session.signOut": async () => {
    const { headers } = await signIn(program, own.key)
    return async () => [
      await send("/session", { headers }, undefined, "DELETE"),
      { action: "session_closed", principal: "session" }
    ]
  }
}

/** The routes of an API that change something, as `group.name`. */
const changing = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  described: HttpApi.HttpApi<Id, Groups>
): ReadonlyArray<string> => {
  const found: Array<string> = []
  HttpApi.reflect(described, {
    onGroup: () => undefined,
    onEndpoint: ({ group, endpoint }) => {
      if (endpoint.method !== "GET") found.push(`${group.identifier}.${endpoint.identifier}`)
    }
  })
  return found
}

it("every route that changes something is either recorded or listed with the reason why not", () => {
  const decided = [...Object.keys(recorded), ...Object.keys(unrecorded)]
  assert.deepEqual([...changing(Api), ...changing(AdminApi)].sort(), decided.sort())
})

describe("a call that changes something", () => {
  it.each(Object.keys(recorded))("%s leaves one row, with its principal and its request id", async (route) => {
    const act = (await recorded[route]?.()) ?? assert.fail(route)
    const before = (await list()).actions[0]?.sequence ?? 0
    const [{ body, status, text }, left] = await act()
    assert.isBelow(status, 300, text)
    const rows = (await list()).actions.filter(({ sequence }) => sequence > before)
    assert.lengthOf(rows, 1)
    const [row = assert.fail()] = rows
    const { account = own.account, action, principal, subject = row.subject } = left
    assert.deepEqual(
      [row.action, row.principal, row.account_id, row.subject, row.key_id],
      [action, principal, account, subject, principal === "operator" ? undefined : own.keyId]
    )
    assert.match(row.request_id ?? "", /^[0-9a-f-]{36}$/)
    if (body !== undefined) assert.strictEqual(row.request_id, body.request_id)
  })

  it("leaves two rows if it is a sign-in in a browser that has a session: the old session is closed", async () => {
    const { cookie } = await signIn(program, own.key)
    const [opened = assert.fail()] = (await list()).actions
    const { status } = await trySignIn(program, own.key, { origin: program.base, cookie })
    const [closed, another] = (await list()).actions
    assert.strictEqual(status, 201)
    assert.deepEqual(
      [closed?.action, closed?.principal, closed?.subject],
      ["session_closed", "session", opened.subject]
    )
    assert.deepEqual([another?.action, another?.principal], ["session_opened", "key"])
  })

  it("leaves no row when it is refused", async () => {
    const { key: reader } = await api.key(own.account, { read_only: true })
    const before = (await list()).actions
    const refused = await Promise.all([
      call(`${program.admin}/admin/accounts`, { key: "not-the-token", body: { name: "Delta" } }),
      api.admin(`/accounts/${own.account}/topups`, { credits: -1 }),
      send("/v1/keys", { key: reader }, {}),
      send("/v1/webhooks", own, { url: "https://127.0.0.1.nip.io:1/" }),
      send("/session", { headers: { cookie: browsing.cookie } }, undefined, "DELETE"),
      trySignIn(program, `${own.key}x`),
      trySignIn(program, own.key, { origin: "https://elsewhere.com" })
    ])
    for (const { status, text } of refused) assert.isAtLeast(status, 400, text)
    assert.deepEqual((await list()).actions, before)
  })
})

describe("the audit log", () => {
  it("is listed in pages, for all accounts or for one", async () => {
    const { actions } = await list()
    const paged: Array<unknown> = []
    let cursor: string | null = ""
    while (cursor !== null) {
      const page = decode((await api.admin(`/actions?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`)).body)
      paged.push(...page.actions)
      cursor = page.next_cursor
    }
    assert.deepEqual(paged, [...actions])
    const ofOne = (await list(`&account_id=${own.account.toUpperCase()}`)).actions
    assert.isAbove(ofOne.length, 3)
    assert.deepEqual(
      ofOne,
      actions.filter(({ account_id }) => account_id === own.account)
    )
    // The id of the test account is derived, so it may be a UUID of no version, like this one.
    const derived = actions.at(-1)?.account_id ?? assert.fail()
    assert.isAtLeast((await list(`&account_id=${derived}`)).actions.length, 3)
    assert.deepEqual((await list("&account_id=01234567-89ab-cdef-0123-456789abcdef")).actions, [])
    for (const query of ["cursor=x", "account_id=x", "limit=x", "limit=0", "limit=201", "limit=2&limit=3"]) {
      const { body, status } = await api.admin(`/actions?${query}`)
      assert.deepEqual([status, body.error.details.issues[0].path], [400, query.split("=")[0]], query)
    }
  })

  it("begins with the rows of the first start", async () => {
    const first = (await list()).actions.toReversed().slice(0, 3)
    assert.deepEqual(
      first.map(({ action, principal, key_id, request_id }) => [action, principal, key_id, request_id]),
      ["account_created", "key_created", "wallet_topped_up"].map((action) => [action, "service", undefined, undefined])
    )
  })

  it("contains no key, session, token or webhook secret, and only the host of a URL", async () => {
    const text = JSON.stringify((await list()).actions)
    const session = browsing.cookie.split("=")[1] ?? assert.fail()
    for (const secret of [
      own.key,
      session,
      browsing.csrf,
      env.ADMIN_TOKEN,
      env.SECRET_KEY,
      "lvk_",
      "secret-path",
      "secret=query"
    ])
      assert.notInclude(text, secret)
    assert.include(text, "127.9.0.1:9443")
  })

  it("is checked by the audit, which finds a changed row", async () => {
    const { ok, differences } = await api.audit()
    assert.deepEqual([ok, differences], [true, []])
    await sqlOn(env.DATABASE_URL, (sql) =>
      sql.withTransaction(
        Effect.andThen(
          sql`SET LOCAL session_replication_role = replica`,
          sql`UPDATE actions SET principal = 'service' WHERE sequence = 5`
        )
      )
    )
    const tampered = await api.audit()
    assert.isFalse(tampered.ok)
    assert.deepInclude(tampered.differences[0], { kind: "action_hash", sequence: 5 })
  })
})
