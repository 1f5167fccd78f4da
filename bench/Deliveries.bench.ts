/**
 * What deliveries cost: from the statement that writes 20,000 of them, due at once to 50 endpoints of 10 accounts, until the last
 * one is received. Each is claimed, its attempt committed, signed both ways, sent over TLS, and its outcome recorded, on Postgres
 * with fsync and NATS.
 *
 * Unit: deliveries per second, the median of alternating rounds. The limit is a loop in memory that posts the same bytes with
 * `undici` to the same receiver over 64 connections that stay open; the peer is a plain outbox (`Outbox.ts`) over the same
 * connections. The last row is how long after its commit a lone delivery is received by an idle sender, at p50.
 */
import { Duration, Effect, Layer, Logger, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { fork } from "node:child_process"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { Agent } from "undici"
import { Nats } from "@sightline/actor/Nats"
import * as NatsBus from "@sightline/actor/NatsBus"
import { AccountId } from "@sightline/domain/Account"
import { Egress } from "@sightline/egress/Egress"
import { announceDeliveries } from "@sightline/engine/DeliveryNotice"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { Attempts } from "@sightline/store/Attempts"
import * as Postgres from "@sightline/store/Postgres"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { startNats } from "../test/services/nats.ts"
import { type Bench, median, percentile, type Row } from "./Bench.ts"
import { createOutbox, sendFromOutbox } from "./Outbox.ts"
import { onPostgres } from "./OwnPostgres.ts"

const perRound = 20_000
const rounds = 3
const accounts = 10
const endpointsEach = 5
const connections = 64
const lone = 101
const loneMax = 15

const certificate = readFileSync(new URL("../test/fixtures/egress/receiver.crt", import.meta.url), "utf8")
const body = JSON.stringify({ id: randomUUID(), type: "ask.completed", data: { content: "planora ".repeat(120) } })

const now = () => performance.timeOrigin + performance.now()

const startReceiver = async () => {
  const child = fork(new URL("DeliveryReceiver.ts", import.meta.url))
  const next = () =>
    new Promise<number>((resolve) => {
      child.once("message", (value) => resolve(Number(value)))
    })
  const port = await next()
  return {
    url: `https://127.0.0.1:${port}/in`,
    /** The time at which this many more deliveries have been received. */
    expect: (count: number) => {
      const done = next()
      child.send(count)
      return done
    },
    stop: () => child.kill()
  }
}

type Receiver = Awaited<ReturnType<typeof startReceiver>>

const makeRuntime = (socket: string, nats: string) => {
  const key = Redacted.make(new Uint8Array(32))
  const retryDelays = [Duration.seconds(60), Duration.seconds(300)] as const
  return ManagedRuntime.make(
    WebhookSender.layer.pipe(
      Layer.provideMerge(
        Layer.mergeAll(
          Attempts.layer({ key, retryDelays }),
          WebhookEndpoints.layer(key),
          Layer.provide(NatsBus.layer, Nats.layer({ servers: nats })),
          Egress.layer({ allow: ["127.0.0.0/8"] })
        )
      ),
      Layer.provideMerge(Postgres.layerMigrations),
      Layer.provideMerge(Postgres.layer({ socket })),
      Layer.merge(Logger.layer([]))
    )
  )
}

/** The endpoints that deliveries go to. */
const seed = Effect.fnUntraced(function* (url: string) {
  const sql = yield* SqlClient.SqlClient
  const endpoints = yield* WebhookEndpoints
  for (let account = 0; account < accounts; account++) {
    const wallet = { accountId: AccountId.make(randomUUID()), environment: "live" as const }
    yield* sql`INSERT INTO accounts (id, name) VALUES (${wallet.accountId}, 'bench')`
    for (let endpoint = 0; endpoint < endpointsEach; endpoint++) {
      yield* endpoints.create(wallet, { url, description: null, events: ["ask.completed"], enabled: true })
    }
  }
})

/** Writes `count` deliveries in one statement, to the endpoints in turn, and announces them. */
const enqueue = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
    SELECT gen_random_uuid(), w.account_id, w.environment, 'ask.completed', w.id, gen_random_uuid(), w.url,
      ${Buffer.from(body)}::bytea, 'pending', clock_timestamp(), clock_timestamp()
    FROM generate_series(1, ${count}::integer) AS i
    JOIN (SELECT *, row_number() OVER (ORDER BY id) AS place FROM webhook_endpoints) w
      ON w.place = 1 + i % ${accounts * endpointsEach}::integer`
  yield* announceDeliveries
})

const bare = async ({ expect, url }: Receiver, agent: Agent): Promise<number> => {
  const { origin, pathname: path } = new URL(url)
  const headers = { "content-type": "application/json" }
  const begun = now()
  const done = expect(perRound)
  let left = perRound
  const worker = async () => {
    while (left-- > 0) {
      const answer = await agent.request({ origin, path, method: "POST", headers, body })
      await answer.body.dump()
    }
  }
  await Promise.all(Array.from({ length: connections }, worker))
  return (perRound / ((await done) - begun)) * 1000
}

const outbox = async (runtime: Runtime, { expect, url }: Receiver, agent: Agent): Promise<number> => {
  const begun = now()
  const done = expect(perRound)
  await runtime.runPromise(sendFromOutbox(url, agent, body, perRound))
  return (perRound / ((await done) - begun)) * 1000
}

type Runtime = ReturnType<typeof makeRuntime>

const settled = SqlClient.SqlClient.use(
  (sql) => sql<{ left: bigint }>`SELECT count(*) AS left FROM deliveries WHERE status <> 'delivered'`
)

/** Waits until every outcome is recorded, and clears the tables for the next round. */
const rest = async (runtime: Runtime) => {
  while ((await runtime.runPromise(settled))[0]?.left !== 0n) await setTimeout(20)
  await runtime.runPromise(
    SqlClient.SqlClient.use((sql) => Effect.andThen(sql`TRUNCATE deliveries, attempts`, sql`CHECKPOINT`))
  )
}

const throughput = async (runtime: Runtime, receiver: Receiver): Promise<ReadonlyArray<Row>> => {
  const agent = new Agent({ connections, connect: { ca: certificate }, allowH2: false })
  const values: Array<number> = []
  const peers: Array<number> = []
  const limits: Array<number> = []
  await runtime.runPromise(createOutbox)
  // The first round warms up code, plans and connections, and is not counted.
  for (let round = 0; round <= rounds; round++) {
    const limit = await bare(receiver, agent)
    const begun = now()
    const done = receiver.expect(perRound)
    await runtime.runPromise(enqueue(perRound))
    const value = (perRound / ((await done) - begun)) * 1000
    await rest(runtime)
    const peer = await outbox(runtime, receiver, agent)
    if (round === 0) continue
    limits.push(limit)
    values.push(value)
    peers.push(peer)
  }
  await agent.close()
  const limit = median(limits)
  const row = (subject: string, value: number, target: number): Row => {
    return { subject, unit: "deliveries/s", value, limit, ratio: value / limit, target }
  }
  return [
    row("20,000 deliveries to 50 endpoints, last one received", median(values), 0.6),
    row("peer: a plain outbox", median(peers), 0)
  ]
}

const latency = async (runtime: Runtime, receiver: Receiver): Promise<Row> => {
  const waits: Array<number> = []
  for (let turn = 0; turn < lone; turn++) {
    const done = receiver.expect(1)
    await runtime.runPromise(enqueue(1))
    const begun = now()
    waits.push((await done) - begun)
    await rest(runtime)
  }
  const value = percentile(waits, 0.5)
  const subject = "a lone delivery received after its commit, p50"
  return { subject, unit: "ms", value, limit: loneMax, ratio: loneMax / value, target: 1 }
}

const measure = async (socket: string): Promise<ReadonlyArray<Row>> => {
  setDefaultCACertificates([...getCACertificates("default"), certificate])
  const [receiver, nats] = [await startReceiver(), await startNats()]
  const runtime = makeRuntime(socket, nats.url)
  try {
    await runtime.runPromise(seed(receiver.url))
    return [...(await throughput(runtime, receiver)), await latency(runtime, receiver)]
  } finally {
    await runtime.dispose()
    await nats.stop()
    receiver.stop()
  }
}

export const bench: Bench = { name: "deliveries", run: () => onPostgres(measure) }
