/**
 * A printed page shows all that the screen does, or says that it does not.
 *
 * Planted and seen red: tables that scroll sideways; questions cut to two lines; no notice of further rows.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { enter, loaded, picture } from "./dashboard.ts"
import { pagesOf, usePopulated } from "./populated.ts"

const { customer, dashboard } = usePopulated()

/** A sheet of A4 without the margins of browsers, in pixels. */
const sheet = { width: 717, height: 1046 }

/** Runs in the page: the elements that are partly out of sight. */
const cutOff = () =>
  Array.from(document.querySelectorAll("main *"))
    .filter((element) => element instanceof HTMLElement && !element.matches(".hidden, input, select"))
    .filter(({ clientHeight, clientWidth, scrollHeight, scrollWidth }) => {
      return (clientWidth > 0 && scrollWidth > clientWidth + 1) || (clientHeight > 0 && scrollHeight > clientHeight + 1)
    })
    .map((element) => `${element.tagName}.${element.className}`)

const onPaper = async (page: Page, path: string) => {
  await page.emulateMedia({ media: "screen" })
  await page.goto(dashboard.base + path)
  await page.waitForFunction(loaded)
  await page.emulateMedia({ media: "print" })
}

it("no part of a page is cut off on paper", async () => {
  const page = await dashboard.open()
  await enter(page, customer().key)
  await page.setViewportSize(sheet)
  for (const [name, path] of [...pagesOf(customer()), ["billing", "/billing"] as const]) {
    await onPaper(page, path)
    await picture(page, `paper-${name}`)
    assert.deepEqual(await page.evaluate(cutOff), [], name)
    assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth), sheet.width, name)
  }
})

it("a list with more rows says so, and a page says which zone its times are in", async () => {
  const page = await dashboard.open({ zone: "Asia/Kathmandu" })
  await enter(page, customer().key)
  await page.goto(`${dashboard.base}/checks`)
  const [screen, rest, zone] = [
    page.getByText("The list goes on; exports"),
    page.getByText("The list continues: further"),
    page.getByText(/^Times without a zone are those of Asia\/Kat/)
  ]
  await page.getByRole("button", { name: "Show more" }).waitFor()
  const visible = () => Promise.all([screen.isVisible(), rest.isVisible(), zone.isVisible()])
  assert.deepEqual(await visible(), [true, false, false])
  await page.emulateMedia({ media: "print" })
  assert.deepEqual(await visible(), [false, true, true])
})
