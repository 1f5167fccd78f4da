/**
 * The playground's main job: every call that spends, run by hand, followed while it runs, and charged once.
 *
 * Planted and seen red: providers are selected again when a mode is chosen again; a button can be pressed while its call runs; links
 * reveal the referrer; an answer does not link to its stored record; a page is emptied when it is left; an answer does not name its
 * charge; an ask does not say which tracked brands no answer names, also if it was queued, or says it when nobody answered.
 */
import type { Page } from "playwright-core"
import { assert, beforeEach, describe, it } from "vitest"
import { call } from "../http/program.ts"
import { enter, go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

let key: string
let page: Page
beforeEach(async () => {
  key = (await dashboard.newCustomer()).key
  page = await dashboard.signIn(key)
  await go(page, "Playground")
})

const field = (form: string, label: string) => page.getByRole("form", { name: form }).getByLabel(label, { exact: true })

const charges = async () => (await call(`${dashboard.base}/v1/charges`, { key })).body.charges

const clipboard = () => page.evaluate(() => navigator.clipboard.readText())

describe("a check", () => {
  const ask = async (query: string, brand = "Nike") => {
    await field("Check", "Question").fill(query)
    await field("Check", "Brand").fill(brand)
  }

  it("shows each platform as it is asked and as it answers, then the answers with the mention marked", async () => {
    await ask("best running shoes [[sandbox:anthropic:latency=5s;answer]] [[sandbox:answer]]")
    await page.getByRole("button", { name: "Run the check" }).click()
    const platforms = page.getByRole("list", { name: "Platforms" }).getByRole("listitem")
    await platforms.filter({ hasText: "ChatGPT" }).getByText("answered").waitFor()
    await platforms.filter({ hasText: "Claude" }).getByText("asking…").waitFor()
    await platforms.filter({ hasText: "Claude" }).getByText("answered").waitFor()
    const answer = page.getByRole("article", { name: "ChatGPT" })
    await answer.getByText("mentioned", { exact: true }).waitFor()
    await answer.locator("mark").first().waitFor()
    assert.strictEqual(await answer.locator("mark").first().textContent(), "Nike")
    await page.getByText("Cost 150 credits").waitFor()
    assert.strictEqual(await page.getByRole("article").count(), 4)
    await answer.getByText("Citations").click()
    const link = answer.getByRole("link").first()
    assert.strictEqual(await link.getAttribute("rel"), "noopener noreferrer nofollow")
    await page.getByRole("link", { name: "This check in the history" }).click()
    await page.getByRole("heading", { name: "Check of Nike" }).waitFor()
  })

  it("explains the failure of a platform, and that it is not charged", async () => {
    await ask("best crm [[sandbox:openai:status=500]] [[sandbox:answer]]", "HubSpot")
    await page.getByRole("button", { name: "Run the check" }).click()
    await page.getByRole("article", { name: "ChatGPT" }).getByText("Not charged.").waitFor()
    await page.getByText("Cost 112.5 credits").waitFor()
    await page.getByText("99,887.5").first().waitFor()
  })

  it("keeps the choices for one mode while another is selected, and leaves them out of the other's call", async () => {
    const claude = page.getByRole("form", { name: "Check" }).getByLabel("Claude", { exact: true })
    await claude.uncheck()
    await ask("best running shoes [[sandbox:answer]]")
    await field("Check", "Mode").selectOption("perplexity_live")
    await claude.waitFor({ state: "hidden" })
    const sent = page.waitForRequest("**/v1/check")
    await page.getByRole("button", { name: "Run the check" }).click()
    assert.notProperty((await sent).postDataJSON(), "providers")
    await page.getByText("The answer is there.").waitFor({ state: "attached" })
    await field("Check", "Mode").selectOption("quick")
    assert.isFalse(await claude.isChecked())
  })

  it("is charged once when its button is clicked twice, and names its charge", async () => {
    await ask("best laptops [[sandbox:answer]]", "Dell")
    await page.getByRole("button", { name: "Run the check" }).dblclick()
    await page.getByText("Cost 150 credits").waitFor()
    const made = await charges()
    assert.lengthOf(made, 1)
    assert.strictEqual(made[0].charged_cents, 150)
    await page.getByText(`charge ${made[0].id}`, { exact: true }).waitFor()
  })

  it("that breaks the contract is not sent, and the error is at the field", async () => {
    await ask("q".repeat(501))
    await page.getByRole("button", { name: "Run the check" }).click()
    await page.getByRole("alert").waitFor()
    assert.strictEqual(await field("Check", "Question").getAttribute("aria-invalid"), "true")
    assert.lengthOf(await charges(), 0)
  })

  it("of a page without an AI answer says so, and not that the brand is not mentioned", async () => {
    await field("Check", "Mode").selectOption("ai_overview")
    await ask("best crm [[sandbox:no-answer]]", "HubSpot")
    await page.getByRole("button", { name: "Run the check" }).click()
    const answer = page.getByRole("article", { name: "AI Overview" })
    await answer.getByText("no AI answer", { exact: true }).waitFor()
    assert.strictEqual(await answer.getByText("not mentioned").count(), 0)
  })

  it("of Perplexity's page lists the questions that it suggests, and not as searches", async () => {
    await field("Check", "Mode").selectOption("perplexity_live")
    await ask("best running shoes [[sandbox:answer]]")
    await page.getByRole("button", { name: "Run the check" }).click()
    const answer = page.getByRole("article", { name: "Perplexity" })
    await answer.getByText("Related questions").waitFor()
    assert.strictEqual(await answer.getByText("Searches it made").count(), 0)
  })

  it("can be copied for a shell and for a program, without the key", async () => {
    await ask("it's `best` $(shoes) [[sandbox:answer]]")
    await page.getByRole("button", { name: "Run the check" }).click()
    await page.getByRole("button", { name: "Copy as curl" }).click()
    await page.getByText("Copied.").first().waitFor()
    const curl = await clipboard()
    assert.include(curl, `${dashboard.base}/v1/check`)
    assert.include(curl, String.raw`it'\''s`)
    assert.notInclude(curl, key)
    await page.getByRole("button", { name: "Copy as TypeScript" }).click()
    await page.waitForFunction(() => navigator.clipboard.readText().then((text) => text.includes("check.run")))
    assert.notInclude(await clipboard(), key)
  })
})

it("a compare shows the verdict and both sides of each platform", async () => {
  await page.getByRole("tab", { name: "Compare" }).click()
  await field("Compare", "Question").fill("best running shoes [[sandbox:answer]]")
  await field("Compare", "Brand").fill("Nike")
  await field("Compare", "Brand of B").fill("Nobody Knows It")
  await page.getByRole("button", { name: "Compare", exact: true }).click()
  await page.getByText("is named more often.").waitFor()
  const card = page.getByRole("article", { name: "Gemini" })
  await card.getByText("mentioned", { exact: true }).waitFor()
  await card.getByText("not mentioned").waitFor()
})

it("a compare without any answer is no tie", async () => {
  await page.getByRole("tab", { name: "Compare" }).click()
  await field("Compare", "Question").fill("best running shoes [[sandbox:status=404]]")
  await field("Compare", "Brand").fill("Nike")
  await field("Compare", "Brand of B").fill("Adidas")
  await page.getByRole("button", { name: "Compare", exact: true }).click()
  await page.getByText("“Nike” got no answer, “Adidas” got no answer.").waitFor()
  assert.strictEqual(await page.getByText("A tie.").count(), 0)
})

it("a compare that breaks the contract is not sent, and the error of what both sides share is at its field", async () => {
  await page.getByRole("tab", { name: "Compare" }).click()
  const invalid = () => page.getByRole("form", { name: "Compare" }).locator("[aria-invalid=true]")
  await field("Compare", "Question").fill("q".repeat(501))
  await field("Compare", "Brand").fill("Nike")
  await field("Compare", "Brand of B").fill("Adidas")
  await page.getByRole("button", { name: "Compare", exact: true }).click()
  await page.getByRole("alert").waitFor()
  assert.deepStrictEqual(await invalid().evaluateAll((all) => all.map((one) => one.getAttribute("name"))), ["query_a"])
  await field("Compare", "Question").fill("best running shoes")
  await field("Compare", "Question of B").fill("best sports shoes")
  await field("Compare", "Brand").fill("b".repeat(121))
  await field("Compare", "Brand of B").fill("")
  await page.getByRole("button", { name: "Compare", exact: true }).click()
  await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "brand_a")
  assert.deepStrictEqual(await invalid().evaluateAll((all) => all.map((one) => one.getAttribute("name"))), ["brand_a"])
  assert.lengthOf(await charges(), 0)
})

