import { afterAll, beforeAll } from "vitest"
import { manyChecks } from "../http/manyChecks.ts"
import { call } from "../http/program.ts"
import { receiving, secret, startReceiver } from "../http/watching.ts"
import { type Dashboard, useDashboard } from "./dashboard.ts"
import { waitFor } from "../http/waiting.ts"

/** The resources that give every page something to show. */
interface Populated {
  readonly key: string
  readonly check: string
  readonly watch: string
  readonly webhook: string
  readonly delivery: string
}

/** The pair with checks from many days. */
export const followed = { brand: "HubSpot", query: "best crm for a small company" }

/** A customer who has used every feature for a while. */
const populate = async (
  dashboard: Dashboard,
  receivers: Awaited<ReturnType<typeof startReceiver>>
): Promise<Populated> => {
  const { account: accountId, key } = await dashboard.newCustomer()
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read whatever the body should hold
  const send = async (path: string, body?: object): Promise<any> => {
    const answer = await call(`${dashboard.base}/v1${path}`, { key, ...(body && { body }) })
    if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
    return answer.body
  }
  const url = dashboard.env["DATABASE_URL"] ?? ""
  await manyChecks(url, { accountId, environment: "test", ...followed, checks: 120, days: 30 })
  await send("/check", { query: "best crm [[sandbox:openai:status=500]]", brand: "HubSpot" })
  const { id: check } = await send("/check", { query: "best running shoes [[sandbox:answer]]", brand: "Nike" })
  const receiver = receivers.next()
  const { id: watch } = await send("/watch", {
    query: "best running shoes [[sandbox:answer]]",
    brand: "Nike",
    mode: "quick",
    interval: "daily",
    webhook_url: receiver.url,
    webhook_secret: secret
  })
  await send(`/watch/${watch}/run`, {})
  const told = receivers.next()
  const { webhook } = await send("/webhooks", { url: told.url, description: "Where asks are told of" })
  await send("/ask", { prompt: "best crm [[sandbox:answer]]", async: true, webhook_id: webhook.id })
  const delivery = await waitFor("the deliveries", async () => {
    const { deliveries } = await send("/deliveries?status=delivered")
    return deliveries.length === 2 ? String(deliveries[0].id) : undefined
  })
  return { key, check, watch, webhook: webhook.id, delivery }
}

/** A dashboard for the tests of a file, and a customer who has used every feature, created before they run. */
export const usePopulated = () => {
  const dashboard = useDashboard(async () => receiving)
  let receivers: Awaited<ReturnType<typeof startReceiver>>
  let populated: Populated
  beforeAll(async () => {
    receivers = await startReceiver()
    populated = await populate(dashboard, receivers)
  }, 120_000)
  afterAll(() => receivers.stop())
  return { dashboard, customer: () => populated }
}

/** Every page by its name, for a customer who has used every feature. */
export const pagesOf = ({
  check,
  delivery,
  watch,
  webhook
}: Populated): ReadonlyArray<readonly [name: string, path: string]> => [
  ["overview", "/"],
  ["playground", "/playground"],
  ["checks", "/checks"],
  ["check", `/checks/${check}`],
  ["watches", "/watches"],
  ["watch", `/watches/${watch}`],
  ["webhooks", "/webhooks"],
  ["webhook", `/webhooks/${webhook}`],
  ["delivery", `/deliveries/${delivery}`],
  ["usage", "/usage"],
  ["billing", "/billing"],
  ["health", "/health"],
  ["keys", "/keys"],
  ["not-found", "/nowhere"]
]
