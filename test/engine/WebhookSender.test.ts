/**
 * The sender with many deliveries: a hanging receiver delays no other, a single delivery is sent at once, and a shutdown leaves no
 * attempt unrecorded.
 *
 * Planted faults, each seen red: no wait at the end; no polling without an announcement; nothing redacted; attempts not counted, also
 * not those of an account.
 */
import { Effect, Layer, ManagedRuntime, Metric } from "effect"
import { SqlClient } from "effect/sql"
import { afterEach, assert, beforeAll, it } from "vitest"
import { announceDeliveries } from "@sightline/engine/DeliveryNotice"
import * as Postgres from "@sightline/store/Postgres"
import { makeDatabase } from "../store/database.ts"
import { attemptRows, deliveryRow, newEndpoint, write, writeForWatch } from "../store/deliveries.ts"
import { waitFor, waitUntil } from "../http/waiting.ts"
import { type Behaviour, type Receiver, startReceiver, trustReceivers } from "./receivers.ts"
import { layerSender } from "./sending.ts"

type Address = Effect.Success<typeof makeDatabase>

const makeRuntime = (receivers: ReadonlyMap<string, Receiver>, address: Address) =>
  ManagedRuntime.make(
    layerSender(receivers).pipe(
      Layer.provideMerge(Postgres.layerMigrations),
      Layer.provideMerge(Postgres.layer(address))
    )
  )

let open: ReadonlyArray<() => unknown> = []
afterEach(async () => {
  for (const close of open) await close()
  open = []
})
beforeAll(trustReceivers)

const world = async (behaviours: Readonly<Record<string, Behaviour>>) => {
  const receivers = new Map<string, Receiver>()
  for (const [name, behaviour] of Object.entries(behaviours)) {
    receivers.set(`${name}.acme.com`, await startReceiver(`${name}.acme.com`, [behaviour]))
  }
  const address = await Effect.runPromise(makeDatabase)
  const runtime = makeRuntime(receivers, address)
  open = [() => receivers.forEach((receiver) => receiver.close()), () => runtime.dispose()]
  const receiver = (name: string) => receivers.get(`${name}.acme.com`) ?? assert.fail(`no receiver ${name}`)
  const endpoint = (name: string) => runtime.runPromise(newEndpoint(receiver(name).url))
  return { address, endpoint, receiver, runtime }
}

const ok: Behaviour = { tls: "valid", steps: [{ respond: { status: 200 } }] }
const hanging: Behaviour = { tls: "valid", steps: [{ hang: true }] }

it("5,000 deliveries to a hanging receiver take 10 connections and delay no other receiver", async () => {
  const healthy = Array.from({ length: 50 }, (_, place) => `healthy-${place}`)
  const { endpoint, receiver, runtime } = await world({
    hanging,
    ...Object.fromEntries(healthy.map((name) => [name, ok]))
  })
  const [stuck, ...endpoints] = [await endpoint("hanging"), ...(await Promise.all(healthy.map(endpoint)))]
  await runtime.runPromise(Effect.andThen(write(stuck, 5000), announceDeliveries))
  await waitUntil("the hanging receiver is called", () => receiver("hanging").received.length === 10)
  for (const one of endpoints) await runtime.runPromise(Effect.andThen(write(one), announceDeliveries))
  await waitUntil("all others are told", () => healthy.every((name) => receiver(name).received.length === 1))
  // None of the ten has ended, or the next of the 5,000 would have been sent.
  assert.strictEqual(receiver("hanging").connections, 10)
  assert.strictEqual(receiver("hanging").received.length, 10)
  const [row] = await runtime.runPromise(
    SqlClient.SqlClient.use(
      (sql) => sql<{ begun: bigint }>`
        SELECT count(*) AS begun FROM deliveries WHERE webhook_id = ${stuck.id} AND lease_expires_at IS NOT NULL`
    )
  )
  assert.strictEqual(row?.begun, 10n)
})

