/**
 * Senders that die: real processes on one database, with real requests. Leases are moved past their end in the database while no sender
 * runs. `CHAOS_KILLS` is how often the sender is killed, with a hundred deliveries per kill.
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql"
import { type ChildProcess, spawn } from "node:child_process"
import { createServer, type Server } from "node:https"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, it } from "vitest"
import { Accounts } from "@sightline/store/Accounts"
import * as Postgres from "@sightline/store/Postgres"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { makeDatabase } from "../store/database.ts"
import { endpointOf, key, newEndpoint, pass, write } from "../store/deliveries.ts"
import { certificatePath, home, identity } from "../engine/receivers.ts"
import { waitUntil } from "../http/waiting.ts"
import { compiled } from "../services/compiled.ts"
import { listen } from "../services/listen.ts"

const kills = Number(process.env["CHAOS_KILLS"] ?? 20)
const endpoints = 40
const deliveries = endpoints * Math.ceil(2.5 * kills)
const timeout = Math.max(20, kills) * 30_000

const arrived: Array<string> = []
let receiver: Server
let url: string
let place: Effect.Success<typeof makeDatabase>
let runtime: ManagedRuntime.ManagedRuntime<Accounts | SqlClient.SqlClient | WebhookEndpoints, unknown>

const makeRuntime = ({ database, socket }: typeof place) =>
  ManagedRuntime.make(
    Layer.merge(Accounts.layer, WebhookEndpoints.layer(key)).pipe(
      Layer.provideMerge(Postgres.layerMigrations),
      Layer.provideMerge(Postgres.layer({ socket, database }))
    )
  )

beforeAll(async () => {
  receiver = createServer(identity, (request, response) => {
    arrived.push(String(request.headers["x-svc-delivery-id"]))
    request.resume()
    // Long enough that many requests are under way when their sender dies.
    setTimeout(() => response.writeHead(200).end(), 20)
  })
  url = `https://${home}:${await listen(receiver, home)}/`
  place = await Effect.runPromise(makeDatabase)
  runtime = makeRuntime(place)
})
afterAll(async () => {
  // A sender left by a failed test would outlive the run and keep its output open.
  for (const sender of senders) sender.kill("SIGKILL")
  receiver.closeAllConnections()
  receiver.close()
  await runtime.dispose()
})

const senders: Array<ChildProcess> = []

const startSender = (): ChildProcess => {
  const program = fileURLToPath(new URL("senderProcess.ts", import.meta.url))
  const sender = spawn(process.execPath, [program, place.socket, place.database], {
    env: { ...process.env, ...compiled, NODE_EXTRA_CA_CERTS: certificatePath },
    stdio: ["ignore", "inherit", "inherit"]
  })
  senders.push(sender)
  return sender
}

const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise<number | null>((resolve) => {
    child.once("exit", (code) => resolve(code))
    child.kill(signal)
  })

/** Polls often, so that kills hit deliveries under way. */
const patience = { within: 180_000, every: 5 }

const pending = () =>
  runtime.runPromise(
    SqlClient.SqlClient.use((sql) =>
      Effect.map(sql<{ left: bigint }>`SELECT count(*) AS left FROM deliveries WHERE status = 'pending'`, ([row]) =>
        Number(row?.left)
      )
    )
  )

it(
  `${deliveries} deliveries, their sender killed ${kills} times: none lost, at most 3 requests each, every request has its row`,
  { timeout },
  async () => {
    await runtime.runPromise(
      Effect.gen(function* () {
        const first = yield* newEndpoint(url)
        const others = yield* Effect.forEach(Array.from({ length: endpoints - 1 }), (_, place) =>
          place % 4 === 0 ? newEndpoint(url) : endpointOf(first.wallet.accountId, url)
        )
        for (const endpoint of [first, ...others]) yield* write(endpoint, deliveries / endpoints)
      })
    )
    for (let kill = 0; kill < kills; kill++) {
      const before = arrived.length
      const sender = startSender()
      await waitUntil("some are sent", () => arrived.length >= before + 60, patience)
      await ended(sender, "SIGKILL")
      await runtime.runPromise(pass(31))
      // The next sender finds expired leases, and later the deliveries that waited for their retry.
      await runtime.runPromise(pass(kill % 2 === 0 ? 0 : 400))
    }
    const last = startSender()
    await waitUntil(
      "all are over",
      async () => {
        await runtime.runPromise(
          SqlClient.SqlClient.use(
            (sql) =>
              // Only waiting deliveries, not those the sender holds at this moment: it skips rows that are locked here.
              sql`UPDATE deliveries SET next_attempt_at = clock_timestamp() WHERE id IN (
            SELECT id FROM deliveries WHERE status = 'pending' AND lease_expires_at IS NULL
              AND next_attempt_at > clock_timestamp() FOR UPDATE SKIP LOCKED)`
          )
        )
        return (await pending()) === 0
      },
      patience
    )
    assert.strictEqual(await ended(last, "SIGTERM"), 0)

    const rows = await runtime.runPromise(
      SqlClient.SqlClient.use(
        (sql) => sql<{ id: string; deliveryId: string; error: string | null; status: string }>`
        SELECT a.id, a.delivery_id, a.error, d.status FROM attempts a JOIN deliveries d ON d.id = a.delivery_id`
      )
    )
    const deliveryOf = new Map(rows.map(({ deliveryId, id }) => [id, deliveryId]))
    assert.strictEqual(new Set(deliveryOf.values()).size, deliveries)
    assert.strictEqual(new Set(arrived).size, arrived.length)
    assert.isTrue(arrived.every((id) => deliveryOf.has(id)))

    const requests = Map.groupBy(arrived, (id) => deliveryOf.get(id) ?? "")
    const attempts = Map.groupBy(rows, ({ deliveryId }) => deliveryId)
    for (const [id, made] of attempts) {
      const unknown = made.filter(({ error }) => error === "unknown").length
      assert.isAtMost(made.length, 3)
      // A second request only follows an attempt whose result is unknown.
      assert.isAtMost(requests.get(id)?.length ?? 0, unknown + 1)
      assert.isTrue(made[0]?.status === "delivered" || unknown === 3)
    }
    assert.isAbove(rows.filter(({ error }) => error === "unknown").length, 0)
  }
)
