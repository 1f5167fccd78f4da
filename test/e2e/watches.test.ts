/**
 * The watches' main job: to create one, run it now, read what changed, pause and resume it.
 *
 * Planted and seen red: a pause that runs the watch.
 */
import { afterAll, assert, beforeAll, beforeEach, it } from "vitest"
import { call } from "../http/program.ts"
import { awayFromSlots, receiving, startReceiver } from "../http/watching.ts"
import { fillWatch, go, useDashboard } from "./dashboard.ts"

const dashboard = useDashboard(async () => receiving)

let receivers: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => void (receivers = await startReceiver()))
beforeEach(awayFromSlots)
afterAll(() => receivers.stop())

it("is created with its cost in view, run at once, read, paused and resumed", { timeout: 120_000 }, async () => {
  const { key } = await dashboard.newCustomer()
  const receiver = receivers.next()
  const page = await dashboard.signIn(key)
  await go(page, "Watches")
  await page.getByText("No watches yet.").waitFor()
  await page.getByRole("button", { name: "New watch" }).click()
  const dialog = page.getByRole("dialog", { name: "New watch" })
  await dialog.getByLabel("Question").fill("best running shoes [[sandbox:answer]]")
  await dialog.getByLabel("Brand").fill("Nike")
  await dialog.getByLabel("Interval").selectOption("hourly")
  await dialog.getByText("A run costs up to 150 credits.").waitFor()
  await dialog.getByLabel("Webhook URL").fill(receiver.url)
  const secret = await dialog.getByLabel("Webhook secret").inputValue()
  assert.match(secret, /^[0-9a-f]{64}$/)
  await dialog.getByRole("button", { name: "Create watch" }).click()
  await dialog.getByText("The watch was created.").waitFor()
  assert.strictEqual(await dialog.getByLabel("Webhook secret").inputValue(), secret)
  await dialog.getByRole("button", { name: "Done" }).click()
  await dialog.waitFor({ state: "detached" })
  await page
    .getByRole("table", { name: "Watches" })
    .getByRole("link", { name: /^best running shoes/ })
    .click()

  await page.getByText("It has not run yet.").waitFor()
  await page.getByRole("button", { name: "Run now" }).click()
  const question = page.getByRole("alertdialog", { name: "Run this watch now?" })
  await question.getByText("It costs up to 150 credits").waitFor()
  await question.getByRole("button", { name: "Run now" }).click()
  const run = page.getByRole("region", { name: "Runs" }).getByRole("table").getByRole("row").nth(1)
  await run.getByText("completed").waitFor()
  await run.getByText("mention added").waitFor()
  await run.getByText("delivered").waitFor({ timeout: 60_000 })
  assert.strictEqual(receiver.received().length, 1)
  await run.getByRole("link", { name: "Answers" }).waitFor()

  await page.getByRole("button", { name: "Pause" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Pause" }).click()
  await page.getByText("none while it is paused").waitFor()
  await page.getByRole("button", { name: "Resume" }).click()
  await page.getByRole("alertdialog").getByText("A run costs up to 150 credits").waitFor()
  await page.getByRole("alertdialog").getByRole("button", { name: "Resume" }).click()
  await page.getByRole("button", { name: "Run now" }).waitFor()
  await run.getByRole("link", { name: "Answers" }).click()
  await page.getByRole("heading", { level: 1, name: "Check of Nike" }).waitFor()
})

it("with an invalid field is refused at that field, and not created", async () => {
  const { key } = await dashboard.newCustomer()
  const page = await dashboard.signIn(key)
  const dialog = await fillWatch(page, "https://10.0.0.1/in")
  await dialog.getByRole("button", { name: "Create watch" }).click()
  await dialog.getByRole("alert").waitFor()
  assert.strictEqual(await dialog.getByLabel("Webhook URL").getAttribute("aria-invalid"), "true")
  assert.lengthOf((await call(`${dashboard.base}/v1/watch`, { key })).body.watches, 0)
  await page.keyboard.press("Escape")
  await dialog.waitFor({ state: "detached" })
  // After the dialog is gone, and not together with it.
  await page.waitForFunction(() => document.activeElement?.textContent === "New watch")
})
