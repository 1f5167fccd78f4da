/**
 * The history's main job: to find a check, read what each platform answered, and see what changed and what it cost.
 *
 * Planted and seen red: formulas that stay formulas in a CSV.
 */
import { assert, beforeAll, it } from "vitest"
import { call } from "../http/program.ts"
import { download, go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  key = (await dashboard.newCustomer()).key
  const check = (query: string, brand: string, mode = "quick") =>
    call(`${dashboard.base}/v1/check`, { key, body: { query, brand, mode } })
  await check("best crm [[sandbox:openai:status=500]]", "HubSpot")
  await check("best running shoes [[sandbox:answer]]", "Nike")
  await check('=HYPERLINK("https://evil.invalid","shoes")', "+Nike")
  for (const _ of [1, 2])
    await check("best running shoes [[sandbox:chatgpt_live:refusal;times=1]]", "Nike", "chatgpt_live")
})

it("are filtered by what is typed, which the page's address keeps, and all shown again", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  const rows = page.getByRole("table", { name: "Checks" }).getByRole("row")
  await page.getByText("5 rows").waitFor()
  const form = page.getByRole("form", { name: "Filter checks" })
  await form.getByLabel("Brand").fill("Nike")
  await form.getByLabel("Mode").selectOption("quick")
  await form.getByRole("button", { name: "Show" }).click()
  await page.getByText(/^1 rows?$/).waitFor()
  assert.strictEqual(await rows.count(), 2)
  assert.include(page.url(), "brand=Nike")
  await form.getByRole("link", { name: "Show all checks" }).click()
  await page.getByText("5 rows").waitFor()
  await form.getByLabel("Brand").fill("Nobody")
  await form.getByRole("button", { name: "Show" }).click()
  await page.getByText("No check matches these filters.").waitFor()
})

it("are sorted by a clicked column, in either direction", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  const table = page.getByRole("table", { name: "Checks" })
  const costs = () => table.getByRole("row").locator("[data-label=Cost]").allTextContents()
  await table.getByRole("button", { name: "Cost" }).click()
  const rising = (await costs()).map(Number)
  assert.deepEqual(
    rising,
    rising.toSorted((a, b) => a - b)
  )
  assert.strictEqual(await table.getByRole("columnheader", { name: "Cost" }).getAttribute("aria-sort"), "ascending")
  await table.getByRole("button", { name: "Cost" }).click()
  assert.deepEqual((await costs()).map(Number), rising.toReversed())
})

it("open to the answers of all platforms side by side, with the mention marked", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  await page.getByRole("link", { name: "best running shoes [[sandbox:answer]]" }).click()
  await page.getByRole("heading", { level: 1, name: "Check of Nike" }).waitFor()
  const answers = page.getByRole("region", { name: "Answers" }).getByRole("article")
  assert.strictEqual(await answers.count(), 4)
  const boxes = [await answers.nth(0).boundingBox(), await answers.nth(1).boundingBox()]
  assert.strictEqual(boxes[0]?.y, boxes[1]?.y)
  assert.strictEqual(await answers.first().locator("mark").first().textContent(), "Nike")
  await page.getByText("150 × 4 / 4 = 150").first().waitFor()
})

it("show the changes since the check before, and link to it", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  await page
    .getByRole("link", { name: /refusal/ })
    .first()
    .click()
  const difference = page.getByRole("region", { name: "Since the check before" })
  await difference.getByText("mention added").waitFor()
  await difference.getByRole("link", { name: "the check before" }).click()
  await difference.getByText("There is no earlier check of the same kind.").waitFor()
})

it("explain each failure, and show the calculation of the charge for the rest", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  await page.getByRole("link", { name: /^best crm/ }).click()
  await page.getByRole("region", { name: "Without an answer" }).getByText("It could not be reached.").waitFor()
  await page.getByRole("region", { name: "What it cost" }).getByText("150 × 3 / 4 = 112.5").waitFor()
})

it("are saved as CSV, JSONL and Markdown, in which no question is a formula or a link", async () => {
  const page = await dashboard.signIn(key)
  await go(page, "Checks")
  const exports = page.getByRole("group", { name: "Export checks" })
  const saved = (kind: string) => download(page, () => exports.getByRole("button", { name: kind }).click())
  const csv = await saved("CSV")
  assert.strictEqual(csv.name, "checks.csv")
  const [header, ...lines] = csv.text.trimEnd().split("\r\n")
  assert.match(header ?? "", /^Time,Brand,Question,Mode,/)
  assert.lengthOf(lines, 5)
  assert.include(csv.text, `"'=HYPERLINK(""https://evil.invalid"",""shoes"")"`)
  assert.include(csv.text, `"'+Nike"`)
  assert.notMatch(csv.text, /(?:^|,)"?[=+@-]/m)
  const jsonl = await saved("JSONL")
  assert.strictEqual(jsonl.name, "checks.jsonl")
  const rows = jsonl.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  assert.lengthOf(rows, 5)
  assert.include(
    rows.map(({ Question }) => Question),
    '=HYPERLINK("https://evil.invalid","shoes")'
  )
  const markdown = await saved("Markdown")
  assert.strictEqual(markdown.name, "checks.md")
  assert.lengthOf(markdown.text.trimEnd().split("\n"), 7)
  assert.include(markdown.text, String.raw`\[\[sandbox:answer\]\]`)
})
