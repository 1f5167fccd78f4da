/**
 * What the page does where machines and networks are slow or gone: a change is made once even if it is sent twice, and a failure to
 * send is shown.
 *
 * Planted and seen red:
 * - states are set by a timer, which clicks overtake
 * - a question is answered twice while its dialog closes
 * - a change is awaited without end, or is another change when it is sent again
 * - calls wait for a network; a sign-out fails without a message
 * - changes are sent before the session is known, at once or streamed
 * - a figure looks new when it could not be read again
 * - a list waits for the user when the network is back
 * - a list of many pages is read as often as one of a single page, while something is pending or when the user comes back to it
 * - a list is drawn again with each further page
 */
import type { Page } from "playwright-core"
import type { DeliveryList } from "@sightline/contract/DeliveryApi"
import { assert, it } from "vitest"
import { waitUntil } from "../http/waiting.ts"
import { call } from "../http/program.ts"
import { enter, fillWatch, go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard()

/** The page is busy at the first press, so that the second press arrives before anything else runs. */
const pressTwice = async (page: Page, x: number, y: number) => {
  await page.evaluate(() => {
    const busy = () => {
      const until = performance.now() + 300
      while (performance.now() < until);
    }
    document.addEventListener("pointerdown", busy, { once: true })
  })
  await page.mouse.move(x, y)
  await Promise.all([
    page.mouse.down(),
    page.mouse.up(),
    page.mouse.down({ clickCount: 2 }),
    page.mouse.up({ clickCount: 2 })
  ])
}

it("a watch is created once by two clicks on a busy page", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  const dialog = await fillWatch(page, "https://hooks.example.com/")
  const { x = 0, y = 0 } = (await dialog.getByRole("button", { name: "Create watch" }).boundingBox()) ?? {}
  let sent = 0
  page.on("request", (request) => {
    if (request.method() === "POST") sent++
  })
  await pressTwice(page, x + 9, y + 9)
  await dialog.getByRole("button", { name: "Done" }).click()
  await page.getByText("1 row", { exact: true }).waitFor()
  assert.strictEqual(sent, 1)
})

it("a change with a confirmation is made once by two clicks, while the dialog closes", async () => {
  const { key } = await dashboard.newCustomer()
  for (let n = 0; n < 2; n++) await call(`${dashboard.base}/v1/keys`, { key, body: {} })
  const page = await dashboard.signIn(key)
  await page.emulateMedia({ reducedMotion: "no-preference" })
  await go(page, "Keys")
  let sent = 0
  page.on("request", (request) => {
    if (request.method() === "DELETE") sent++
  })
  const others = page.getByRole("row").filter({ hasNotText: "signed in with" })
  await others
    .getByRole("button", { name: /^Revoke/ })
    .first()
    .click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Revoke the key" }).dblclick()
  await page.getByText("The key is revoked.").first().waitFor()
  await others.getByText("revoked", { exact: true }).waitFor()
  assert.strictEqual(sent, 1)
})

it("a change that cannot be sent without a network is reported, and can be tried again", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  await go(page, "Keys")
  await page.context().setOffline(true)
  const create = page.getByRole("button", { name: "Create a test key" })
  await create.click()
  const form = page.getByRole("form", { name: "New key" })
  await form.getByRole("alert").getByText("The server could not be reached.").waitFor()
  await page.getByRole("button", { name: "Sign out" }).click()
  await page.getByText("Signing out failed.").first().waitFor()
  await page.context().setOffline(false)
  await create.click()
  await page.getByText("The key was created.").waitFor()
  dashboard.violations.errors.length = 0
  assert.isTrue(await page.getByRole("button", { name: "Sign out" }).isEnabled())
})

