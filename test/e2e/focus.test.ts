/**
 * The position of a user who works with the keyboard or a screen reader: it is kept when the focused element disappears or is
 * disabled, and the result of an action is announced.
 *
 * Planted and seen red:
 * - a page does not restore the position
 * - a new secret does not get the focus
 * - lists and answers change without an announcement
 * - a dialog's button is disabled while its action runs
 * - after a refusal no field has the focus, or a disabled one that is out of sight has it
 * - the end of a list or of a text disappears and the position with it
 * - headers that are hidden on a phone are hidden from the keyboard too
 * - the error of a group of checkboxes is not attached to it, or the group refers to an error that is not there
 * - the focused element is hidden behind the sticky header of a narrow page, or behind its menu
 * - a button disappears with its action; a form is rebuilt by its own saving; a dialog opens with the focus on its close button
 */
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { call, operator } from "../http/program.ts"
import { go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
})

/** Waits until the focus is in the element with that name. */
const isAt = async (page: Page, tag: string, name: string) => {
  await page
    .waitForFunction(
      ([tag, name]) => {
        const { activeElement: element } = document
        const words = element?.getAttribute("aria-label") ?? element?.textContent ?? ""
        const labels = element instanceof HTMLInputElement ? (element.labels?.[0]?.textContent ?? "") : ""
        return element?.tagName.toLowerCase() === tag && `${labels}${words}`.startsWith(name)
      },
      [tag, name] as const
    )
    .catch(() => undefined)
  return page.evaluate(() => document.activeElement?.tagName.toLowerCase() ?? "")
}

const press = async (page: Page, name: string, within: "alertdialog" | "main" | "dialog" = "main") => {
  await page.getByRole(within).getByRole("button", { name, exact: true }).press("Enter")
}

const said = (page: Page, text: string) =>
  page.getByRole("status").filter({ hasText: text }).waitFor({ state: "attached" })

