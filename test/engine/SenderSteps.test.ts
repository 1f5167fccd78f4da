/**
 * What the sender begins and what it records, over scripted books and receivers.
 *
 * Planted faults, each seen red:
 * - any of the headers left out
 * - the connections of another receiver
 * - the duration of an attempt, or the address it reached, not recorded
 * - a secret or either signature in the excerpt
 * - an unsigned attempt sent
 * - a status beside 2xx counted as success, or 200 or 299 as failure
 * - the end of an attempt written only once, or retried for ever
 * - no further round after one that wrote something, a further round after every one, or a round stopped because nothing was written
 * - no subscription to announcements
 * - a delay not measured
 * - more begun than there are free slots
 * - accounts busy for ever
 * - the machine's clock on a request, or the time at which the attempt began
 * - no look for more after an attempt, except on the timer
 * - a log line for each failed round, or for the first one only
 */
import { assert, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger, Metric, Option, Queue, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Bus } from "@sightline/actor/Bus"
import { type Answer, Egress, type Post } from "@sightline/egress/Egress"
import { EgressFailed } from "@sightline/egress/EgressFailed"
import { announceDeliveries } from "@sightline/engine/DeliveryNotice"
import { deliveriesPerStep, deliveryPoll, deliverySlots } from "@sightline/engine/Tuning"
import * as WebhookSender from "@sightline/engine/WebhookSender"
import { type Attempt, type AttemptEnd, Attempts, type Begun, type RoundPosition } from "@sightline/store/Attempts"

const attemptOf = (id: string): Attempt => ({
  id,
  deliveryId: id,
  accountId: "account",
  number: 1,
  late: Option.none(),
  begunSeconds: 1_767_225_600.9,
  event: "watch.fired",
  watchId: Option.some("watch"),
  receiverId: "r",
  url: "https://hooks.acme.com/in",
  body: new Uint8Array(),
  secret: Option.some(Redacted.make("secret"))
})

/** One call of `Attempts.begin`. */
interface Step {
  readonly limit: number
  readonly from: RoundPosition | null
  readonly busy: ReadonlyArray<readonly [string, number]>
}

const nothing: Begun = { attempts: [], moved: false, next: Option.none() }

/**
 * Runs a sender until the scope closes. `steps` are the results of its successive calls, then nothing is due; `post` is what the
 * receivers do. Returns the calls it made and the ends it recorded.
 */
const sending = Effect.fnUntraced(function* (options: {
  readonly steps: ReadonlyArray<(limit: number) => Begun>
  readonly post: Egress["Service"]["post"]
  readonly end?: (end: AttemptEnd) => Effect.Effect<void>
}) {
  const asked: Array<Step> = []
  const ended = yield* Queue.unbounded<AttemptEnd>()
  const attempts = Layer.mock(Attempts, {
    begin: (limit, from, busy) =>
      Effect.sync(() => {
        const step = options.steps[asked.length]
        asked.push({ limit, from: Option.getOrNull(from), busy: [...busy] })
        return step?.(limit) ?? nothing
      }),
    end: (end) => Effect.andThen(options.end?.(end) ?? Effect.void, Queue.offer(ended, end))
  })
  const services = yield* Layer.build(
    WebhookSender.layer.pipe(
      Layer.provide([attempts, Layer.mock(Egress, { post: options.post })]),
      Layer.provideMerge(Bus.layerMemory)
    )
  )
  yield* TestClock.adjust(deliveryPoll)
  return { asked, ended, announce: Effect.provide(announceDeliveries, services) }
})

const begun = (...ids: ReadonlyArray<string>): Begun => ({ ...nothing, attempts: ids.map(attemptOf), moved: true })

const answering =
  (status: number): Egress["Service"]["post"] =>
  () =>
    Effect.succeed({ status, body: new Uint8Array() })

it.effect.each([
  [101, "http_101"],
  [199, "http_199"],
  [200, null],
  [204, null],
  [299, null],
  [300, "http_300"],
  [302, "http_302"],
  [404, "http_404"],
  [599, "http_599"]
] as const)("an attempt that is answered %i has the error %s", ([status, error]) =>
  Effect.gen(function* () {
    const { ended } = yield* sending({ steps: [() => begun("a")], post: answering(status) })
    assert.deepInclude(yield* Queue.take(ended), { statusCode: status, error, excerpt: null })
  })
)

