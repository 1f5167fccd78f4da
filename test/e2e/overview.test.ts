/**
 * The overview's main job: how visible a brand is, for which pair and range, and what has changed.
 *
 * Planted and seen red: a range that is always 30 days; the share of voice of all surfaces shown for each one; a plural for one.
 */
import { assert, beforeAll, it } from "vitest"
import { manyChecks } from "../http/manyChecks.ts"
import { call } from "../http/program.ts"
import { useDashboard } from "./dashboard.ts"
import { followed } from "./populated.ts"

const dashboard = useDashboard()

let key: string
beforeAll(async () => {
  const customer = await dashboard.newCustomer()
  key = customer.key
  const url = dashboard.env["DATABASE_URL"] ?? ""
  const many = { accountId: customer.account, environment: "test", checks: 60, days: 60 } as const
  await manyChecks(url, { ...many, ...followed })
  for (const mode of ["chatgpt_live", "chatgpt_live"])
    await call(`${dashboard.base}/v1/check`, {
      key,
      body: { query: "best running shoes [[sandbox:chatgpt_live:refusal;times=1]]", brand: "Nike", mode }
    })
}, 180_000)

it("shows the pair that was checked last, and links to the others", async () => {
  const page = await dashboard.signIn(key)
  const main = page.getByRole("main")
  await main.getByText("engines name Nike").waitFor()
  await main.getByLabel("Brand and question").selectOption(followed.query)
  await main.getByText(`engines name ${followed.brand}`).waitFor()
  assert.include(page.url(), `brand=${followed.brand}`)
  await page.reload()
  await main.getByText(`engines name ${followed.brand}`).waitFor()
})

it("counts the checks in the chosen range, and draws them", async () => {
  const page = await dashboard.signIn(key, { path: `/?${new URLSearchParams(followed)}` })
  const main = page.getByRole("main")
  const chart = main.getByRole("img", { name: /^Share of answers that name it, \d+ points/ })
  const points = async () => Number(/(\d+) points/.exec((await chart.getAttribute("aria-label")) ?? "")?.[1])
  await chart.waitFor()
  const month = await points()
  assert.isAtLeast(month, 28)
  await main.getByRole("button", { name: "7 days" }).click()
  await main.getByRole("img", { name: /it, [678] points/ }).waitFor()
  await main.getByRole("button", { name: "90 days" }).click()
  await main.getByRole("img", { name: /it, (?:59|60|61) points/ }).waitFor()
  assert.strictEqual(await main.getByRole("button", { name: "90 days" }).getAttribute("aria-pressed"), "true")
})

it("gives each chart as a table too, and its points to the arrow keys", async () => {
  const page = await dashboard.signIn(key, { path: `/?${new URLSearchParams(followed)}` })
  const chart = page.getByRole("figure").filter({ hasText: "Share of answers that name it" })
  await chart.getByText("Figures", { exact: true }).click()
  const rows = chart.getByRole("table").getByRole("row")
  assert.isAtLeast(await rows.count(), 29)
  const cursor = chart.getByRole("slider")
  const last = await cursor.getAttribute("aria-valuetext")
  await cursor.focus()
  await page.keyboard.press("ArrowLeft")
  const before = await cursor.getAttribute("aria-valuetext")
  assert.notStrictEqual(before, last)
  assert.strictEqual(await chart.locator("figcaption").getByRole("status").textContent(), before)
})

it("shows the share of voice, on all surfaces and on one", async () => {
  const page = await dashboard.signIn(key, { path: `/?${new URLSearchParams(followed)}` })
  const voice = page.getByRole("region", { name: "Share of voice" })
  const own = voice.getByRole("listitem").filter({ hasText: followed.brand })
  const answers = async () => Number(/([\d,]+) answers/.exec((await own.textContent()) ?? "")?.[1]?.replaceAll(",", ""))
  const everywhere = await answers()
  let sum = 0
  for (const surface of ["ChatGPT", "Claude", "Gemini", "Perplexity"]) {
    await voice.getByLabel("Surface").selectOption(surface)
    sum += await answers()
  }
  assert.isAbove(everywhere, 0)
  assert.strictEqual(sum, everywhere)
})

it("writes one answer in the singular", async () => {
  const page = await dashboard.signIn(key)
  const voice = page.getByRole("region", { name: "Share of voice" })
  const own = voice.getByRole("listitem").filter({ hasText: "Nike" })
  assert.match((await own.textContent()) ?? "", / 1 answer$/)
})

it("links from a change to the check that brought it", async () => {
  const page = await dashboard.signIn(key)
  const changes = page.getByRole("region", { name: "Last changes" })
  await changes.getByText("mention added").waitFor()
  await changes.getByRole("link", { name: "Answers" }).first().click()
  await page.getByRole("heading", { level: 1, name: "Check of Nike" }).waitFor()
})
