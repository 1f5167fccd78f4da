/**
 * Every page is accessible: axe-core finds nothing serious, in light and dark and at every width down to a phone's, and no page is
 * wider than its window. Screenshots are kept in `build/e2e`.
 *
 * Planted and seen red: a slider without a name; grey words at half their contrast; a table that scrolls with a mouse only; a
 * table whose landmark has the name of its section.
 */
import axe, { type AxeResults } from "axe-core"
import type { Page } from "playwright-core"
import { assert, describe, it } from "vitest"
import { enter, loaded, picture, type Visit } from "./dashboard.ts"
import { pagesOf, usePopulated } from "./populated.ts"

const { customer, dashboard } = usePopulated()

const findings = async (page: Page) => {
  // As a function of the debugger, since the page's policy would block a script element.
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>("axe.run()")
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join("; ")}`
    )
}

const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

const looks: ReadonlyArray<readonly [name: string, visit: Visit]> = [
  ["light", { colours: "light" }],
  ["dark", { colours: "dark" }],
  ["tablet", { colours: "light", width: 768 }],
  ["phone", { colours: "light", width: 390 }]
]

describe.each(looks)("%s", (look, visit) => {
  it("every page has no serious finding and fits its window", { timeout: 240_000 }, async () => {
    const page = await dashboard.open(visit)
    await page.getByLabel("API key").waitFor()
    await picture(page, `sign-in-${look}`)
    const found: Array<string> = []
    const note = async (name: string) => {
      for (const finding of await findings(page)) found.push(`${name}: ${finding}`)
      const excess = await page.evaluate(overflow)
      if (excess > 0) found.push(`${name}: ${excess} pixels too wide`)
    }
    await note("sign-in")
    await enter(page, customer().key)
    for (const [name, path] of pagesOf(customer())) {
      await page.goto(dashboard.base + path)
      await page.waitForFunction(loaded)
      await page.waitForLoadState("networkidle")
      await picture(page, `${name}-${look}`)
      await note(name)
    }
    assert.deepEqual(found, [])
  })
})

it("a table and its section are landmarks of different names", async () => {
  const page = await dashboard.signIn(customer().key)
  await page.goto(`${dashboard.base}/keys`)
  await page.getByRole("table").waitFor()
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<AxeResults>("axe.run({ runOnly: ['landmark-unique'] })")
  assert.deepEqual(violations, [])
})

it("a new customer sees that there is nothing yet, and what to do", { timeout: 120_000 }, async () => {
  const { key } = await dashboard.newCustomer()
  const page = await dashboard.signIn(key)
  for (const name of ["Overview", "Checks", "Watches", "Webhooks", "Usage"]) {
    await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name, exact: true }).click()
    await page.waitForFunction(loaded)
    await page.waitForLoadState("networkidle")
    await page
      .getByText(/yet\.|No such deliveries/)
      .first()
      .waitFor()
    await picture(page, `empty-${name.toLowerCase()}`)
    assert.deepEqual(await findings(page), [], name)
  }
})
