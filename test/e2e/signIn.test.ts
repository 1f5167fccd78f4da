/**
 * Signing in and out in a real browser. Nothing of the key stays behind.
 *
 * Planted and seen red:
 * - the key is kept in the browser's storage
 * - a new session is not noticed by the page, or by another tab of the browser
 * - a page is discarded when its session ends, its dialog is closed by a key pressed in the sign-in, or the focus does not return
 * - another key continues with the page; another tab reloads for the same key
 * - a session ends because of a late refusal of the session before
 * - the pages are shown, and all that they call is refused, where the browser has dropped the cookie
 */
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { call } from "../http/program.ts"
import { enter, fillWatch, go, picture, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
})

const signInForm = (page: Page) => page.getByRole("form", { name: "Sign in" })

/** Everything that scripts of the page can read. */
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
  it("refuses an unknown key, and says so", async () => {
    const page = await dashboard.open()
    await page.getByLabel("API key").fill("lvk_test_nobody")
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").getByText("This API key is not valid.").waitFor()
    assert.isTrue(await signInForm(page).isVisible())
    await picture(page, "sign-in-refused")
  })

  it("says what is needed where the browser drops the session's cookie", async () => {
    const page = await dashboard.open()
    // To a browser this is no address of this machine, so it drops the cookie of a page without TLS.
    await page.goto(dashboard.base.replace("127.0.0.1", "0.0.0.0"))
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await page.getByRole("alert").getByText("Use an address that begins with https").waitFor()
    assert.isTrue(await signInForm(page).isVisible())
    // Neither the same server at another address nor the browser's word on what it ignores without TLS is a violation.
    dashboard.violations.foreign.length = 0
    dashboard.violations.errors.length = 0
  })

  it("leads to the overview, and survives a reload", async () => {
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

  it("and signing in with another key shows that account in every other tab, and no data of the previous one", async () => {
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
    await other.getByText("The key was created.").waitFor()
  })

  it("happens by itself when the key is revoked elsewhere: the next action leads to the sign-in", async () => {
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

describe("a session that ends while a page is open", () => {
  it("keeps what was typed for the next sign-in with its key, and hides the page until then", async () => {
    const page = await dashboard.signIn(key)
    const dialog = await fillWatch(page, "https://hooks.example.com/")
    await page.context().clearCookies()
    await dialog.getByRole("button", { name: "Create watch" }).press("Enter")
    await signInForm(page).waitFor()
    await page.getByText("The session has ended.").waitFor()
    // A moment after its text appears.
    await page.waitForFunction(
      () => document.activeElement?.tagName === "MAIN" && document.title === "Sign in · Sightline"
    )
    assert.deepEqual([await dialog.isVisible(), await page.getByRole("navigation").count()], [false, 0])
    await page.keyboard.press("Tab")
    assert.strictEqual(await page.evaluate(() => document.activeElement?.getAttribute("name")), "key")
    await page.keyboard.press("Escape")
    await picture(page, "sign-in-again")
    await page.getByLabel("API key").fill(key)
    await page.keyboard.press("Enter")
    await signInForm(page).waitFor({ state: "detached" })
    await dialog.getByText("The session had ended, so this was not done. Do it again.").waitFor()
    assert.strictEqual(await dialog.getByLabel("Question").inputValue(), "best running shoes")
    await page.waitForFunction(
      () => document.title === "Watches · Sightline" && document.activeElement?.textContent === "Create watch"
    )
    await page.keyboard.press("Enter")
    await dialog.getByText("The watch was created.").waitFor()
  })

  it("is replaced by that of another key, which sees nothing of the page before", async () => {
    const page = await dashboard.signIn(key)
    const dialog = await fillWatch(page, "https://hooks.example.com/")
    await page.context().clearCookies()
    await dialog.getByRole("button", { name: "Create watch" }).click()
    await page.getByText("The session has ended.").waitFor()
    await enter(page, (await dashboard.newCustomer({ credits: 77 })).key)
    await page.getByText("77", { exact: true }).first().waitFor()
    assert.notMatch(await page.content(), /best running shoes|100,000/)
    assert.strictEqual(await dialog.count(), 0)
  })

  it("ends once: a late refusal of it does not end the next session", async () => {
    const page = await dashboard.signIn(key)
    await go(page, "Keys")
    const late = Promise.withResolvers<void>()
    await page.route("**/v1/keys", async (route) => {
      if (route.request().method() === "GET") return route.fallback()
      const response = await route.fetch()
      await late.promise
      return route.fulfill({ response })
    })
    await page.context().clearCookies()
    await page.getByRole("button", { name: "Create a test key" }).click()
    await page
      .getByRole("button", { name: /^Revoke/ })
      .first()
      .click()
    await page.getByRole("button", { name: "Revoke the key" }).click()
    await page.getByText("The session has ended.").waitFor()
    const readAgain = page.waitForResponse(
      (response) => response.url().endsWith("/session") && response.status() === 200
    )
    await page.getByLabel("API key").fill(key)
    await page.getByRole("button", { name: "Sign in" }).click()
    await readAgain
    await signInForm(page).waitFor({ state: "detached" })
    late.resolve()
    await page
      .getByRole("form", { name: "New key" })
      .getByText("The session had ended, so this was not done.")
      .waitFor()
    assert.strictEqual(await signInForm(page).count(), 0)
  })

  it("continues in every tab once its key has signed in on one", async () => {
    const page = await dashboard.signIn(key)
    const other = await page.context().newPage()
    await other.goto(`${dashboard.base}/playground`)
    const form = other.getByRole("form", { name: "Check" })
    await form.getByLabel("Question", { exact: true }).fill("best running shoes")
    await form.getByLabel("Brand", { exact: true }).fill("Nike")
    await page.context().clearCookies()
    await form.getByRole("button", { name: "Run the check" }).click()
    await other.getByText("The session has ended.").waitFor()
    await page.getByRole("link", { name: "Keys" }).click()
    await page.getByText("The session has ended.").waitFor()
    await enter(page, key)
    await page.getByRole("table", { name: "Keys" }).waitFor()
    await signInForm(other).waitFor({ state: "detached" })
    await other.getByText("The session had ended, so this was not done. Do it again.").waitFor()
    assert.strictEqual(await form.getByLabel("Question", { exact: true }).inputValue(), "best running shoes")
  })
})
