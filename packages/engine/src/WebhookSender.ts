import { Effect, Layer, Metric, Option, Queue, Redacted, Result, Schedule, Stream } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { makeOutageLog, supervise } from "@sightline/actor/Supervisor"
import { Egress } from "@sightline/egress/Egress"
import { startStopwatch } from "@sightline/platforms/Stopwatch"
import { type Attempt, type AttemptEnd, Attempts, type RoundPosition } from "@sightline/store/Attempts"
import { deliveryNotices } from "./DeliveryNotice.ts"
import { excerptOf } from "./Excerpt.ts"
import { sign, type Signature } from "./Signature.ts"
import { deliveriesPerStep, deliveryDeadline, deliveryPoll, deliverySlots, shutdownGrace } from "./Tuning.ts"

const headersOf = ({ event, id, watchId }: Attempt, { plain, timestamped }: Signature, seconds: number) => ({
  "content-type": "application/json",
  "accept-encoding": "identity",
  "user-agent": "Sightline-Webhooks/1",
  "x-svc-event": event,
  ...(Option.isSome(watchId) ? { "x-svc-watch-id": watchId.value } : {}),
  "x-svc-delivery-id": id,
  "x-svc-timestamp": String(seconds),
  "x-svc-signature": plain,
  "x-svc-signature-legacy": timestamped
})

/** Makes an attempt: one request, signed at the moment it is sent. */
const make = Effect.fnUntraced(function* (egress: Egress["Service"], attempt: Attempt) {
  const stopwatch = yield* startStopwatch
  const { body, receiverId, url } = attempt
  const nothing = { attempt, durationMillis: 0, remoteAddress: null, statusCode: null, excerpt: null } as const
  // A secret is unreadable only if it was sealed with another SECRET_KEY.
  if (Option.isNone(attempt.secret)) return { ...nothing, error: "secret_unreadable" }

  const secret = attempt.secret.value
  const confidential = [Redacted.value(secret)]
  const headers = () => {
    // Receivers check the timestamp, and this machine's clock may be wrong: the base is the database's clock.
    const seconds = Math.floor(attempt.begunSeconds + stopwatch.elapsedMillis() / 1000)
    const signature = sign(secret, body, seconds)
    confidential.push(signature.plain, signature.timestamped.slice(-signature.plain.length))
    return headersOf(attempt, signature, seconds)
  }
  let remoteAddress: string | null = null
  const connected = (address: string) => {
    remoteAddress = address
  }
  const request = { url, receiver: receiverId, connected, headers, body }
  const answer = yield* Effect.result(egress.post(request, deliveryDeadline))
  const durationMillis = stopwatch.elapsedMillis()
  if (Result.isFailure(answer)) return { ...nothing, durationMillis, remoteAddress, error: answer.failure.code }

  const { status } = answer.success
  const end: AttemptEnd = {
    attempt,
    durationMillis,
    remoteAddress,
    statusCode: status,
    error: status >= 200 && status <= 299 ? null : `http_${status}`,
    excerpt: excerptOf(answer.success.body, confidential)
  }
  return end
})

const took = Metric.histogram("sightline_delivery_attempt_duration_seconds", {
  description: "Duration of delivery attempts, by outcome",
  boundaries: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
})

const time = ({ durationMillis, error }: AttemptEnd) => {
  const outcome = error?.replace(/^(http_\d)\d\d$/, "$1xx") ?? "delivered"
  return Metric.update(Metric.withAttributes(took, { outcome }), durationMillis / 1000)
}

const waited = Metric.histogram("sightline_delivery_delay_seconds", {
  description: "Time from when deliveries were due to their first attempt",
  boundaries: [0.1, 0.5, 1, 2, 5, 15, 60, 300, 1800]
})

// After 30 s the attempt's lease expires: it then counts as one without an answer, whatever is recorded later.
const endRetries = { schedule: Schedule.spaced("1 second"), times: 20 }

