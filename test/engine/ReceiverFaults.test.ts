/**
 * Every way in which a receiver can misbehave: scripted TLS receivers on loopback, with the real sender, store and guard. Attempts run
 * in real time; the waits between them are skipped in the database.
 *
 * Planted faults, each seen red: a deadline of 9.9 s; the certificate not checked; the address not recorded before the handshake; the
 * body read until the deadline; a 3xx counted as success; the signature of a body that was parsed and serialised again.
 */
import { Effect, Layer, ManagedRuntime } from "effect"
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { announceDeliveries } from "@sightline/engine/DeliveryNotice"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "../store/database.ts"
import { attemptRows, deliveryRow, newEndpoint, passFor, write } from "../store/deliveries.ts"
import { type Behaviour, home, type Receiver, startReceiver, trustReceivers } from "./receivers.ts"
import { layerSender } from "./sending.ts"

interface Case {
  readonly id: string
  readonly category: string
  readonly name: string
  readonly attempts: ReadonlyArray<Behaviour>
  readonly payload_bytes?: number
  readonly expect: {
    readonly outcome: "delivered" | "failed"
    readonly attempts?: number
    readonly attempt_reason?: string
    readonly attempt_reasons?: ReadonlyArray<string>
    readonly reason?: string
    readonly max_attempt_ms?: number
    readonly request_bytes_sent_after_handshake?: number
    readonly stored_body_must_not_contain?: ReadonlyArray<string>
  }
}

const corpus: { readonly cases: ReadonlyArray<Case> } = JSON.parse(
  readFileSync(new URL("../fixtures/egress/receiver-faults.json", import.meta.url), "utf8")
)

// A killed sender and a crowd of accounts have tests of their own.
const cases = corpus.cases.filter(({ id }) => id !== "recv-57" && id !== "recv-62")

/** The result of a case. */
interface Story {
  readonly receiver: Receiver
  readonly secret: string
  readonly body: string
  readonly delivery: Effect.Success<ReturnType<typeof deliveryRow>>
  readonly rows: Effect.Success<ReturnType<typeof attemptRows>>
  readonly waits: ReadonlyArray<number>
}

const receivers = new Map<string, Receiver>()
const stories = new Map<string, Story>()

const runtime = ManagedRuntime.make(layerSender(receivers).pipe(Layer.provideMerge(layerDatabase)))

const tick = () => new Promise((resolve) => setTimeout(resolve, 25))

const tell = async ({ attempts, id, payload_bytes: bytes = 10 }: Case): Promise<Story> => {
  const name = `${id}.acme.com`
  let remove: () => Promise<unknown> = tick
  const receiver = await startReceiver(name, attempts, () => remove())
  receivers.set(name, receiver)
  const { secret, ...endpoint } = await runtime.runPromise(newEndpoint(receiver.url))
  remove = () => runtime.runPromise(WebhookEndpoints.use((store) => store.remove(endpoint.wallet, endpoint.id)))
  // With whitespace, so that parsing and serialising it gives another body.
  const body = JSON.stringify({ text: "🙂\u2028</script>", n: 1, filler: "z".repeat(bytes) }, null, 1)
  const [deliveryId = ""] = await runtime.runPromise(write(endpoint, 1, body))
  await runtime.runPromise(announceDeliveries)

  const waits: Array<number> = []
  for (;;) {
    const delivery = await runtime.runPromise(deliveryRow(deliveryId))
    if (delivery.status !== "pending") {
      const rows = await runtime.runPromise(attemptRows(deliveryId))
      return { receiver, secret, body, delivery, rows, waits }
    }
    if (!delivery.leased && (delivery.waits ?? 0) > 5) {
      waits.push(delivery.waits ?? 0)
      await runtime.runPromise(passFor(deliveryId, 301))
    }
    await tick()
  }
}

beforeAll(async () => {
  trustReceivers()
  await Promise.all(cases.map(async (each) => stories.set(each.id, await tell(each))))
}, 300_000)

afterAll(async () => {
  for (const receiver of receivers.values()) receiver.close()
  await runtime.dispose()
})

/** How long a receiver may take, less the fractions of a millisecond that clocks and timers round off. */
const deadlineMillis = 9990

/** What a busy machine may add to a time. A deadline for each step of an attempt, instead of one for all, would add more. */
const stallMaxMillis = 5000

const storyOf = (id: string): Story => stories.get(id) ?? assert.fail(`nothing is known of ${id}`)

const hmac = (secret: string, ...parts: ReadonlyArray<string | Buffer>) =>
  parts.reduce((mac, part) => mac.update(part), createHmac("sha256", secret)).digest("hex")

/** The errors of attempts that get no connection. */
const unconnected = new Set(["blocked_address", "dns_error", "connection_refused"])