it("an ask shows each provider's words, the tracked brands and the sources", async () => {
  await page.getByRole("tab", { name: "Ask" }).click()
  await field("Ask", "Prompt").fill("which running shoes are best [[sandbox:answer]]")
  await field("Ask", "Brands to look for").fill("Nike, Adidas")
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  const panel = page.getByRole("tabpanel", { name: "Ask" })
  await panel.getByRole("table", { name: "Tracked brands" }).waitFor()
  assert.strictEqual(await panel.getByRole("article").count(), 4)
  await panel.getByText("Sources of all answers").waitFor()
  await panel.getByText("Cost 40 credits").waitFor()
})

const namedNowhere = () => page.getByRole("list", { name: "Named in no answer" }).getByRole("listitem")

it("an ask says which tracked brands no answer names, also if it was queued", async () => {
  await page.getByRole("tab", { name: "Ask" }).click()
  await field("Ask", "Prompt").fill("which running shoes are best [[sandbox:answer]]")
  await field("Ask", "Brands to look for").fill("Nike, Zyxquva, Zyxquva, Wobblefrotz")
  for (const mode of ["live", "standard"]) {
    await field("Ask", "When").selectOption(mode)
    const sent = page.waitForRequest("**/v1/ask")
    await page.getByRole("button", { name: "Ask", exact: true }).click()
    await sent
    await page.getByText(/^Cost [\d.]+ credits/).waitFor()
    assert.deepStrictEqual(await namedNowhere().allTextContents(), ["Zyxquva", "Wobblefrotz"])
  }
})

