import { GracePeriod } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { makeNotices } from "@sightline/actor/Notices"
import { Caller } from "@sightline/contract/Authorization"
import { whileRenewed } from "@sightline/engine/Lease"
import { EncodedBody } from "@sightline/server/http/EncodedBody"
import { refuse } from "@sightline/server/http/Refusal"
import type { Responding } from "@sightline/server/http/Respond"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import { Charges } from "@sightline/store/Charges"
import { Replies, type Reply, type Scope } from "@sightline/store/Replies"
import { Context, type Duration, Effect, Fiber, FiberSet, Layer, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { createHash } from "node:crypto"

/** The answer to one call, and whether it was stored under the call's idempotency key. */
export interface CallResult {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly isStored: boolean
}

/** A call to be made once: its route, its key of 1 to 200 characters, and its validated body. */
export interface Call {
  readonly route: string
  readonly key: string | undefined
  readonly body: unknown
}

/** How long a duplicate waits for the first call, which ends within 92 s. */
const ceilingMillis = 95_000

/** How often a duplicate polls, in case the notice that the first call has ended was lost. */
const replyPoll: Duration.Input = "1 second"

/** How often a claim is renewed: three times within its 30 s. */
const claimRenewal: Duration.Input = "10 seconds"

/** The subject on which processes announce that a key was released or has its reply. */
const settled = "reply.settled"

/** SHA-256 of a validated body. Decoding makes it canonical: members in a fixed order, defaults filled in, no white space. */
const fingerprintOf = (body: unknown): Uint8Array => createHash("sha256").update(JSON.stringify(body)).digest()

/** The name of a scope in messages: a hash, so that it does not reveal the key. */
const nameOf = ({ accountId, environment, route, key }: Scope): string =>
  createHash("sha256")
    .update(JSON.stringify([accountId, environment, route, key]))
    .digest("hex")

/** A rendered reply as a response. */
export const replyResponse = ({ status, headers, body }: Reply) =>
  HttpServerResponse.setBody(HttpServerResponse.empty({ status, headers }), new EncodedBody(body))

const replay = (reply: Reply) => HttpServerResponse.setHeader(replyResponse(reply), "idempotency-replay", "true")

/**
 * Calls that spend or create something, each made once per `Idempotency-Key`.
 *
 * Laws: a finished call is replayed byte for byte for 24 hours and never made again; a duplicate that arrives while the
 * first is running waits for it; a refused call releases its key. A call goes on when its caller hangs up, and while the
 * process shuts down, for as long as `GracePeriod` allows.
 * Source: decisions C10.
 */
export class IdempotentReplay extends Context.Service<
  IdempotentReplay,
  {
    readonly run: <E>(
      call: Call,
      work: (claim: Option.Option<string>) => Effect.Effect<CallResult, E>
    ) => Responding<E, Caller>
  }
>()("@sightline/server/handlers/IdempotentReplay") {
  static readonly layer = Layer.effect(
    IdempotentReplay,
    Effect.gen(function* () {
      const bus = yield* Bus
      const charges = yield* Charges
      const replies = yield* Replies
      const gracePeriod = yield* GracePeriod
      const awaitNotice = yield* makeNotices(settled, (key) => Option.some({ key }))
      const fibers = yield* FiberSet.make()
      yield* Effect.addFinalizer(() => Effect.raceFirst(FiberSet.awaitEmpty(fibers), gracePeriod))

      /** Does the work on a fiber that belongs to the service, so that a caller who hangs up does not interrupt it. */
      const runDetached = <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
        Effect.flatMap(FiberSet.run(fibers, work), Fiber.join)

      const runClaimed = <E>(
        scope: Scope,
        token: string,
        work: (claim: Option.Option<string>) => Effect.Effect<CallResult, E>
      ) =>
        whileRenewed(work(Option.some(token)), replies.renew(token), claimRenewal).pipe(
          Effect.onExit((exit) =>
            exit._tag === "Success" && exit.value.isStored ? Effect.void : replies.release(token)
          ),
          Effect.ensuring(bus.publish(settled, nameOf(scope))),
          Effect.map(({ response }) => response)
        )

      const attempt = Effect.fnUntraced(function* <E>(
        scope: Scope,
        fingerprint: Uint8Array,
        until: number,
        work: (claim: Option.Option<string>) => Effect.Effect<CallResult, E>
      ): Effect.fn.Return<HttpServerResponse.HttpServerResponse, E> {
        const claim = yield* replies.claim(scope, fingerprint)
        switch (claim._tag) {
          case "Claimed":
            // The wallet may be able to pay for the call only once, so the hold of the previous owner is released first.
            return yield* runClaimed(
              scope,
              claim.token,
              claim.inherited ? (token) => Effect.andThen(charges.sweepWallet(scope), work(token)) : work
            )
          case "Replay":
            return replay(claim)
          case "Mismatch":
            return yield* refuse(
              422,
              "idempotency_body_mismatch",
              "This Idempotency-Key was used for another request. Use a new one."
            )
          case "InFlight": {
            if ((yield* steadyMillis) >= until)
              return yield* refuse(409, "conflict", "A call with this Idempotency-Key has not finished yet.")
            yield* awaitNotice(nameOf(scope), replyPoll)
            return yield* attempt(scope, fingerprint, until, work)
          }
        }
      })

      return IdempotentReplay.of({
        run: Effect.fnUntraced(function* ({ route, key, body }, work) {
          if (key === undefined) return (yield* runDetached(work(Option.none()))).response
          const { accountId, environment } = yield* Caller
          const until = (yield* steadyMillis) + ceilingMillis
          return yield* runDetached(attempt({ accountId, environment, route, key }, fingerprintOf(body), until, work))
        })
      })
    })
  )
}
