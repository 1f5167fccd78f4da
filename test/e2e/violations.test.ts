/**
 * The check for violations on each page sees a violation of each kind, made on purpose.
 *
 * Planted and seen red: a page without its policy.
 */
import { assert, it } from "vitest"
import { useDashboard } from "./dashboard.ts"
import { waitFor } from "../http/waiting.ts"

const dashboard = useDashboard()

it("sees dialogs, requests to other origins, reports of the policy and script errors", async () => {
  const page = await dashboard.open()
  const { dialogs, errors, foreign, reports } = dashboard.violations
  await page.evaluate(() => {
    alert("a dialog")
    const picture = new Image()
    picture.src = "https://evil.invalid/pixel.png"
    setTimeout(() => {
      throw new Error("a mistake")
    })
  })
  await page.evaluate(() => {
    try {
      document.body.innerHTML = "<b>markup</b>"
    } catch {
      // Blocked because it is text.
    }
  })
  await waitFor("the dialog", async () => dialogs.find((seen) => seen === "alert a dialog"))
  await waitFor("the picture's report", async () =>
    reports.find((seen) => seen.startsWith("img-src https://evil.invalid"))
  )
  await waitFor("the markup's report", async () => reports.find((seen) => seen.includes("require-trusted-types-for")))
  await waitFor("the mistake", async () => errors.find((seen) => seen.includes("a mistake")))
  assert.deepEqual(foreign, ["https://evil.invalid/pixel.png"])
  for (const seen of [dialogs, errors, foreign, reports]) seen.length = 0
})