it("an ask that nobody answered does not say that brands are not named", async () => {
  await page.getByRole("tab", { name: "Ask" }).click()
  await field("Ask", "Prompt").fill("which running shoes are best [[sandbox:status=500]]")
  await field("Ask", "Brands to look for").fill("Nike")
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  await page.getByRole("article").filter({ hasText: "Not charged." }).nth(3).waitFor()
  assert.strictEqual(await namedNowhere().count(), 0)
})

it("an ask says what a provider costs, with and without a search, at once and queued", async () => {
  await page.getByRole("tab", { name: "Ask" }).click()
  assert.deepStrictEqual(await field("Ask", "When").getByRole("option").allTextContents(), [
    "At once: 10 credits a provider, 6 without a search",
    "Queued: 7 credits a provider, 4.2 without a search"
  ])
  await field("Ask", "Prompt").fill("which laptops are best [[sandbox:answer]]")
  await page.getByLabel("Search the web first").uncheck()
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  await page.getByRole("tabpanel", { name: "Ask" }).getByText("Cost 24 credits").waitFor()
})

it("a queued ask is polled until it is done", async () => {
  await page.getByRole("tab", { name: "Ask" }).click()
  await field("Ask", "Prompt").fill("best crm [[sandbox:answer]]")
  await field("Ask", "When").selectOption("standard")
  await page.getByRole("button", { name: "Ask", exact: true }).click()
  await page.getByRole("tabpanel", { name: "Ask" }).getByText("Cost 28 credits").waitFor()
})

it("a discovery lists questions worth asking, best first", async () => {
  await page.getByRole("tab", { name: "Discover" }).click()
  await field("Discover", "Brand").fill("Nike")
  await field("Discover", "Questions").fill("5")
  await page.getByRole("button", { name: /^Discover/ }).click()
  const table = page.getByRole("table", { name: /questions worth asking/ })
  await table.waitFor()
  assert.isAtLeast(await table.getByRole("row").count(), 2)
  await page.getByText("Cost 50 credits").waitFor()
})

it("keeps its state and a running call while another page is open, and is empty for the next user who signs in", async () => {
  await field("Check", "Question").fill("best running shoes [[sandbox:anthropic:latency=3s;answer]] [[sandbox:answer]]")
  await field("Check", "Brand").fill("Nike")
  await page.getByRole("button", { name: "Run the check" }).click()
  await page.getByRole("list", { name: "Platforms" }).getByText("asking…").first().waitFor()
  await page.getByRole("tab", { name: "Ask" }).click()
  await field("Ask", "Prompt").fill("half of a ques")
  await go(page, "Checks")
  await page.getByRole("heading", { level: 1, name: "Checks" }).waitFor()
  assert.strictEqual(await page.title(), "Checks · Sightline")
  await page.goBack()
  assert.strictEqual(await field("Ask", "Prompt").inputValue(), "half of a ques")
  assert.strictEqual(await page.title(), "Playground · Sightline")
  await page.getByRole("tab", { name: "Check" }).click()
  await page.getByRole("article", { name: "Claude" }).getByText("mentioned", { exact: true }).waitFor()
  assert.lengthOf(await charges(), 1)
  await page.getByRole("button", { name: "Sign out" }).click()
  await enter(page, (await dashboard.newCustomer()).key)
  await go(page, "Playground")
  await page.getByRole("tab", { name: "Ask" }).click()
  assert.strictEqual(await field("Ask", "Prompt").inputValue(), "")
})