describe("the focus", () => {
  it("is on the page after a sign-in and a sign-out", async () => {
    const page = await dashboard.signIn(key)
    assert.strictEqual(await isAt(page, "main", "Overview"), "main")
    await page.getByRole("button", { name: "Sign out" }).press("Enter")
    assert.strictEqual(await isAt(page, "main", "Sightline"), "main")
  })

  it("goes to a new key, then to its section, and to the table when the key's row has no more button", async () => {
    const page = await dashboard.signIn((await dashboard.newCustomer()).key)
    await go(page, "Keys")
    await press(page, "Create a test key")
    assert.strictEqual(await isAt(page, "input", "New key"), "input")
    await press(page, "Done")
    assert.strictEqual(await isAt(page, "section", "New key"), "section")
    await page
      .getByRole("row")
      .filter({ hasNotText: "signed in with" })
      .getByRole("button", { name: "Revoke" })
      .press("Enter")
    await press(page, "Revoke the key", "alertdialog")
    assert.strictEqual(await isAt(page, "div", "Keys"), "div")
  })

  it("goes to the secret that a dialog shows once, and back to the dialog's button", async () => {
    const page = await dashboard.signIn(key)
    await go(page, "Webhooks")
    await press(page, "New endpoint")
    await page.getByRole("dialog").getByLabel("URL").fill("https://hooks.example.com/")
    await press(page, "Create endpoint", "dialog")
    assert.strictEqual(await isAt(page, "input", "Signing secret"), "input")
    await press(page, "Done", "dialog")
    assert.strictEqual(await isAt(page, "button", "New endpoint"), "button")
  })

  it("goes to the first refused field, each time, and stays on the button where no field is refused", async () => {
    const visitor = await dashboard.open()
    await visitor.getByLabel("API key").fill("lvk_test_unknown")
    await visitor.getByRole("button", { name: "Sign in" }).press("Enter")
    await visitor.getByRole("alert").waitFor()
    assert.strictEqual(await isAt(visitor, "button", "Sign in"), "button")
    const page = await dashboard.signIn(key)
    await go(page, "Webhooks")
    await press(page, "New endpoint")
    const dialog = page.getByRole("dialog")
    for (const url of ["http://hooks.example.com/", "https://127.0.0.1/"]) {
      await dialog.getByLabel("URL").fill(url)
      await press(page, "Create endpoint", "dialog")
      await dialog.getByRole("alert").waitFor()
      assert.strictEqual(await isAt(page, "input", "URL"), "input")
    }
  })

  it("returns to the button whose confirmation was answered", async () => {
    const body = { query: "best running shoes", brand: "Nike", mode: "quick", interval: "daily" }
    const told = { webhook_url: "https://hooks.example.com/", webhook_secret: "s".repeat(32) }
    const made = await call(`${dashboard.base}/v1/watch`, { key, body: { ...body, ...told } })
    const page = await dashboard.signIn(key, { path: `/watches/${made.body.id}` })
    await press(page, "Run now")
    await press(page, "Run now", "alertdialog")
    await page.getByText("The run has been requested.").waitFor()
    assert.strictEqual(await isAt(page, "button", "Run now"), "button")
  })

  it("is on the button that paused a watch, which then resumes it", async () => {
    const body = { query: "best running shoes", brand: "Nike", mode: "quick", interval: "daily" }
    const told = { webhook_url: "https://hooks.example.com/", webhook_secret: "s".repeat(32) }
    const made = await call(`${dashboard.base}/v1/watch`, { key, body: { ...body, ...told } })
    const page = await dashboard.signIn(key, { path: `/watches/${made.body.id}` })
    for (const [deed, next] of [
      ["Pause", "Resume"],
      ["Resume", "Pause"]
    ] as const) {
      await press(page, deed)
      await press(page, deed, "alertdialog")
      assert.strictEqual(await isAt(page, "button", next), "button")
    }
  })

  it("is on the button that saved, and the saved values remain", async () => {
    const body = { url: "https://hooks.example.com/", events: ["ask.completed"] }
    const made = await call(`${dashboard.base}/v1/webhooks`, { key, body })
    const page = await dashboard.signIn(key, { path: `/webhooks/${made.body.webhook.id}` })
    for (const text of ["Where asks are told of", "Where others are told of"]) {
      await page.getByLabel("Description").fill(text)
      const read = page.waitForResponse((answer) => answer.request().method() === "GET")
      await press(page, "Save")
      await read
      await page.getByText("Saved.").first().waitFor()
      assert.strictEqual(await isAt(page, "button", "Save"), "button")
      assert.strictEqual(await page.getByLabel("Description").inputValue(), text)
    }
  })

  it("is in the first field of a dialog that opens, and on the dialog itself after a touch", async () => {
    const page = await dashboard.signIn(key)
    await go(page, "Watches")
    await press(page, "New watch")
    assert.strictEqual(await isAt(page, "input", "Question"), "input")
    await page.keyboard.press("Escape")
    await go(page, "Webhooks")
    await press(page, "New endpoint")
    assert.strictEqual(await isAt(page, "input", "URL"), "input")
    await page.keyboard.press("Escape")
    const button = page.getByRole("button", { name: "New endpoint" })
    await button.dispatchEvent("pointerdown", { pointerType: "touch" })
    await button.dispatchEvent("click", { detail: 1 })
    assert.strictEqual(await isAt(page, "div", "New endpoint"), "div")
  })

  it("stays after the rows of a list that got its last page, and the number of rows is announced", async () => {
    const own = await dashboard.newCustomer()
    const { topUp } = operator(dashboard.program, dashboard.env["ADMIN_TOKEN"] ?? "")
    for (let n = 0; n < 50; n++) await topUp(own.account, 1, "test")
    const page = await dashboard.signIn(own.key)
    await go(page, "Usage")
    await said(page, "Ledger: 50")
    const end = page.getByRole("group", { name: "End of Ledger" })
    await end.getByRole("button", { name: "Show more" }).press("Enter")
    await said(page, "Ledger: 51")
    assert.strictEqual(await isAt(page, "div", "End of Ledger"), "div")
    await page.keyboard.press("Shift+Tab")
    const isInLast = () => document.activeElement?.closest("tr")?.matches(":last-child")
    assert.isTrue(await page.evaluate(isInLast))
  })

  it("goes to a long text that is expanded", async () => {
    const check = { query: "best running shoes [[sandbox:answer]]", brand: "Nike" }
    const { body } = await call(`${dashboard.base}/v1/check`, { key, body: check })
    const page = await dashboard.signIn(key, { path: `/checks/${body.id}` })
    const card = page.locator(".answer").nth(1)
    const text = await card.locator("bdi").first().textContent()
    await card.getByRole("button", { name: /show more/ }).press("Enter")
    assert.strictEqual(await isAt(page, "span", text ?? ""), "span")
  })

  it("returns to a button that was disabled during its call, and the answer is announced", async () => {
    const page = await dashboard.signIn(key)
    await go(page, "Playground")
    await page.getByRole("textbox", { name: "Question" }).fill("best running shoes")
    await page.getByRole("textbox", { name: "Brand" }).fill("Nike")
    await press(page, "Run the check")
    await said(page, "The answer is there.")
    assert.strictEqual(await isAt(page, "button", "Run the check"), "button")
  })
})

