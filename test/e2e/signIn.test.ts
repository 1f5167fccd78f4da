/**
 * Signing in and out in a real browser, and what stays behind of the key: nothing.
 *
 * Planted and seen red: the key kept in the browser's storage, a session that was made and that the page did not notice,
 * nor another tab of the browser.
 */
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { call } from "../http/program.ts"
import { enter, go, picture, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
})

const signInForm = (page: Page) => page.getByRole("form", { name: "Sign in" })

/** Everything that scripts of the page could read. */
const readable = (page: Page) =>
  page.evaluate(() =>
    JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      document.cookie,
      document.documentElement.outerHTML,
      Array.from(document.querySelectorAll("input"), (input) => input.value),
      location.href,
      history.state,
      performance.getEntriesByType("resource").map(({ name }) => name)
    ])
  )

describe("signing in", () => {
  it("refuses a key that nobody has, and says so", async () => {
    const page = await dashboard.open()
    await page.getByLabel("API key").fill("lvk_test_nobody")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").getByText("This API key is not valid.").waitFor()
    assert.isTrue(await signInForm(page).isVisible())
    await picture(page, "sign-in-refused")
  })

  it("leads a key to the overview and keeps it across a reload", async () => {
    const page = await dashboard.signIn(key)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await page.getByText("customer", { exact: true }).waitFor()
    await page.reload()
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
  })

  it("leaves the key in no storage, no cookie that scripts see, no address and no element", async () => {
    const page = await dashboard.signIn(key)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    assert.notInclude(await readable(page), key.slice("lvk_test_".length, -8))
    const cookies = await page.context().cookies()
    assert.deepEqual(
      cookies.map(({ httpOnly, name, path, sameSite, secure }) => ({ httpOnly, name, path, sameSite, secure })),
      [{ httpOnly: true, name: "__Host-sightline", path: "/", sameSite: "Strict", secure: true }]
    )
    assert.notInclude(JSON.stringify(cookies), key.slice("lvk_test_".length, -8))
  })
})

describe("signing out", () => {
  it("leads back to the sign-in, here and in every other tab", async () => {
    const page = await dashboard.signIn(key)
    const other = await page.context().newPage()
    await other.goto(dashboard.base)
    await other.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await signInForm(page).waitFor()
    assert.deepEqual(await page.context().cookies(), [])
    await signInForm(other).waitFor()
  })

  it("and signing in as another shows that account in every other tab, and no figure of the one before", async () => {
    const page = await dashboard.signIn(key)
    const other = await page.context().newPage()
    await other.goto(`${dashboard.base}/usage`)
    await other.getByText("100,000", { exact: true }).first().waitFor()
    await page.getByRole("button", { name: "Sign out" }).click()
    await enter(page, (await dashboard.newCustomer({ credits: 77 })).key)
    await other.getByText("77", { exact: true }).first().waitFor()
    assert.strictEqual(await other.getByText("100,000").count(), 0)
    await go(other, "Keys")
    await other.getByRole("button", { name: "Create a test key" }).click()
    await other.getByText("The key is made.").waitFor()
  })

  it("happens by itself when the key is revoked elsewhere: the next thing done leads to the sign-in", async () => {
    const { account, key: own, keyId } = await dashboard.newCustomer()
    const page = await dashboard.signIn(own)
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor()
    const token = dashboard.env["ADMIN_TOKEN"] ?? ""
    const { status } = await call(`${dashboard.program.admin}/admin/keys/${keyId}`, { key: token, method: "DELETE" })
    assert.strictEqual(status, 204, account)
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "Keys" }).click()
    await signInForm(page).waitFor()
    await enter(page, key)
    await page.getByRole("navigation", { name: "Pages" }).waitFor()
  })
})