describe.each(cases)("$id $category: $name", ({ expect, id }) => {
  it(`is ${expect.outcome}`, () => {
    const { delivery, rows } = storyOf(id)
    assert.strictEqual(delivery.status, expect.outcome)
    if (expect.attempts !== undefined) assert.lengthOf(rows, expect.attempts)
    if (expect.reason !== undefined) assert.strictEqual(delivery.reason, expect.reason)
    const { attempt_reason: reason, attempt_reasons: reasons = reason === undefined ? [] : rows.map(() => reason) } =
      expect
    if (reasons.length > 0) {
      assert.deepStrictEqual(
        rows.map(({ error }) => error ?? "none"),
        [...reasons]
      )
    }
  })

  it("gives up no attempt before its deadline, ends each by then, and leaves no connection open", async () => {
    const { receiver, rows } = storyOf(id)
    for (const { durationMs, error } of rows) if (error === "timeout") assert.isAtLeast(durationMs ?? 0, deadlineMillis)
    for (const { durationMs } of rows)
      assert.isAtMost(durationMs ?? Number.POSITIVE_INFINITY, (expect.max_attempt_ms ?? 10_500) + stallMaxMillis)
    const until = Date.now() + 60_000
    while (receiver.open.size > 0 && Date.now() < until) await tick()
    assert.strictEqual(receiver.open.size, 0)
  })

  it("records the checked address for each attempt that got a connection, and none for others", () => {
    for (const { error, remoteAddress } of storyOf(id).rows)
      assert.strictEqual(remoteAddress, unconnected.has(error ?? "none") ? null : home)
  })

  it("receives only requests that have a row, each signed over its own bytes", () => {
    const { body, receiver, rows, secret } = storyOf(id)
    const ids = receiver.received.map(({ headers }) => headers["x-svc-delivery-id"] ?? "")
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.includeMembers(
      rows.map((row) => row.id),
      ids
    )
    for (const { at, body: bytes, head, headers } of receiver.received) {
      assert.strictEqual(bytes.toString(), body)
      assert.match(head, /^POST \/hook\?a=1 HTTP\/1\.1\r\n/)
      const seconds = headers["x-svc-timestamp"] ?? ""
      assert.strictEqual(headers["x-svc-signature"], hmac(secret, bytes))
      assert.strictEqual(headers["x-svc-signature-legacy"], `t=${seconds},v1=${hmac(secret, `${seconds}.`, bytes)}`)
      assert.isAtMost(Number(seconds) * 1000, at)
      assert.isAbove(Number(seconds) * 1000, at - 1000 - stallMaxMillis)
      assert.deepInclude(headers, {
        "content-type": "application/json",
        "accept-encoding": "identity",
        "x-svc-event": "ask.completed"
      })
      assert.doesNotHaveAnyKeys(headers, ["cookie", "x-svc-watch-id", "transfer-encoding", "expect"])
    }
  })

  it("is retried 60 s and 300 s after the end of an attempt", () => {
    for (const [place, wait] of storyOf(id).waits.entries()) {
      const whole = place === 0 ? 60 : 300
      assert.isAtMost(wait, whole)
      assert.isAtLeast(wait, whole - stallMaxMillis / 1000)
    }
  })
})

it("no byte of the payload is sent over an unverified channel", () => {
  for (const id of ["recv-09", "recv-11", "recv-14", "recv-16"]) {
    assert.strictEqual(storyOf(id).receiver.bytes, 0)
    assert.isEmpty(storyOf(id).receiver.received)
    assert.strictEqual(storyOf(id).receiver.connections, 3)
  }
})

it("no connection is made to an address that is forbidden at the time of the attempt", () => {
  assert.strictEqual(storyOf("recv-08").receiver.connections, 1)
})

it("a redirect is not followed", () => {
  assert.lengthOf(storyOf("recv-42").receiver.received, 3)
  assert.deepStrictEqual(
    storyOf("recv-42").rows.map(({ statusCode }) => statusCode),
    [302, 302, 302]
  )
})

it("the stored excerpt contains neither our signature nor an API key, and at most 8 KiB", () => {
  const { receiver, rows } = storyOf("recv-53")
  for (const [place, { responseExcerpt }] of rows.entries()) {
    assert.notInclude(responseExcerpt ?? "", receiver.received[place]?.headers["x-svc-signature"] ?? "none")
    assert.notInclude(responseExcerpt ?? "", "lvk_live_canary")
    assert.match(responseExcerpt ?? "", /^x-svc-signature: \*{64} \*{15}$/)
  }
  assert.strictEqual(storyOf("recv-55").rows[0]?.responseExcerpt, "<script>alert(1)</script>")
  assert.strictEqual(storyOf("recv-26").rows[0]?.responseExcerpt?.length, 8192)
})

it("an endless body is abandoned after 64 KiB, not at the deadline", () => {
  assert.isBelow(storyOf("recv-26").rows[0]?.durationMs ?? Number.POSITIVE_INFINITY, 10_000)
})
