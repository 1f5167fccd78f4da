/**
 * The frame around every page: navigation by mouse, by keyboard and on a phone, and the colours.
 *
 * Planted and seen red: the focus stays where it was when the page changes; there is no outline around it; the name of an account
 * widens the side.
 */
import type { Page } from "playwright-core"
import { assert, beforeAll, describe, it } from "vitest"
import { operator } from "../http/program.ts"
import { go, loaded, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
})

const pages = ["Overview", "Playground", "Checks", "Watches", "Webhooks", "Usage", "Health", "Keys"]

const heading = (page: Page) => page.getByRole("main").getByRole("heading", { level: 1 })

/** The focused element, by its role or tag and its name. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement
    return `${element?.tagName.toLowerCase()} ${element?.textContent.trim().slice(0, 40)}`
  })

const background = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)

describe("the navigation", () => {
  it("leads to every page, whose heading is the window's title, and marks the current one", async () => {
    const page = await dashboard.signIn(key)
    for (const name of pages) {
      await go(page, name)
      await heading(page)
        .filter({ hasText: new RegExp(`^${name}`) })
        .waitFor()
      const title = `${await heading(page).textContent()} · Sightline`
      // The window gets it a moment after the page.
      await page.waitForFunction((title) => document.title === title, title)
      const current = page.getByRole("navigation", { name: "Pages" }).locator("[aria-current=page]")
      assert.deepEqual(await current.allTextContents(), [name])
    }
    await page.goBack()
    await heading(page)
      .filter({ hasText: /^Health/ })
      .waitFor()
  })

  it("can be used by keyboard alone, can be skipped, and moves the focus to the new page", async () => {
    const page = await dashboard.signIn(key)
    await page.reload()
    await page.waitForFunction(loaded)
    await page.keyboard.press("Tab")
    assert.strictEqual(await focused(page), "a Skip to content")
    await page.keyboard.press("Enter")
    await page.waitForFunction(() => document.activeElement?.tagName === "MAIN")
    await page.reload()
    await page.waitForFunction(loaded)
    const walked: Array<string> = []
    while (!walked.includes("button Sign out") && walked.length < 20) {
      await page.keyboard.press("Tab")
      walked.push(await focused(page))
    }
    assert.includeMembers(
      walked,
      pages.map((name) => `a ${name}`)
    )
    while ((await focused(page)) !== "a Keys") await page.keyboard.press("Shift+Tab")
    await page.keyboard.press("Enter")
    await heading(page).filter({ hasText: "Keys" }).waitFor()
    await page.waitForFunction(() => document.activeElement?.tagName === "MAIN")
  })

  it("shows by an outline where the focus is", async () => {
    const page = await dashboard.signIn(key)
    await page.reload()
    await page.waitForFunction(loaded)
    for (let n = 0; n < 4; n++) {
      await page.keyboard.press("Tab")
      const outline = await page.evaluate(() => {
        const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
        return `${outlineStyle} ${outlineWidth}`
      })
      assert.match(outline, /^(?:solid|auto) [1-9]/, await focused(page))
    }
  })

  it("is behind a button on a phone, and closes when a page is chosen", async () => {
    const page = await dashboard.signIn(key, { width: 390 })
    const menu = page.getByRole("button", { name: "Menu" })
    const link = page.getByRole("link", { name: "Usage" })
    assert.isFalse(await link.isVisible())
    assert.strictEqual(await menu.getAttribute("aria-expanded"), "false")
    await menu.click()
    await link.click()
    await heading(page).filter({ hasText: "Usage" }).waitFor()
    await link.waitFor({ state: "hidden" })
  })

  it("shows a notice at an address that is no page", async () => {
    const page = await dashboard.signIn(key, { path: "/" })
    await page.goto(`${dashboard.base}/nowhere`)
    await heading(page).filter({ hasText: "Not found" }).waitFor()
  })
})

describe("the colours", () => {
  it("follow the system until others are chosen, which survive a reload", async () => {
    const [bright, night] = [await dashboard.open(), await dashboard.signIn(key, { colours: "dark" })]
    const light = await background(bright)
    const dark = await background(night)
    assert.notStrictEqual(light, dark)
    const choice = night.getByLabel("Colours")
    await choice.selectOption("Light")
    assert.strictEqual(await background(night), light)
    await night.reload()
    await night.waitForFunction(loaded)
    assert.strictEqual(await background(night), light)
    await choice.selectOption("As the system")
    assert.strictEqual(await background(night), dark)
  })
})

describe("the side", () => {
  it("keeps its width and its contents, however long the account's name is", async () => {
    const api = operator(dashboard.program, dashboard.env["ADMIN_TOKEN"] ?? "")
    for (const name of ["Donaudampfschifffahrtsgesellschaft", "W".repeat(200)]) {
      const named = await api.key(await api.account(name))
      for (const width of [1280, 360]) {
        const page = await dashboard.signIn(named.key, { width })
        const menu = page.getByRole("button", { name: "Menu" })
        if (await menu.isVisible()) await menu.click()
        await page.getByText(name, { exact: true }).waitFor()
        const out = page.getByRole("button", { name: "Sign out" })
        await out.scrollIntoViewIfNeeded()
        const [side, button] = [page.locator(".side"), await out.boundingBox()]
        const { wanted, left, right } = await side.evaluate((element) => {
          const { x, width } = element.getBoundingClientRect()
          return { wanted: element.scrollWidth - element.clientWidth, left: x, right: x + width }
        })
        assert.isAtMost(wanted, 0, `${name} at ${width}`)
        assert.isNotNull(button)
        assert.isAtLeast(button.x, left)
        assert.isAtMost(button.x + button.width, right)
      }
    }
  })
})

describe("a session", () => {
  it("of a read-only key offers nothing that it would be refused", async () => {
    const reader = await dashboard.newCustomer({ read_only: true })
    const page = await dashboard.signIn(reader.key)
    await page.getByText("read only").first().waitFor({ state: "attached" })
    await go(page, "Watches")
    assert.isTrue(await page.getByRole("button", { name: "New watch" }).isDisabled())
    await go(page, "Webhooks")
    assert.isTrue(await page.getByRole("button", { name: "New endpoint" }).isDisabled())
    await go(page, "Keys")
    assert.strictEqual(await page.getByRole("button", { name: /^Create a/ }).count(), 0)
  })
})
