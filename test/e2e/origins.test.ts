/**
 * Other pages can do nothing to a user who is signed in. In a real browser, from a page on another port of the same host, to which the
 * cookie is same-site, and from one on another host.
 *
 * Planted and seen red: changes accepted because of the cookie alone (a foreign page ran a watch); answers that may be shown in a
 * frame.
 */
import { createServer, type Server } from "node:http"
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Api } from "@sightline/contract/Api"
import { call } from "../http/program.ts"
import { wishes } from "../http/watching.ts"
import { useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let stranger: Server
let port = 0
beforeAll(async () => {
  stranger = createServer((_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<p>a stranger</p>")
  )
  await new Promise<void>((resolve) => stranger.listen(0, resolve))
  const address = stranger.address()
  port = typeof address === "object" && address !== null ? address.port : 0
})
afterAll(() => {
  stranger.closeAllConnections()
  stranger.close()
})

/** Every call of the contract that changes something, aimed at resources of the signed-in user. */
const changesOf = (id: string) =>
  Object.values(Api.groups).flatMap((group) =>
    Object.values(group.endpoints).flatMap(({ method, path }) =>
      method === "GET" ? [] : [{ method, path: path.replace(":id", id) }]
    )
  )

/** A foreign page, opened beside the one that is signed in. */
const elsewhere = async (page: Page, host: string) => {
  const other = await page.context().newPage()
  await other.goto(`http://${host}:${port}/`)
  // Loading the foreign page is no violation.
  dashboard.violations.foreign.length = 0
  return other
}

describe.each(["127.0.0.1", "localhost"])("from a page on another port of %s", (host) => {
  it("each call that changes something is refused, or not sent at all", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    const { id } = (await call(`${dashboard.base}/v1/watch`, { key, body: wishes })).body
    const changes = changesOf(id)
    const other = await elsewhere(page, host)
    const before = (await call(`${dashboard.base}/v1/wallet`, { key })).body.balance_cents
    const outcomes = await other.evaluate(
      ({ base, changes }) =>
        Promise.all(
          changes.map(async ({ method, path }) => {
            const json = JSON.stringify({ query: "q", brand: "b", key: "k" })
            const ways: ReadonlyArray<RequestInit> = [
              { headers: { "content-type": "application/json" }, body: json },
              { headers: { "content-type": "text/plain" }, body: json },
              { mode: "no-cors", body: new URLSearchParams({ query: "q", brand: "b" }) },
              { mode: "no-cors" }
            ]
            const made = ways.map((way) =>
              fetch(base + path, { method, credentials: "include", ...way }).then(
                ({ status, type }) => (type === "opaque" ? "unreadable" : String(status)),
                () => "blocked"
              )
            )
            return `${method} ${path}: ${(await Promise.all(made)).join(", ")}`
          })
        ),
      { base: dashboard.base, changes }
    )
    assert.isAbove(outcomes.length, 12)
    for (const outcome of outcomes)
      assert.match(outcome, /: blocked, blocked, (?:unreadable, unreadable|blocked, blocked)$/)
    assert.strictEqual((await call(`${dashboard.base}/v1/wallet`, { key })).body.balance_cents, before)
    assert.deepEqual((await call(`${dashboard.base}/v1/watch/${id}/runs`, { key })).body.runs, [])
    assert.strictEqual((await call(`${dashboard.base}/v1/watch/${id}`, { key })).body.status, "active")
    assert.strictEqual((await call(`${dashboard.base}/v1/keys`, { key })).body.keys.length, 1)
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    dashboard.violations.errors.length = 0
    dashboard.violations.foreign.length = 0
  })

  it("a form submitted to the dashboard is refused and signs nobody in", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    for (const path of ["/v1/check", "/v1/keys", "/session"]) {
      const other = await elsewhere(page, host)
      const [response] = await Promise.all([
        other.waitForResponse((response) => response.url() === dashboard.base + path),
        other.evaluate(
          ({ action }) => {
            const form = document.createElement("form")
            Object.assign(form, { action, method: "post", enctype: "text/plain" })
            const field = document.createElement("input")
            Object.assign(field, { name: '{"key":"x","query":"q","brand":"', value: 'b"}' })
            form.append(field)
            document.body.append(form)
            // Runs after this function has returned, since the page closes with it.
            setTimeout(() => form.submit())
          },
          { action: dashboard.base + path }
        )
      ])
      assert.include([401, 403, 415], response.status(), path)
    }
    assert.strictEqual((await call(`${dashboard.base}/v1/keys`, { key })).body.keys.length, 1)
    dashboard.violations.foreign.length = 0
    dashboard.violations.errors.length = 0
  })

  it("nothing of the dashboard can be read, and no page of it is shown in a frame", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    const other = await elsewhere(page, host)
    const read = await other.evaluate(
      (base) =>
        Promise.all(
          ["/session", "/v1/wallet", "/v1/keys", "/v1/checks"].map((path) =>
            fetch(base + path, { credentials: "include" }).then(
              (response) => response.text(),
              () => "blocked"
            )
          )
        ),
      dashboard.base
    )
    assert.deepEqual(read, ["blocked", "blocked", "blocked", "blocked"])
    for (const path of ["/", "/playground", "/keys", "/docs", "/v1/wallet"]) {
      await other.evaluate(
        (src) =>
          new Promise((resolve) => {
            const frame = document.createElement("iframe")
            frame.addEventListener("load", resolve)
            frame.src = src
            document.body.replaceChildren(frame)
          }),
        dashboard.base + path
      )
      const [, frame] = other.frames()
      assert.isDefined(frame)
      assert.match(frame?.url() ?? "", /^chrome-error:/, path)
    }
    assert.isNotEmpty(dashboard.violations.errors)
    dashboard.violations.errors.length = 0
    dashboard.violations.foreign.length = 0
  })
})
