/**
 * What a page shows when something does not arrive: a notice, and a way to get it.
 *
 * Planted and seen red:
 * - an answer is awaited as long as the browser likes
 * - a page whose file is unreachable is said to belong to another version
 * - the sign-in needs a file that may be gone
 * - missing suggestions, watches and models are not mentioned
 * - pages of fifty rows never get longer
 * - exports have only the rows that are shown
 * - what does not exist can be tried again
 */
import type { Page } from "playwright-core"
import { assert, beforeAll, it } from "vitest"
import { call, operator } from "../http/program.ts"
import { download, enter, go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
  await call(`${dashboard.base}/v1/check`, { key, body: { query: "best crm", brand: "HubSpot" } })
})

it("a request without an answer is reported, and succeeds when it is tried again", async () => {
  const page = await dashboard.signIn(key)
  await page.route("**/v1/charges**", () => undefined)
  await page.getByRole("link", { name: "Usage", exact: true }).click()
  const charges = page.getByRole("region", { name: "Charges" })
  await charges.getByText("The server has not answered in time.").waitFor({ timeout: 60_000 })
  await page.unroute("**/v1/charges**")
  await charges.getByRole("button", { name: "Try again" }).click()
  await charges.getByText("1 row", { exact: true }).waitFor()
  assert.strictEqual(await page.getByRole("alert").count(), 0)
  dashboard.violations.errors.length = 0
})

it('what does not exist is reported, with a way back and without "Try again"', async () => {
  const page = await dashboard.signIn(key)
  for (const [place, back] of [
    ["watches", "All watches"],
    ["webhooks", "All endpoints"],
    ["deliveries", "All deliveries"]
  ] as const) {
    await page.goto(`${dashboard.base}/${place}/00000000-0000-4000-8000-000000000000`)
    await page.getByRole("alert").getByText("not_found").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
    assert.strictEqual(await page.getByRole("link", { name: back, exact: true }).count(), 1)
  }
  dashboard.violations.errors.length = 0
})

it("a page whose file is unreachable says so, and loads once it is reachable", async () => {
  const page = await dashboard.signIn(key)
  await page.context().setOffline(true)
  await page.getByRole("link", { name: "Keys", exact: true }).click()
  await page.getByRole("alert").getByText("This page could not be loaded: the server is out of reach").waitFor()
  await page.context().setOffline(false)
  await page.getByRole("button", { name: "Load again" }).click()
  await page.getByRole("heading", { name: "Keys", exact: true, level: 1 }).waitFor()
  dashboard.violations.errors.length = 0
  assert.strictEqual(await page.getByRole("alert").count(), 0)
})

it("a session that ends after the page's files are gone still leads to the sign-in", async () => {
  const page = await dashboard.signIn(key)
  await page.reload()
  await go(page, "Playground")
  await page.getByRole("textbox", { name: "Question" }).fill("best running shoes")
  await page.route("**/assets/**", (route) => route.fulfill({ status: 404 }))
  await page.context().clearCookies()
  await page.getByRole("textbox", { name: "Brand" }).fill("Nike")
  await page.getByRole("button", { name: "Run the check" }).click()
  await enter(page, key)
  assert.strictEqual(await page.getByRole("textbox", { name: "Question" }).inputValue(), "best running shoes")
})

it("a table exports rows that are not shown yet too, in order, and its later pages are longer", async () => {
  const { key: own, account } = await dashboard.newCustomer({ credits: 1 })
  const admin = operator(dashboard.program, dashboard.env["ADMIN_TOKEN"] ?? "")
  const reference = "order 4711"
  await admin.admin(`/accounts/${account}/topups`, { credits: 1, environment: "test", reference })
  for (let n = 0; n < 159; n++) await admin.topUp(account, 1)
  const page = await dashboard.signIn(own)
  await go(page, "Usage")
  const ledger = page.getByRole("region", { name: "Ledger" }).first()
  const note = ledger.getByText("The list goes on; exports have its first 10,000 rows.")
  await note.waitFor()
  const save = async () => (await download(page, () => ledger.getByRole("button", { name: "CSV" }).click())).text
  const lines = (await save()).split("\r\n")
  assert.strictEqual(lines.length, 163)
  assert.match(lines[160] ?? "", /,topup,1,2,0,order 4711,/)
  await ledger.getByText("50 rows", { exact: true }).waitFor()
  await page.route("**/v1/ledger?**cursor=**", (route) => route.abort())
  await ledger.getByRole("button", { name: "CSV" }).click()
  await page.getByText("Nothing was exported. The server could not be reached.").first().waitFor()
  await page.unroute("**/v1/ledger?**cursor=**")
  for (const rows of [150, 161]) {
    await ledger.getByRole("button", { name: "Show more" }).click()
    await ledger.getByText(`${rows} rows`, { exact: true }).waitFor()
  }
  await ledger.getByRole("table").getByText(reference).waitFor()
  assert.strictEqual(await save(), lines.join("\r\n"))
  assert.strictEqual(await note.count(), 0)
  dashboard.violations.errors.length = 0
})

/** Makes an address fail until the returned function is called. */
const broken = async (page: Page, address: string) => {
  const refusal = { error: { code: "internal_error", message: "An unexpected error occurred." }, request_id: "r" }
  await page.route(address, (route) => route.fulfill({ status: 500, json: refusal }))
  return () => page.unroute(address)
}

/** What may be missing beside a page's own content. */
const lacks: ReadonlyArray<readonly [place: string, address: string, what: string]> = [
  ["Overview", "**/v1/visibility/pairs", "The other brands and questions"],
  ["Checks", "**/v1/visibility/pairs", "The suggestions of brands and questions"],
  ["Checks", "**/v1/watch?limit=200", "The watches"],
  ["Webhooks", "**/v1/watch?limit=200", "The watches"],
  ["Playground", "**/v1/models", "The models"]
]

it.each(lacks)("on %s, where %s fails, the page says that %s could not be read", async (place, address, what) => {
  const page = await dashboard.signIn(key)
  const mend = await broken(page, address)
  await page.reload()
  await go(page, place)
  if (place === "Playground") await page.getByText("City and models").click()
  const note = page.getByRole("alert").filter({ hasText: `${what} could not be read.` })
  await note.waitFor()
  await mend()
  await note.getByRole("button", { name: "Try again" }).click()
  await note.waitFor({ state: "detached" })
  assert.strictEqual(await page.getByRole("alert").count(), 0)
  dashboard.violations.errors.length = 0
})
