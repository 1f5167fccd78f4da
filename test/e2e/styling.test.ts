/**
 * How much of a page the browser restyles.
 *
 * Planted and seen red: a page style that selects by `:has` on one of its parts.
 */
import type { CDPSession } from "playwright-core"
import { assert, it } from "vitest"
import { Schema } from "effect"
import { manyChecks } from "../http/manyChecks.ts"
import { useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

const Styling = Schema.Struct({
  name: Schema.Literal("UpdateLayoutTree"),
  args: Schema.Struct({ elementCount: Schema.Int })
})

const isStyling = Schema.is(Styling)

/** How many elements the browser restyled during an action, by its own count. */
const styledWhile = async (browser: CDPSession, act: () => Promise<void>): Promise<number> => {
  let styled = 0
  browser.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) if (isStyling(event)) styled += event.args.elementCount
  })
  const ended = new Promise((resolve) => browser.once("Tracing.tracingComplete", resolve))
  const traceConfig = { includedCategories: ["devtools.timeline", "blink"] }
  await browser.send("Tracing.start", { transferMode: "ReportEvents", traceConfig })
  await act()
  await browser.send("Tracing.end")
  await ended
  return styled
}

it("a further page of a long list restyles its own rows, and not the whole page", async () => {
  const { account: accountId, key } = await dashboard.newCustomer()
  const url = dashboard.env["DATABASE_URL"] ?? ""
  const many = { environment: "test", brand: "HubSpot", query: "best crm", checks: 260, days: 30 } as const
  await manyChecks(url, { accountId, ...many })
  const page = await dashboard.signIn(key, { path: "/checks" })
  const rows = page.locator("tbody tr")
  const more = async (before: number, after: number) => {
    await rows.nth(before - 1).waitFor()
    await page.getByRole("button", { name: "Show more" }).click()
    await rows.nth(after - 1).waitFor()
  }
  await more(50, 150)
  await more(150, 250)
  const elements = await page.locator("main *").count()
  const browser = await page.context().browser()?.newBrowserCDPSession()
  assert.isDefined(browser)
  const styled = await styledWhile(browser, () => more(250, 260))
  assert.isAbove(styled, 10)
  assert.isBelow(styled, elements / 2)
})
