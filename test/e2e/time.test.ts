/**
 * Time zones and wrong clocks: figures are of the server's days, are distinct, and are in the reader's notation.
 *
 * Planted and seen red: a range stays where it was at midnight; ranges are counted from the browser's clock, on either page; hours are
 * shown in the reader's zone; a sum keeps the API's notation; an assertion is not repeated where its day ended.
 */
import type { UsageResponse } from "@sightline/contract/AccountApi"
import { assert, beforeAll, it } from "vitest"
import { call } from "../http/program.ts"
import { enter, go, useDashboard } from "./dashboard.ts"
import { dayMillis, lastDays, withinOneDay } from "./utcDays.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
  const query = "best crm [[sandbox:openai:status=500]]"
  await call(`${dashboard.base}/v1/check`, { key, body: { query, brand: "HubSpot" } })
})

it.each([-400, -2, 8, 400])("a browser's clock %i days off changes no range and no figure", async (off) => {
  const page = await dashboard.open()
  await page.clock.setFixedTime(Date.now() + off * dayMillis)
  await enter(page, key)
  const main = page.getByRole("main")
  for (const range of ["7 days", "30 days", "90 days"]) {
    await main.getByRole("button", { name: range, exact: true }).click()
    await main.getByRole("button", { name: range, exact: true, pressed: true }).waitFor()
    await main.locator("[aria-busy=false]").getByText("3 name it").waitFor()
    assert.strictEqual(await page.getByRole("alert").count(), 0, range)
  }
  await withinOneDay(async (today) => {
    await page.goto(`${dashboard.base}/usage`)
    await main.getByRole("button", { name: "30 days", exact: true, pressed: true }).waitFor()
    for (const count of [30, 7, 90, 365]) {
      await main.getByRole("button", { name: `${count} days`, exact: true }).click()
      await main.getByText(`credits, ${lastDays(count, today)} (UTC)`, { exact: true }).waitFor()
      await main.getByRole("table", { name: "Spending by endpoint" }).getByText("112.5").waitFor()
    }
    await page.reload()
    await main.getByRole("button", { name: "365 days", exact: true, pressed: true }).waitFor()
  })
})

it("an assertion during which the day ends is repeated, and no other is", async () => {
  const looked: Array<number> = []
  const moments = [dayMillis - 1, dayMillis, dayMillis]
  const fail = async (today: number) => {
    looked.push(today)
    assert.isAtLeast(today, dayMillis)
  }
  await withinOneDay(fail, () => moments.shift() ?? 0)
  assert.deepEqual(looked, [dayMillis - 1, dayMillis])
  const refused = await withinOneDay(fail, () => 0).then(() => null, String)
  assert.deepEqual([looked.length, refused === null], [3, false])
})

it("the hours of a day on which clocks are set back are distinct, and belong to the chosen days", async () => {
  const page = await dashboard.open({ zone: "Europe/Berlin" })
  const start = Date.parse("2026-10-25T00:00:00Z")
  const json: UsageResponse = {
    request_id: "r",
    window: { start: "2026-10-25T00:00:00.000Z", end: "2026-10-26T00:00:00.000Z", granularity: "hour" },
    total: { calls: 24, cost_cents: 24, cost_by_endpoint: { check: 24 }, cost_by_mode: { quick: 24 } },
    series: Array.from({ length: 24 }, (_, hour) => ({
      bucket: new Date(start + hour * 3_600_000).toISOString(),
      calls: 1,
      cost_cents: 1
    }))
  }
  await page.route("**/v1/usage**", (route) => route.fulfill({ json }))
  await enter(page, key)
  await page.goto(`${dashboard.base}/usage?start=2026-10-25&end=2026-10-25&granularity=hour`)
  await page.getByText("Figures", { exact: true }).click()
  const hours = await page
    .getByRole("table", { name: /^Figures of/ })
    .locator("[data-label=Time]")
    .allTextContents()
  assert.deepEqual([hours.length, new Set(hours).size], [24, 24])
  assert.deepEqual([hours[0], hours[23]], ["Oct 25, 2026, 12:00 AM UTC", "Oct 25, 2026, 11:00 PM UTC"])
})

// Every answer carries the test's own noon, so that the only midnight is the one that the test makes.
it("an open usage page moves on at the server's midnight: its range of 30 days starts a day later", async () => {
  const noon = Math.floor(Date.now() / dayMillis) * dayMillis - dayMillis / 2
  const page = await dashboard.open()
  await page.route(/\/(v1|session)\b/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, headers: { ...response.headers(), date: new Date(noon).toUTCString() } })
  })
  await page.clock.install()
  await enter(page, key)
  await go(page, "Usage")
  const starts = (count: number) => {
    const day = new Date(noon - (count - 1) * dayMillis).toISOString().slice(0, 10)
    return page.waitForFunction((day) => document.querySelector<HTMLInputElement>("[name=start]")?.value === day, day)
  }
  await starts(30)
  await page.clock.fastForward("13:00:00")
  assert.isOk(await starts(29))
})

it("a sum has the same notation as the figures beside it", async () => {
  const page = await dashboard.open({ locale: "de-DE" })
  await enter(page, key)
  await go(page, "Usage")
  const charges = page.getByRole("table", { name: "Charges" })
  await charges.getByText("150 × 3 / 4 = 112,5").first().click()
  await charges.getByText("150 × 3 / 4 = 112,5 charged").waitFor()
  await charges.getByText("150 − 112,5 = 37,5 given back").waitFor()
  assert.strictEqual(await charges.getByText("112.5").count(), 0)
})
