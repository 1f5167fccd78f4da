import {
  Cause,
  Context,
  Deferred,
  type Duration,
  Effect,
  Exit,
  Latch,
  Result,
  Schedule,
  type Schema,
  type Scope,
  Stream
} from "effect"
import { Bus, type Envelope, NoReply } from "./Bus.ts"
import { makeMailbox, type Turn, type WaitLimits } from "./Mailbox.ts"
import { supervise } from "./Supervisor.ts"
import { jsonWire, resultWire, type Wire } from "./Wire.ts"

/** The request and reply types of one kind of actor. Typed failures travel over the wire like answers. */
export interface Protocol<Request, Answer, Failure> {
  readonly subject: string
  readonly request: Wire<Request>
  readonly reply: Wire<Result.Result<Answer, Failure>>
}

/** The protocol spoken on `subject`, as JSON. */
export const protocol = <Request, Answer, Failure>(
  subject: string,
  schemas: {
    readonly request: Schema.ConstraintCodec<Request, unknown>
    readonly answer: Schema.ConstraintCodec<Answer, unknown>
    readonly failure: Schema.ConstraintCodec<Failure, unknown>
  }
): Protocol<Request, Answer, Failure> => ({
  subject,
  request: jsonWire(schemas.request),
  reply: resultWire(schemas.answer, schemas.failure)
})

/**
 * Sends a request to one of the actors that are spawned under `key`, in any process, and waits for the answer.
 *
 * Errors: the actor's own failure, or `NoReply` when no readable reply arrives within the timeout. A request that the schema cannot
 * encode is a defect of the caller.
 */
export const ask = <Request, Answer, Failure>(
  protocol: Protocol<Request, Answer, Failure>,
  key: string,
  request: Request,
  timeout: Duration.Input
): Effect.Effect<Answer, Failure | NoReply, Bus> =>
  Bus.use((bus) => {
    const subject = address(protocol.subject, key)
    // When a receiver stops, it first unsubscribes and then refuses its unread requests. A repeated request therefore reaches another
    // receiver or fails with `no_responder`.
    const response = Effect.retry(bus.request(subject, protocol.request.encode(request), timeout), {
      while: ({ reason }) => reason === "unread",
      times: 2
    })
    return Effect.flatMap(response, (body): Effect.Effect<Answer, Failure | NoReply> => {
      const result = Result.try(() => protocol.reply.decode(body))
      if (Result.isSuccess(result)) return Effect.fromResult(result.success)
      return Effect.andThen(
        Effect.logError("Reply cannot be read", { subject }, result.failure),
        new NoReply({ subject, reason: "receiver_failed" })
      )
    })
  })

/** Completes when actors whose scope closes must give up their unanswered requests. By default it completes at once. */
export const GracePeriod = Context.Reference<Effect.Effect<void>>("@sightline/actor/Actor/GracePeriod", {
  defaultValue: () => Effect.void
})

const unlimited: WaitLimits = { burst: "Infinity", standing: "Infinity" }

/**
 * Runs the actor `key` until the scope closes. Requests can be sent to it as soon as this returns.
 *
 * Shape: at most `concurrency` requests are handled at a time, and `mailboxMax` more wait. A further request is refused at once. A
 * waiting request is refused as soon as it exceeds the limit of `waits`, without a call of `receive`. `receive` gets the time that a
 * request has waited. Actors with the same key share its requests, in one process or several.
 * Errors: a failure of `receive` is the answer. A request that cannot be read, or whose handling dies, is logged and refused, and the
 * actor goes on. When the scope closes, no further request is taken. Requests that are unanswered when `GracePeriod` completes are
 * refused.
 */