it.effect("a request has exactly these headers, with the second in which it is sent by the database's clock", () =>
  Effect.gen(function* () {
    const said = yield* Deferred.make<Readonly<Record<string, string>>>()
    const post: Egress["Service"]["post"] = ({ headers }) =>
      Effect.andThen(
        Effect.delay(
          Effect.suspend(() => Deferred.succeed(said, headers())),
          "1150 millis"
        ),
        answering(200)({ url: "", receiver: "", connected: () => undefined, headers, body: new Uint8Array() }, 0)
      )
    yield* sending({ steps: [() => begun("a")], post })
    yield* TestClock.adjust("1150 millis")
    const { "x-svc-signature": plain, "x-svc-signature-legacy": legacy, ...others } = yield* Deferred.await(said)
    assert.deepEqual(others, {
      "content-type": "application/json",
      "accept-encoding": "identity",
      "user-agent": "Sightline-Webhooks/1",
      "x-svc-event": "watch.fired",
      "x-svc-watch-id": "watch",
      "x-svc-delivery-id": "a",
      "x-svc-timestamp": "1767225602"
    })
    assert.match(plain ?? "", /^[0-9a-f]{64}$/)
    assert.match(legacy ?? "", /^t=1767225602,v1=[0-9a-f]{64}$/)
  })
)

/** The total duration of attempts with this outcome, in seconds. */
const tookOf = (outcome: string) =>
  Effect.map(Metric.snapshot, (all) => {
    const found = all.find(
      ({ attributes, id }) =>
        id === "sightline_delivery_attempt_duration_seconds" && attributes?.["outcome"] === outcome
    )
    return found?.type === "Histogram" ? found.state.sum : 0
  })

const echo = ({ headers }: Post): Answer => {
  const { "x-svc-signature": plain, "x-svc-signature-legacy": legacy = "" } = headers()
  return { status: 500, body: new TextEncoder().encode(`secret, ${plain}, ${legacy.slice(-64)}`) }
}
const stars = (count: number) => "*".repeat(count)

it.effect.each([
  [
    "http_5xx",
    (post: Post) => Effect.succeed(echo(post)),
    { statusCode: 500, error: "http_500", excerpt: `${stars(6)}, ${stars(64)}, ${stars(64)}` }
  ],
  [
    "timeout",
    () => new EgressFailed({ code: "timeout", reason: "" }),
    { statusCode: null, error: "timeout", excerpt: null }
  ]
] as const)("an attempt that ends in %s is recorded with its duration and address, and without secrets", (one) =>
  Effect.gen(function* () {
    const [outcome, answer, written] = one
    const before = yield* tookOf(outcome)
    const posts: Array<Post> = []
    const post: Egress["Service"]["post"] = (request) =>
      Effect.suspend(() => {
        posts.push(request)
        request.connected("203.0.113.9")
        return Effect.andThen(
          Effect.sleep("2500 millis"),
          Effect.suspend(() => answer(request))
        )
      })
    const { ended } = yield* sending({ steps: [() => begun("a")], post })
    yield* TestClock.adjust("2500 millis")
    const end = yield* Queue.take(ended)
    assert.deepInclude(end, { ...written, durationMillis: 2500, remoteAddress: "203.0.113.9" })
    const { body, receiverId: receiver, url } = attemptOf("a")
    assert.lengthOf(posts, 1)
    assert.deepInclude(posts[0], { body, receiver, url })
    assert.strictEqual((yield* tookOf(outcome)) - before, 2.5)
  })
)

it.effect("an attempt that cannot be signed is not sent, and that is recorded", () =>
  Effect.gen(function* () {
    const unsigned = { ...attemptOf("a"), secret: Option.none() }
    const { ended } = yield* sending({
      steps: [() => ({ ...nothing, attempts: [unsigned] })],
      post: () => Effect.die("it was sent")
    })
    assert.deepInclude(yield* Queue.take(ended), { error: "secret_unreadable", statusCode: null, durationMillis: 0 })
  })
)

it.effect(
  "the end of an attempt that the database rejects is written again every second, and given up after twenty retries",
  () => {
    const lines: Array<unknown> = []
    return Effect.gen(function* () {
      let writings = 0
      const end = ({ attempt }: AttemptEnd) =>
        Effect.suspend(() => {
          writings += 1
          return attempt.deliveryId === "lost" || writings < 3 ? Effect.die("no database") : Effect.void
        })
      const { ended } = yield* sending({ steps: [() => begun("late")], post: answering(200), end })
      assert.strictEqual(yield* Queue.size(ended), 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Queue.take(ended)).attempt.deliveryId, "late")
      assert.isEmpty(lines)

      writings = 0
      yield* sending({ steps: [() => begun("lost")], post: answering(200), end })
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(writings, 22)
      assert.deepEqual(lines, ["The end of an attempt was not written down"])
    }).pipe(
      Effect.provide(
        Logger.layer([Logger.make(({ message }) => void lines.push(Array.isArray(message) ? message[0] : message))])
      )
    )
  }
)

