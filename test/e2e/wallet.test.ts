/**
 * Money, health and keys: what was spent and why, how the platforms are doing, and who may call.
 *
 * Planted and seen red: a charge has the wrong explanation; charges of one minute have the same abbreviated id; a range ends on the
 * browser's today, or when the page was opened; a key's id can be read only with a pointer.
 */
import { assert, describe, it } from "vitest"
import { call } from "../http/program.ts"
import { enter, go, useDashboard } from "./dashboard.ts"
import { dayMillis, lastDays, withinOneDay } from "./utcDays.ts"

const dashboard = useDashboard()

const check = (key: string, query: string) =>
  call(`${dashboard.base}/v1/check`, { key, body: { query, brand: "HubSpot" } })

describe("usage and wallet", () => {
  it("show the balance, the spending, and each charge as a calculation that a person can check", async () => {
    const { key } = await dashboard.newCustomer({ credits: 1000 })
    await check(key, "best crm [[sandbox:openai:status=500]] [[sandbox:answer]]")
    await call(`${dashboard.base}/v1/discover`, { key, body: { brand: "HubSpot", count: 5 } })
    const page = await dashboard.signIn(key)
    await go(page, "Usage")
    const main = page.getByRole("main")
    await main.getByText("837.5", { exact: true }).first().waitFor()
    await main.getByRole("table", { name: "Spending by endpoint" }).getByText("112.5").waitFor()
    const charges = main.getByRole("table", { name: "Charges" })
    await charges.locator("code").nth(1).waitFor()
    const ids = await charges.locator("code").allTextContents()
    assert.deepStrictEqual([ids.length, new Set(ids).size], [2, 2])
    const charge = charges.getByRole("row").filter({ hasText: "check, quick" })
    await charge.getByText("150 × 3 / 4 = 112.5").first().click()
    await charge.getByText("3 of 4 questions were answered; the others are not charged.").waitFor()
    await charge.getByText("150 − 112.5 = 37.5 given back").waitFor()
    await charge.getByText("ChatGPT: It could not be reached.").waitFor()
    const ledger = main.getByRole("table", { name: "Ledger" })
    for (const word of ["topup", "hold", "capture", "release"])
      await ledger.getByText(word, { exact: false }).first().waitFor()
    await main.getByRole("group", { name: "Granularity" }).getByRole("button", { name: "By hour" }).click()
    await main.getByText("Credits spent by hour", { exact: true }).first().waitFor()
    await main.getByRole("form", { name: "Filter usage" }).getByLabel("Endpoint").selectOption("discover")
    await main.getByRole("form", { name: "Filter usage" }).getByRole("button", { name: "Show" }).click()
    await main.getByRole("table", { name: "Spending by endpoint" }).getByText("112.5").waitFor({ state: "detached" })
  })

  it("keep unsent filters when a range or a granularity is chosen, and reset once filters are sent", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    await go(page, "Usage")
    const form = page.getByRole("form", { name: "Filter usage" })
    const from = await form.getByLabel("From (UTC)").inputValue()
    await form.getByLabel("Endpoint").selectOption("discover")
    await form.getByLabel("To (UTC)").fill("2026-01-31")
    for (const name of ["7 days", "By hour"]) {
      await page.getByRole("button", { name, exact: true }).click()
      await page.getByRole("button", { name, exact: true, pressed: true }).waitFor()
    }
    assert.notStrictEqual(await form.getByLabel("From (UTC)").inputValue(), from)
    assert.strictEqual(await form.getByLabel("To (UTC)").inputValue(), "2026-01-31")
    assert.strictEqual(await form.getByLabel("Endpoint").inputValue(), "discover")
    await form.getByLabel("To (UTC)").fill("")
    await form.getByLabel("From (UTC)").fill("")
    await form.getByRole("button", { name: "Show" }).click()
    await page.getByRole("button", { name: "30 days", exact: true, pressed: true }).waitFor()
    assert.strictEqual(await form.getByLabel("From (UTC)").inputValue(), from)
    await page.goBack()
    await page.getByRole("button", { name: "7 days", exact: true, pressed: true }).waitFor()
    assert.strictEqual(await form.getByLabel("Endpoint").inputValue(), "")
  })

  it("end with the server's now, not with the time of a browser that is a day behind, nor with the time they were first shown", async () => {
    const { key } = await dashboard.newCustomer({ credits: 1000 })
    await check(key, "best crm [[sandbox:answer]]")
    const page = await dashboard.open()
    await page.clock.setFixedTime(Date.now() - dayMillis)
    await enter(page, key)
    const endpoints = page.getByRole("table", { name: "Spending by endpoint" })
    await withinOneDay(async (today) => {
      await page.goto(`${dashboard.base}/usage`)
      await endpoints.getByText("150", { exact: true }).waitFor()
      await page.getByText(`credits, ${lastDays(30, today)} (UTC)`, { exact: true }).waitFor()
    })
    await check(key, "best laptops [[sandbox:answer]]")
    const range = page.getByRole("group", { name: "Range" })
    await range.getByRole("button", { name: "7 days", exact: true }).click()
    await range.getByRole("button", { name: "7 days", exact: true, pressed: true }).waitFor()
    await endpoints.getByText("300", { exact: true }).waitFor()
    assert.isAbove(await page.getByText("Credits spent by day", { exact: true }).count(), 0)
  })

  it("say how much is missing when the balance does not cover a call, and link to the top-up", async () => {
    const { key } = await dashboard.newCustomer({ credits: 100 })
    const page = await dashboard.signIn(key)
    await go(page, "Playground")
    await page.getByRole("form", { name: "Check" }).getByLabel("Question", { exact: true }).fill("best crm")
    await page.getByRole("form", { name: "Check" }).getByLabel("Brand", { exact: true }).fill("HubSpot")
    await page.getByRole("button", { name: "Run the check" }).click()
    await page
      .getByRole("alert")
      .getByText("The balance of 100 credits does not cover the price of 150.")
      .first()
      .waitFor()
    await page.getByRole("alert").getByRole("link", { name: "Top up the wallet" }).click()
    await page.getByRole("heading", { name: "Usage and wallet" }).waitFor()
  })
})