/**
 * Sends due deliveries: records the start of attempts, makes them, and records their outcome.
 *
 * Laws: no request leaves before its attempt is committed. When the scope closes, the sender starts no attempt and waits for
 * the open ones, at most for the shutdown grace. An attempt whose outcome cannot be recorded counts as one without an answer.
 * When the sender stops, this is logged once, until it has read the due deliveries again.
 * Source: contract, "Common delivery rules"; decisions D2–D4.
 */
export const layer: Layer.Layer<never, never, Attempts | Bus | Egress> = Layer.effectDiscard(
  Effect.gen(function* () {
    const attempts = yield* Attempts
    const bus = yield* Bus
    const egress = yield* Egress
    // Exported from the start: an alarm cannot see an increase in the first sample of a series.
    yield* Metric.value(waited)
    /** Signals that there may be attempts to start. Several signals count as one. */
    const wakeUp = yield* Queue.sliding<void>(1)
    const attemptEnded = yield* Queue.sliding<void>(1)
    let free = deliverySlots
    /** Attempts under way, by account. */
    const busy = new Map<string, number>()
    const occupy = ({ accountId }: Attempt, more: 1 | -1) => {
      free -= more
      const count = (busy.get(accountId) ?? 0) + more
      if (count === 0) busy.delete(accountId)
      else busy.set(accountId, count)
    }

    const serve = (attempt: Attempt) =>
      make(egress, attempt).pipe(
        Effect.tap(time),
        Effect.flatMap((end) =>
          Effect.catchCause(attempts.end(end), () => Effect.retry(Effect.sandbox(attempts.end(end)), endRetries))
        ),
        Effect.catchCause((cause) => Effect.logError("The end of an attempt was not written down", cause)),
        Effect.ensuring(
          Effect.sync(() => {
            occupy(attempt, -1)
            Queue.offerUnsafe(wakeUp, undefined)
            Queue.offerUnsafe(attemptEnded, undefined)
          })
        )
      )

    const outage = makeOutageLog()
    /** The position of the round over all receivers, and whether the round has written anything. */
    let from = Option.none<RoundPosition>()
    let hasWritten = false

    /**
     * One step of a round. Returns whether there is more to do: a round that wrote anything is followed by another one. It is
     * uninterruptible, so that the requests of committed attempts are sent.
     */
    const step = Effect.gen(function* () {
      const { attempts: begun, moved, next } = yield* attempts.begin(Math.min(free, deliveriesPerStep), from, busy)
      yield* outage.recovered
      for (const attempt of begun) occupy(attempt, 1)
      for (const { late } of begun) if (Option.isSome(late)) yield* Metric.update(waited, late.value)
      yield* Effect.forEach(begun, (attempt) => Effect.forkDetach(serve(attempt)), { discard: true })
      from = next
      hasWritten ||= moved
      const isRoundOver = Option.isNone(next)
      const isMore = hasWritten || !isRoundOver
      if (isRoundOver) hasWritten = false
      return isMore
    }).pipe(Effect.uninterruptible)

    const rounds = Effect.gen(function* () {
      yield* Effect.timeoutOption(Queue.take(wakeUp), deliveryPoll)
      while (yield* Effect.suspend(() => (free > 0 ? step : Effect.succeed(false))));
    })

    const done = Effect.whileLoop({
      while: () => free < deliverySlots,
      body: () => Queue.take(attemptEnded),
      step: () => undefined
    })
    yield* Effect.addFinalizer(() => Effect.timeoutOption(done, shutdownGrace))
    yield* deliveryNotices(bus).pipe(
      Stream.runForEach(() => Queue.offer(wakeUp, undefined)),
      Effect.forkScoped
    )
    yield* supervise("The sender of webhooks", Effect.forever(rounds), {
      schedule: Schedule.spaced("1 second"),
      logFailure: outage.logFailure
    })
  })
)
