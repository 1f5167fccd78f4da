/**
 * The webhooks' main job: endpoints and their secrets, the delivery log, its replay, and a signature checked by hand.
 *
 * Planted and seen red: a replay does not link to its delivery; attempts lack the address they went to; the log can be filtered by the
 * first page of watches only; it is not filtered but says so; a form is emptied by an unrelated change.
 */
import type { Locator } from "playwright-core"
import { afterAll, assert, beforeAll, it } from "vitest"
import { call } from "../http/program.ts"
import { receiving, secret, startReceiver } from "../http/watching.ts"
import { go, useDashboard } from "./dashboard.ts"
import { waitUntil } from "../http/waiting.ts"

const dashboard = useDashboard(async () => receiving)

let receivers: Awaited<ReturnType<typeof startReceiver>>
beforeAll(async () => void (receivers = await startReceiver()))
afterAll(() => receivers.stop())

const secretIn = async (dialog: Locator) => {
  const field = dialog.getByLabel("Signing secret", { exact: true })
  await field.waitFor()
  const secret = await field.inputValue()
  assert.match(secret, /^[0-9a-f]{64}$/)
  await dialog.getByRole("button", { name: "Done" }).click()
  await dialog.waitFor({ state: "detached" })
  return secret
}

it(
  "an endpoint is created, notified, rotated and deleted; its deliveries are logged, replayed and verified",
  { timeout: 180_000 },
  async () => {
    const { key } = await dashboard.newCustomer()
    const receiver = receivers.next()
    const page = await dashboard.signIn(key)
    await go(page, "Webhooks")
    await page.getByRole("button", { name: "New endpoint" }).click()
    const dialog = page.getByRole("dialog", { name: "New endpoint" })
    await dialog.getByLabel("URL").fill(receiver.url)
    await dialog.getByLabel("Description").fill("Where asks are told of")
    await dialog.getByRole("button", { name: "Create endpoint" }).click()
    const secret = await secretIn(dialog)
    await page.getByRole("table", { name: "Endpoints" }).getByText("Where asks are told of").waitFor()

    // A notification of an ask, failing at first, so that there are attempts to show.
    receiver.fail()
    const { webhooks } = (await call(`${dashboard.base}/v1/webhooks`, { key })).body
    const ask = { prompt: "best crm [[sandbox:answer]]", async: true, webhook_id: webhooks[0].id }
    assert.strictEqual((await call(`${dashboard.base}/v1/ask`, { key, body: ask })).status, 202)
    // The log is not read again by itself where nothing is pending.
    await waitUntil("three attempts", async () => {
      const { deliveries } = (await call(`${dashboard.base}/v1/deliveries?status=failed`, { key })).body
      return deliveries.length === 1
    })
    receiver.recover()
    await page.reload()
    const log = page.getByRole("region", { name: "Deliveries" })
    await log.getByLabel("Status").selectOption("failed")
    const failed = log.getByRole("table").getByRole("row").nth(1)
    await failed.getByText("failed").waitFor()
    await failed.getByRole("link").click()
    const attempts = page.getByRole("region", { name: "Attempts" }).getByRole("table").getByRole("row")
    await attempts.nth(3).getByText("http_503").waitFor()
    await attempts.nth(3).getByText(new URL(receiver.url).hostname, { exact: true }).waitFor()
    assert.strictEqual(await attempts.count(), 4)

    const before = page.url()
    await page.getByRole("button", { name: "Replay" }).click()
    await page.waitForURL((url) => url.href !== before)
    await page.getByRole("region", { name: "This delivery" }).getByText("delivered").waitFor()
    const again = receiver.received().at(-1)
    assert.strictEqual(again?.body, receiver.received()[0]?.body)

    await go(page, "Webhooks")
    const verify = async (by: string, header: string) => {
      const form = page.getByRole("form", { name: "Verify a signature" })
      await form.getByLabel("Raw body").fill(again?.body ?? "")
      await form.getByLabel("Secret").fill(by)
      await form.getByLabel("Signature header").fill(header)
      await form.getByRole("button", { name: "Verify" }).click()
    }
    const result = page.getByRole("status", { name: "Result of the verification" })
    await verify(secret, String(again?.headers["x-svc-signature"]))
    await result.getByText("The signature is right.").waitFor()
    await verify(`${secret}x`, String(again?.headers["x-svc-signature"]))
    await result.getByText("The signature is wrong.").waitFor()
    await verify(secret, String(again?.headers["x-svc-signature-legacy"]))
    await result.getByText("The signature is right and fresh.").waitFor()

    await page.getByRole("table", { name: "Endpoints" }).getByRole("link").click()
    await page.getByRole("button", { name: "Rotate secret" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click()
    assert.notStrictEqual(await secretIn(page.getByRole("dialog", { name: "New signing secret" })), secret)
    await page.getByLabel("Enabled: it receives its events").uncheck()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved.").first().waitFor()
    await page.getByRole("button", { name: "Delete" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete endpoint" }).click()
    await page.getByText("No endpoints yet.").waitFor()
    assert.deepEqual((await call(`${dashboard.base}/v1/webhooks`, { key })).body.webhooks, [])
  }
)

it("what was typed in an endpoint's form stays while its secret is rotated, and goes when another user changes the endpoint", async () => {
  const { key } = await dashboard.newCustomer()
  const body = { url: "https://hooks.example.com/", events: ["ask.completed"] }
  const path = `/webhooks/${(await call(`${dashboard.base}/v1/webhooks`, { key, body })).body.webhook.id}`
  const page = await dashboard.signIn(key, { path })
  const description = page.getByLabel("Description")
  await description.fill("half of a sen")
  await page.getByRole("button", { name: "Rotate secret" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click()
  await secretIn(page.getByRole("dialog", { name: "New signing secret" }))
  assert.strictEqual(await description.inputValue(), "half of a sen")
  const changed = await call(`${dashboard.base}/v1${path}`, { key, method: "PATCH", body: { description: "theirs" } })
  assert.strictEqual(changed.status, 200)
  await page.getByRole("button", { name: "Rotate secret" }).click()
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click()
  await secretIn(page.getByRole("dialog", { name: "New signing secret" }))
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("[name=description]")?.value === "theirs")
  assert.strictEqual(await description.inputValue(), "theirs")
})

it("the log can be filtered by each of many watches, and an unknown state in the address is no filter", async () => {
  const { key } = await dashboard.newCustomer()
  const watches = Array.from({ length: 51 }, (_, n) => ({
    query: `question ${n}`,
    brand: "Nike",
    mode: "quick",
    interval: "daily",
    webhook_url: "https://hooks.example.com/",
    webhook_secret: secret
  }))
  const made = await Promise.all(watches.map((body) => call(`${dashboard.base}/v1/watch`, { key, body })))
  assert.deepEqual(new Set(made.map(({ status }) => status)), new Set([201]))
  const page = await dashboard.signIn(key, { path: "/webhooks?status=gone" })
  const log = page.getByRole("region", { name: "Deliveries" }).first()
  assert.strictEqual(await log.getByLabel("Status").inputValue(), "")
  for (const { body } of made)
    await log.getByLabel("Watch").locator(`option[value="${body.id}"]`).waitFor({ state: "attached" })
})