it("health shows the state of every platform", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await dashboard.signIn(key)
  await go(page, "Health")
  const rows = page.getByRole("table", { name: "Health of the platforms" }).getByRole("row")
  await rows.nth(10).waitFor()
  assert.strictEqual(await rows.count(), 11)
  await rows.filter({ hasText: "Copilot" }).waitFor()
})

describe("keys", () => {
  it("are created, shown once, used and revoked", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    await go(page, "Keys")
    await page.getByRole("button", { name: "Create a test key" }).click()
    const made = await page.getByRole("status").getByLabel("New key").inputValue()
    assert.match(made, /^lvk_test_/)
    assert.strictEqual((await call(`${dashboard.base}/v1/wallet`, { key: made })).status, 200)
    await page.getByRole("button", { name: "Done" }).click()
    await page.getByRole("status").getByLabel("New key").waitFor({ state: "detached" })
    assert.notInclude(await page.content(), made)
    const row = page
      .getByRole("table", { name: "Keys" })
      .getByRole("row")
      .filter({ hasNotText: "signed in with" })
      .nth(1)
    await row.getByRole("button", { name: /^Copy id/ }).click()
    const { keys } = (await call(`${dashboard.base}/v1/keys`, { key })).body
    assert.include(
      keys.map(({ id }: { readonly id: string }) => id),
      await page.evaluate(() => navigator.clipboard.readText())
    )
    await row.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke the key" }).click()
    await row.getByText("revoked").first().waitFor()
    await page.waitForFunction(
      async ([base, made]) =>
        (await fetch(`${base}/v1/wallet`, { headers: { authorization: `Bearer ${made}` }, credentials: "omit" }))
          .status === 401,
      [dashboard.base, made]
    )
  })

  it("revoked by their own session lead back to the sign-in, after a warning", async () => {
    const { key } = await dashboard.newCustomer()
    const page = await dashboard.signIn(key)
    await go(page, "Keys")
    await page.getByRole("table", { name: "Keys" }).getByRole("button", { name: "Revoke" }).click()
    const question = page.getByRole("alertdialog")
    await question.getByText("You are signed in with this key").waitFor()
    await question.getByRole("button", { name: "Cancel" }).click()
    await question.waitFor({ state: "detached" })
    await page.getByRole("table", { name: "Keys" }).getByRole("button", { name: "Revoke" }).click()
    await question.getByRole("button", { name: "Revoke the key" }).click()
    await page.getByRole("form", { name: "Sign in" }).waitFor()
  })
})