it("an element focused by keyboard is not behind the header of a narrow page, in either direction", async () => {
  const { key: own } = await dashboard.newCustomer()
  // A table that is higher than the window: the browser scrolls to its upper edge.
  for (const query of ["best crm", "best laptops", "best banks"])
    await call(`${dashboard.base}/v1/check`, { key: own, body: { query, brand: "HubSpot" } })
  const page = await dashboard.signIn(own, { width: 640 })
  await page.setViewportSize({ width: 640, height: 450 })
  await page.getByRole("button", { name: "Menu" }).click()
  await page.getByRole("link", { name: "Usage" }).click()
  await page.getByRole("table", { name: "Ledger" }).waitFor()
  const behind: Array<string> = []
  for (const way of ["Tab", "Shift+Tab"])
    for (let n = 0; n < 50; n++) {
      await page.keyboard.press(way)
      const hidden = await page.evaluate(() => {
        const { activeElement: element } = document
        const header = document.querySelector(".side")?.getBoundingClientRect().bottom ?? 0
        const isBehind = element?.closest("main") != null && element.getBoundingClientRect().bottom <= header
        return isBehind ? `${element.tagName} ${element.textContent.slice(0, 20)}` : ""
      })
      if (hidden !== "") behind.push(hidden)
    }
  assert.deepEqual(behind, [])
})

it("an open menu of a narrow page closes when the focus leaves it, and by Escape", async () => {
  const page = await dashboard.signIn(key, { width: 320 })
  const menu = page.getByRole("button", { name: "Menu" })
  await menu.press("Enter")
  await page.getByRole("button", { name: "Sign out" }).focus()
  await page.keyboard.press("Escape")
  assert.strictEqual(await isAt(page, "button", "Menu"), "button")
  assert.strictEqual(await menu.getAttribute("aria-expanded"), "false")
  await menu.press("Enter")
  await page.getByRole("button", { name: "Sign out" }).focus()
  assert.strictEqual(await menu.getAttribute("aria-expanded"), "true")
  await page.keyboard.press("Tab")
  assert.strictEqual(await page.evaluate(() => document.activeElement?.closest("main") !== null), true)
  assert.strictEqual(await menu.getAttribute("aria-expanded"), "false")
})

it("table headers are visible on a phone while the focus is in them", async () => {
  const page = await dashboard.signIn(key, { width: 320 })
  await page.goto(`${dashboard.base}/keys`)
  const header = page.getByRole("columnheader", { name: "Created" })
  await header.waitFor({ state: "attached" })
  assert.isBelow((await page.locator("thead").boundingBox())?.height ?? 0, 2)
  await header.getByRole("button").focus()
  assert.isAbove((await page.locator("thead").boundingBox())?.height ?? 0, 20)
})

it("the number of checks that match the filters is announced, and the focus stays on the filters", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  await page.getByLabel("Brand", { exact: true }).fill("Nobody")
  await page.keyboard.press("Enter")
  await said(page, "Checks: 0")
  assert.strictEqual(await isAt(page, "section", "Filters"), "section")
})

it("the error of a group of checkboxes is attached to the group, and nothing before there is one", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Webhooks")
  await press(page, "New endpoint")
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("URL").fill("https://hooks.example.com/")
  const boxes = dialog.getByRole("group", { name: "Events" })
  assert.isNull(await boxes.getAttribute("aria-describedby"))
  for (const box of await boxes.getByRole("checkbox").all()) await box.uncheck()
  await press(page, "Create endpoint", "dialog")
  await boxes.locator(".field-error").waitFor()
  const wrong = await boxes.locator(".field-error").getAttribute("id")
  assert.strictEqual(await boxes.getAttribute("aria-describedby"), wrong)
})