it("data that could not be read again is marked as old, and is read again on demand", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  await go(page, "Playground")
  await page.getByText("100,000").waitFor()
  const refusal = { error: { code: "internal_error", message: "An unexpected error occurred." }, request_id: "r" }
  await page.route("**/v1/wallet", (route) => route.fulfill({ status: 500, json: refusal }))
  const form = page.getByRole("form", { name: "Check" })
  await form.getByLabel("Question").fill("best running shoes [[sandbox:answer]]")
  await form.getByLabel("Brand", { exact: true }).fill("Nike")
  await form.getByRole("button", { name: "Run the check" }).click()
  await page.getByText("100,000 credits when last read").waitFor()
  await go(page, "Usage")
  const main = page.getByRole("main")
  const old = main.getByRole("alert").getByText("This data was loaded earlier and may be out of date.")
  await old.waitFor()
  await page.unroute("**/v1/wallet")
  await main.getByRole("button", { name: "Try again" }).click()
  await page.getByText("99,850 credits", { exact: true }).waitFor()
  assert.strictEqual(await old.count(), 0)
  dashboard.violations.errors.length = 0
})

it("data that is missing without a network arrives by itself once the network is back", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  await go(page, "Checks")
  await page.getByText("Nothing has been checked yet.").waitFor()
  await page.context().setOffline(true)
  const form = page.getByRole("form", { name: "Filter checks" })
  await form.getByLabel("Brand").fill("Nike")
  await form.getByRole("button", { name: "Show" }).click()
  await page.getByRole("alert").getByText("The server could not be reached.").waitFor()
  await page.context().setOffline(false)
  await page.getByText("No check matches these filters.").waitFor()
  assert.strictEqual(await page.getByRole("alert").count(), 0)
  dashboard.violations.errors.length = 0
})

it("a change without an answer is given up and may have been made, and is made once when it is sent again", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await dashboard.signIn(key)
  const dialog = await fillWatch(page, "https://hooks.example.com/")
  await page.route("**/v1/watch", (route) => (route.request().method() === "POST" ? route.fetch() : route.continue()))
  const create = dialog.getByRole("button", { name: "Create watch" })
  await create.click()
  const doubt =
    "The server has not answered in time. It is not known whether this was done. Sent again as it is, it is done once."
  await dialog.getByRole("alert").getByText(doubt).waitFor({ timeout: 60_000 })
  await page.unroute("**/v1/watch")
  await create.click()
  await dialog.getByText("The watch was created.").waitFor()
  assert.lengthOf((await call(`${dashboard.base}/v1/watch`, { key })).body.watches, 1)
  dashboard.violations.errors.length = 0
})

/** Holds back requests for the session until the returned function is called. */
const holdSession = async (page: Page) => {
  const held = Promise.withResolvers<void>()
  await page.route("**/session", async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}

it("a change made before the session is known is sent once it is known", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  await go(page, "Keys")
  const arrive = await holdSession(page)
  await page.reload()
  await page.getByRole("button", { name: /^Create a/ }).click()
  const asked = page.waitForRequest((request) => request.method() === "POST")
  await page.getByText("Creating…").waitFor()
  arrive()
  await page.getByText("The key was created.").waitFor()
  assert.isDefined((await asked).headers()["x-csrf-token"])
})

it("a streamed call waits for the session too, fails with the session's failure, and can be sent again", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  await go(page, "Playground")
  await page.route("**/session", (route) => route.abort())
  await page.reload()
  const form = page.getByRole("form", { name: "Check" })
  await form.getByLabel("Question").fill("best running shoes [[sandbox:answer]]")
  await form.getByLabel("Brand", { exact: true }).fill("Nike")
  await form.getByRole("button", { name: "Run the check" }).click()
  await page.getByRole("alert").getByText("The server could not be reached.").waitFor()
  await page.unroute("**/session")
  const arrive = await holdSession(page)
  await page.getByRole("button", { name: "Try again" }).click()
  const sent = page.waitForRequest("**/v1/check")
  await page.getByText("Asking…").waitFor()
  arrive()
  assert.isDefined((await sent).headers()["x-csrf-token"])
  await page.getByText("The answer is there.").waitFor({ state: "attached" })
  dashboard.violations.errors.length = 0
})

