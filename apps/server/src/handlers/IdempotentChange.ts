import { zero } from "@sightline/domain/Credits"
import { Caller } from "@sightline/contract/Authorization"
import { refuse } from "@sightline/server/http/Refusal"
import { RequestId } from "@sightline/server/http/RequestId"
import type { Responding } from "@sightline/server/http/Respond"
import { missed, TurnMissed } from "@sightline/server/keys/AccountTurns"
import { ChangeGate } from "@sightline/server/keys/ChangeGate"
import { plainReply, renderReply, Replies } from "@sightline/store/Replies"
import { Effect, Option, Schema } from "effect"
import type { HttpServerResponse } from "effect/http"
import { type Call, IdempotentReplay, replyResponse, type CallResult } from "./IdempotentReplay.ts"

type Response = HttpServerResponse.HttpServerResponse

/** A change that costs nothing by itself. To refuse it, `validate` or `make` fails with the answer. */
interface Change<A, R> {
  /** Checks before the change that would take too long inside its transaction. */
  readonly validate?: Effect.Effect<unknown, Response, R>
  readonly make: Effect.Effect<A, Response, R>
  readonly status: number
  /** The body of the answer, without the request's id. */
  readonly body: (made: A) => object
  /** Runs after the change, even if the caller hangs up meanwhile. */
  readonly after?: (made: A) => Effect.Effect<unknown, never, R>
}

/** Fails with this answer, which ends the call. */
export const refusing = <R>(refusal: Responding<never, R>): Effect.Effect<never, Response, R> => Effect.flip(refusal)

/** The value, or the refusal if it is absent. */
export const orRefusing = <A, R>(found: Effect.Effect<Option.Option<A>, Response, R>, refusal: Responding) =>
  Effect.flatMap(found, Option.match({ onNone: () => refusing(refusal), onSome: Effect.succeed }))

const overtaken = refusing(
  refuse(503, "service_unavailable", "The call took too long and was given up. Nothing was done.")
)

/**
 * Makes a change once per idempotency key, in its account's turn: the change and its answer are stored in one transaction.
 *
 * For calls that cost nothing, as `Spending` is for those that spend.
 * Source: decisions C10.
 */
export const makeIdempotentChange = Effect.gen(function* () {
  const gate = yield* ChangeGate
  const replays = yield* IdempotentReplay
  const replies = yield* Replies

  const made = Effect.fnUntraced(function* <A, R>(
    { after, body, validate, make, status }: Change<A, R>,
    claim: Option.Option<string>
  ) {
    const requestId = yield* RequestId
    const answer = (one: A) => plainReply(status, JSON.stringify({ request_id: requestId, ...body(one) }))
    if (validate !== undefined) yield* validate
    const { accountId } = yield* Caller
    const change = Option.match(claim, {
      onNone: () => Effect.asSome(make),
      onSome: (token) => replies.runWithReply(token, make, answer)
    })
    const afterChange = (done: Option.Option<A>) =>
      Option.isSome(done) && after !== undefined ? after(done.value) : Effect.void
    const one = yield* Effect.catchIf(gate.run(accountId, change, afterChange), Schema.is(TurnMissed), () =>
      refusing(missed)
    )
    if (Option.isNone(one)) return yield* overtaken
    return { response: replyResponse(renderReply(answer(one.value), zero)), isStored: true }
  })

  return Effect.fnUntraced(function* <A, R>(call: Call, change: Change<A, R>) {
    const services = yield* Effect.context<R | Caller>()
    return yield* replays.run(call, (claim) =>
      made(change, claim).pipe(
        Effect.catch((response): Effect.Effect<CallResult> => Effect.succeed({ response, isStored: false })),
        Effect.provide(services)
      )
    )
  })
})

/** Makes a change once per idempotency key. */
export type IdempotentChange = Effect.Success<typeof makeIdempotentChange>