it("150 watches of one account with a hanging receiver take 50 connections and delay no other account", async () => {
  const { endpoint, receiver, runtime } = await world({ hanging, other: ok })
  const { url } = receiver("hanging")
  const { accountId } = await runtime.runPromise(writeForWatch(url))
  const watches = Effect.forEach(Array.from({ length: 149 }), () => writeForWatch(url, true, accountId))
  await runtime.runPromise(Effect.andThen(watches, announceDeliveries))
  await waitUntil("the hanging receiver is called", () => receiver("hanging").received.length >= 50)
  // More of the account's watches than one step reads: the second step has to count the first one's attempts.
  await runtime.runPromise(Effect.andThen(write(await endpoint("other")), announceDeliveries))
  await waitUntil("the other is told", () => receiver("other").received.length === 1)
  const [row] = await runtime.runPromise(
    SqlClient.SqlClient.use(
      (sql) => sql<{ begun: bigint }>`
        SELECT count(*) AS begun FROM deliveries WHERE account_id = ${accountId} AND lease_expires_at IS NOT NULL`
    )
  )
  assert.strictEqual(row?.begun, 50n)
})

it("deliveries that were never announced are found", async () => {
  const { endpoint, receiver, runtime } = await world({ one: ok })
  await runtime.runPromise(write(await endpoint("one")))
  await waitUntil("it is received", () => receiver("one").received.length === 1)
  assert.strictEqual(receiver("one").connections, 1)
})

it("when its scope closes it waits for attempts under way, records their ends and begins no more", async () => {
  const slow: Behaviour = { tls: "valid", steps: [{ wait_ms: 500 }, { respond: { status: 200 } }] }
  const { address, endpoint, receiver, runtime } = await world({ slow, other: ok })
  const [first, second] = [await endpoint("slow"), await endpoint("other")]
  const [delivery = ""] = await runtime.runPromise(write(first))
  await waitUntil("it is received", () => receiver("slow").received.length === 1)
  const isOver = runtime.dispose()
  const looking = ManagedRuntime.make(Postgres.layer(address))
  const [late = ""] = await looking.runPromise(write(second))
  await isOver
  assert.deepInclude(await looking.runPromise(deliveryRow(delivery)), { status: "delivered", attempts: 1 })
  assert.deepInclude(await looking.runPromise(deliveryRow(late)), { status: "pending", attempts: 0 })
  await looking.dispose()
})

it("the attempts of a delivery record the receiver's response, redacted", async () => {
  const body = "\u0000ugly\u0000 lvk_test_0123456789 {{SIG}}"
  const { endpoint, receiver, runtime } = await world({
    ugly: { tls: "valid", steps: [{ respond: { status: 418, body } }] },
    kind: ok
  })
  const [delivery = ""] = await runtime.runPromise(write(await endpoint("ugly")))
  const [other = ""] = await runtime.runPromise(write(await endpoint("kind")))
  await runtime.runPromise(announceDeliveries)
  const endOf = (id: string) =>
    waitFor("its end is written", async () => {
      const [row] = await runtime.runPromise(attemptRows(id))
      return row?.durationMs === null ? undefined : row
    })
  const [told] = [await endOf(delivery), await endOf(other)]
  assert.lengthOf(receiver("ugly").received, 1)
  assert.deepInclude(told, {
    statusCode: 418,
    error: "http_418",
    responseExcerpt: `\uFFFDugly\uFFFD ${"*".repeat(19)} ${"*".repeat(64)}`
  })
  const counted = (await runtime.runPromise(Metric.snapshot)).flatMap(({ attributes, id, state }) =>
    id === "sightline_delivery_attempt_duration_seconds" ? [[attributes?.["outcome"], Reflect.get(state, "count")]] : []
  )
  assert.deepInclude(counted, ["http_4xx", 1])
  assert.include(
    counted.map(([outcome]) => outcome),
    "delivered"
  )
})