/** Answers `GET /v1/deliveries` with `count` pages of one delivery each, which is pending until `end`. */
const pendingPages = async (page: Page, count: number) => {
  let status: "pending" | "delivered" = "pending"
  let readings = 0
  const delivery = (n: number): DeliveryList["deliveries"][number] => ({
    id: `01990000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    event: "ask.completed",
    url: "https://hooks.example.com/",
    status,
    created_at: "2026-11-21T10:00:00.000Z",
    next_attempt_at: null
  })
  await page.route("**/v1/deliveries**", async (route) => {
    const n = Number(new URL(route.request().url()).searchParams.get("cursor") ?? 1)
    if (n === 1) readings++
    const next_cursor = n < count ? String(n + 1) : null
    const json: DeliveryList = { request_id: "r", deliveries: [delivery(n)], next_cursor }
    await route.fulfill({ json })
  })
  return { readings: () => readings, end: () => void (status = "delivered") }
}

/** When the list was read, by the page's own clock, so that delays of this process do not count. */
const readAt = (page: Page) =>
  page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => /\/v1\/deliveries(?!.*cursor=)/.test(name))
      .map(({ startTime }) => startTime)
  )

it("a list with a pending row is read again, and less often the more pages it has, so that the rate of calls stays the same", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  const { end } = await pendingPages(page, 3)
  await go(page, "Webhooks")
  const log = page.getByRole("main")
  const table = log.getByRole("table", { name: "Deliveries" })
  await log.getByRole("button", { name: "Show more" }).click()
  await log.getByText("2 rows").waitFor()
  await log.getByRole("button", { name: "Show more" }).click()
  await log.getByText("3 rows").waitFor()
  const before = (await readAt(page)).length
  await waitUntil("two more readings", async () => (await readAt(page)).length >= before + 2)
  end()
  const [first = 0, second = 0] = (await readAt(page)).slice(before)
  assert.isAbove(second - first, 6000)
  await table.getByText("delivered").nth(2).waitFor({ timeout: 30_000 })
})

it("a list to which the user comes back is read again, after a longer time the more pages it has", async () => {
  const page = await dashboard.signIn((await dashboard.newCustomer()).key)
  const { readings, end } = await pendingPages(page, 3)
  end()
  await go(page, "Webhooks")
  for (const rows of [2, 3]) {
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByText(`${rows} rows`, { exact: true }).waitFor()
  }
  const now = Date.now()
  const comeBack = async (seconds: number) => {
    await page.clock.setFixedTime(now + seconds * 1000)
    const wallet = page.waitForResponse("**/v1/wallet")
    await page.evaluate(() => globalThis.dispatchEvent(new Event("visibilitychange")))
    await wallet
  }
  const before = readings()
  await comeBack(30)
  assert.strictEqual(readings(), before)
  await comeBack(75)
  await waitUntil("the list is read again", () => readings() > before)
})

/** Runs in the page before the page's own code: counts the dates that are formatted. */
const countMoments = () => {
  const format = Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, "format")
  let count = 0
  Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
    configurable: true,
    get() {
      count++
      return format?.get?.call(this)
    }
  })
  Reflect.set(globalThis, "momentsSince", () => {
    const counted = count
    count = 0
    return counted
  })
}

it("the existing rows of a list are not drawn again with a further page", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await dashboard.open()
  await page.addInitScript(countMoments)
  await page.reload()
  await enter(page, key)
  const { end } = await pendingPages(page, 12)
  end()
  await go(page, "Webhooks")
  const drawn = () => page.evaluate(() => Number(Reflect.get(globalThis, "momentsSince")()))
  const counts: Array<number> = []
  for (let rows = 2; rows <= 12; rows++) {
    await drawn()
    await page.getByRole("button", { name: "Show more" }).click()
    await page.getByText(`${rows} rows`, { exact: true }).waitFor()
    counts.push(await drawn())
  }
  assert.isAbove(Math.min(...counts), 0)
  assert.strictEqual(counts.at(-1), counts[0])
})