export const spawn = Effect.fnUntraced(function* <Request, Answer, Failure, R>(
  protocol: Protocol<Request, Answer, Failure>,
  key: string,
  options: {
    readonly concurrency: number
    readonly mailboxMax: number
    readonly waits?: WaitLimits
    readonly receive: (request: Request, waitedMillis: number) => Effect.Effect<Answer, Failure, R>
  }
): Effect.fn.Return<void, never, R | Bus | Scope.Scope> {
  const bus = yield* Bus
  const gracePeriod = yield* GracePeriod
  const subject = address(protocol.subject, key)
  const answer = answering(protocol, subject)
  const unanswered = new Set<Envelope>()
  const idle = yield* Latch.make(true)
  const mailbox = yield* makeMailbox<Envelope>(options.waits ?? unlimited)
  const subscribed = yield* Deferred.make<void>()
  yield* Effect.addFinalizer(() =>
    Effect.forEach(unanswered, (envelope) => envelope.refuse("no_responder"), { discard: true })
  )

  const receive = ({ item: envelope, waitedMillis }: Turn<Envelope>) =>
    Effect.exit(Effect.suspend(() => options.receive(protocol.request.decode(envelope.body), waitedMillis)))
  const end = (envelope: Envelope, response: Effect.Effect<void>) => {
    unanswered.delete(envelope)
    return Effect.andThen(
      response,
      Effect.sync(() => unanswered.size === 0 && idle.openUnsafe())
    )
  }
  const refuse = (envelope: Envelope) => end(envelope, envelope.refuse("mailbox_full"))
  const handle = (turn: Turn<Envelope>) =>
    Effect.flatMap(receive(turn), (exit) => end(turn.item, answer(turn.item, exit)))
  const worker = Effect.forever(Effect.flatMap(mailbox.take, handle))
  yield* Effect.forEach(Array(options.concurrency), () => Effect.forkScoped(worker), { discard: true })
  yield* Effect.forkScoped(Effect.forever(Effect.flatMap(mailbox.takeExpired, refuse)))
  // Finalizers run in reverse order: this one runs after the delivery below has stopped and before the workers above stop.
  yield* Effect.addFinalizer(() => Effect.raceFirst(idle.await, gracePeriod))

  const admit = (envelope: Envelope) => {
    if (unanswered.size >= options.concurrency + options.mailboxMax) return false
    unanswered.add(envelope)
    idle.closeUnsafe()
    return mailbox.offer(envelope)
  }
  const deliver = (arrived: ReadonlyArray<Envelope>) =>
    Effect.forEach(
      arrived.filter((envelope) => !admit(envelope)),
      (rejected) => rejected.refuse("mailbox_full"),
      { discard: true }
    )
  const delivery = Effect.gen(function* () {
    const pull = yield* Stream.toPull(bus.subscribe(subject))
    yield* Deferred.succeed(subscribed, undefined)
    return yield* Effect.forever(Effect.flatMap(pull, deliver))
  })
  yield* supervise(`Actor ${subject}`, Effect.scoped(delivery), { schedule: Schedule.spaced("1 second") })
  yield* Deferred.await(subscribed)
})

/** Sends the result of a request to its caller. A defect, or a result that cannot be encoded, is logged and the request is refused. */
const answering =
  <Request, Answer, Failure>(protocol: Protocol<Request, Answer, Failure>, subject: string) =>
  (envelope: Envelope, exit: Exit.Exit<Answer, Failure>): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (Exit.isSuccess(exit)) return envelope.reply(protocol.reply.encode(Result.succeed(exit.value)))
      const failure = Cause.findError(exit.cause)
      if (Result.isSuccess(failure)) return envelope.reply(protocol.reply.encode(Result.fail(failure.success)))
      return Effect.failCause(failure.failure)
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(Effect.logError("Request died", { subject }, cause), envelope.refuse("receiver_failed"))
      )
    )

// A key is one word of the subject, so that no two actors can share an address and none can listen to a wildcard.
const address = (subject: string, key: string) => {
  if (!/^[\w-]+$/.test(key)) throw new TypeError(`not a key: ${key}`)
  return `${subject}.${key}`
}