it.effect("a failure to begin attempts is logged once, and again when it recurs", () => {
  const lines: Array<unknown> = []
  const down = () => {
    throw new Error("no database")
  }
  return Effect.gen(function* () {
    const { asked } = yield* sending({ steps: [down, down, down, () => nothing, down, down], post: answering(200) })
    yield* TestClock.adjust("1 minute")
    assert.isAbove(asked.length, 6)
    assert.deepEqual(lines, Array(2).fill("The sender of webhooks stopped"))
  }).pipe(
    Effect.provide(
      Logger.layer([Logger.make(({ message }) => void lines.push(Array.isArray(message) ? message[0] : message))])
    )
  )
})

it.effect("a round continues where its last step ended, and one that wrote something is followed by another", () =>
  Effect.gen(function* () {
    const place = { accountId: "account", receiverId: "r" }
    const { asked } = yield* sending({
      steps: [() => ({ ...nothing, moved: true, next: Option.some(place) }), () => nothing],
      post: answering(200)
    })
    assert.deepEqual(
      asked.map(({ from }) => from),
      [null, place, null]
    )
    yield* TestClock.adjust(deliveryPoll)
    assert.lengthOf(asked, 4)
  })
)

it.effect("a round in which nothing was written also continues to its end", () =>
  Effect.gen(function* () {
    const place = { accountId: "account", receiverId: "r" }
    const { asked } = yield* sending({
      steps: [() => ({ ...nothing, next: Option.some(place) }), () => nothing],
      post: answering(200)
    })
    assert.deepEqual(
      asked.map(({ from }) => from),
      [null, place]
    )
  })
)

it.effect("an announced delivery is looked for at once", () =>
  Effect.gen(function* () {
    const { announce, asked } = yield* sending({ steps: [], post: answering(200) })
    assert.lengthOf(asked, 1)
    yield* announce
    while (asked.length === 1) yield* Effect.yieldNow
  })
)

it.effect("the delay of first attempts is measured", () =>
  Effect.gen(function* () {
    const delays = Effect.map(Metric.snapshot, (all) => {
      const found = all.find(({ id }) => id === "sightline_delivery_delay_seconds")
      return found?.type === "Histogram" ? found.state : { count: 0, sum: 0 }
    })
    const before = yield* delays
    const late = { ...attemptOf("a"), late: Option.some(7) }
    const step = () => ({ ...nothing, attempts: [late, attemptOf("b")] })
    const { ended } = yield* sending({ steps: [step], post: answering(200) })
    yield* Queue.takeN(ended, 2)
    assert.deepInclude(yield* delays, { count: before.count + 1, sum: before.sum + 7 })
  })
)

it.effect("no more is begun than there are free slots; the end of an attempt starts a new look at once", () =>
  Effect.gen(function* () {
    const [first, gate] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    let [count, posted] = [0, 0]
    const full = (limit: number) => begun(...Array.from({ length: limit }, () => `attempt ${++count}`))
    const steps = deliverySlots / deliveriesPerStep
    const { asked, ended } = yield* sending({
      steps: Array(steps).fill(full),
      post: (request, deadline) =>
        Effect.andThen(Deferred.await(posted++ === 0 ? first : gate), answering(200)(request, deadline))
    })
    yield* TestClock.adjust("10 seconds")
    assert.deepEqual(
      asked.map(({ busy, limit }) => [limit, ...busy.map(([, attempts]) => attempts)]),
      Array.from({ length: steps }, (_, nth) => [deliveriesPerStep, ...(nth === 0 ? [] : [nth * deliveriesPerStep])])
    )
    yield* Deferred.succeed(first, undefined)
    yield* Queue.take(ended)
    while (asked.length === steps) yield* Effect.yieldNow
    assert.strictEqual(asked.at(-1)?.limit, 1)
    yield* Deferred.succeed(gate, undefined)
    yield* Queue.takeN(ended, deliverySlots - 1)
    while (asked.length === steps + 1) yield* Effect.yieldNow
    yield* TestClock.adjust(deliveryPoll)
    assert.deepEqual(asked.at(-1)?.busy, [])
  })
)
