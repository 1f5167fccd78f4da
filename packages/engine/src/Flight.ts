import { Array, Effect, Fiber, Option, Result, Schema } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { makeNotices } from "@sightline/actor/Notices"
import type { Restore } from "@sightline/actor/WorkQueue"
import type { Answer } from "@sightline/domain/Answer"
import { type Asked, PlatformFailed } from "@sightline/domain/Platform"
import type { Outcomes } from "@sightline/domain/Proration"
import { platformFailed } from "@sightline/platforms/PlatformFailure"
import type { AnswerKey, AnswerSubject } from "@sightline/store/AnswerKey"
import { Answers } from "@sightline/store/Answers"
import { Flights } from "@sightline/store/Flights"
import { bestEffort } from "./BestEffort.ts"
import { whileRenewed } from "./Lease.ts"
import { makePlatformClient } from "./PlatformClient.ts"
import { flightLease, flightPoll, flightRenewal, providerGrace } from "./Tuning.ts"

/** Where an answer came from: a cache tier, or the platform itself, asked for this call. */
type Origin = "l1" | "l2" | "l3" | "fresh"

/** The outcome of a question. Only `fresh` means that this call asked it. */
export interface Obtained {
  readonly origin: Origin
  readonly result: Result.Result<Answer, PlatformFailed>
}

/** The outcome of each question, as the ledger records it. */
export const outcomesOf = (asked: ReadonlyArray<Asked>, obtained: ReadonlyArray<Obtained>): Outcomes =>
  Object.fromEntries(
    Array.zipWith(asked, obtained, (one, { result }) => [one, Result.isSuccess(result) ? "ok" : result.failure.code])
  )

/** The message to all processes when a question has been answered or has failed. */
const Landing = Schema.fromJsonString(
  Schema.Struct({ key: Schema.String, failure: Schema.optionalKey(PlatformFailed) })
)
type Landing = typeof Landing.Type

const landings = "answer.landed"

/** Does work on a key as its leader. Does nothing if the key has another leader. */
const makeLeadership = (flights: Flights["Service"]) => {
  const lead = Effect.fnUntraced(function* (key: AnswerKey, work: Effect.Effect<Obtained>, restore: Restore) {
    const owner = crypto.randomUUID()
    // Without a release the key has no new leader until the lease expires.
    const releaseAfter = (after: Effect.Effect<unknown>) =>
      bestEffort("A flight was not given up", Effect.andThen(after, flights.release(key, owner)))
    // A caller may be interrupted after the database made the claim and before its reply arrives: the claim is then released.
    const claiming = yield* Effect.forkDetach(flights.claim(key, owner, flightLease))
    const isOurs = yield* Effect.onInterrupt(restore(Fiber.join(claiming)), () => releaseAfter(Fiber.await(claiming)))
    if (!isOurs) return Option.none()
    const led = restore(whileRenewed(work, flights.renew(key, owner, flightLease), flightRenewal))
    return Option.some(yield* Effect.ensuring(led, releaseAfter(Effect.void)))
  })
  return (key: AnswerKey, work: Effect.Effect<Obtained>) =>
    Effect.uninterruptibleMask((restore) => lead(key, work, restore))
}

/**
 * Asks platforms questions, each once across all processes: claim, ask, store, announce.
 *
 * Laws: of the concurrent calls for one key, one leads and asks; the others take its answer. A leader whose process dies is
 * replaced when its lease expires. Only successes are stored; the leader gets its answer even if storing fails.
 */
export const makeFlight = Effect.gen(function* () {
  const bus = yield* Bus
  const answers = yield* Answers
  const asLeader = makeLeadership(yield* Flights)
  const awaitLanding = yield* makeNotices(landings, Schema.decodeOption(Landing))
  const askPlatform = makePlatformClient(bus, {
    timeout: providerGrace,
    timeoutCode: "provider_timeout",
    noReplyCode: "provider_unavailable"
  })

  const announce = (landing: Landing) =>
    Effect.flatMap(Effect.orDie(Schema.encodeEffect(Landing)(landing)), (body) => bus.publish(landings, body))

  const known = (key: AnswerKey) =>
    Effect.map(answers.find([key]), ([found]) =>
      Option.map(Option.fromUndefinedOr(found), ({ answer, tier }): Obtained => ({
        origin: tier,
        result: Result.succeed(answer)
      }))
    )

  /** Asks now, even if the answer is cached or a flight is under way, and stores the answer for others. */
  const askFresh = Effect.fnUntraced(function* (key: AnswerKey, subject: AnswerSubject) {
    const result = yield* Effect.result(askPlatform(subject))
    if (Result.isSuccess(result))
      yield* bestEffort("An answer was not kept for others", answers.store(key, result.success))
    const obtained: Obtained = { origin: "fresh", result }
    return obtained
  })

  const lead = Effect.fnUntraced(function* (key: AnswerKey, subject: AnswerSubject, asking: () => void) {
    // Another leader may have landed between the caller's look and the claim.
    const landed = yield* known(key)
    if (Option.isSome(landed)) return landed.value
    asking()
    return yield* askFresh(key, subject)
  })

  const runFlight = Effect.fnUntraced(function* (
    key: AnswerKey,
    subject: AnswerSubject,
    asking: () => void
  ): Effect.fn.Return<Obtained> {
    const led = yield* asLeader(key, lead(key, subject, asking))
    if (Option.isSome(led)) {
      yield* announce(Result.isFailure(led.value.result) ? { key, failure: led.value.result.failure } : { key })
      return led.value
    }
    const notice = yield* awaitLanding(key, flightPoll)
    if (Option.isSome(notice) && notice.value.failure !== undefined)
      return { origin: "l2", result: Result.fail(notice.value.failure) }
    const landed = yield* known(key)
    return Option.isSome(landed) ? landed.value : yield* runFlight(key, subject, asking)
  })

  return {
    runFlight: (key: AnswerKey, subject: AnswerSubject) =>
      Effect.suspend(() => {
        // A call that only followed asked no question, and is not charged for one.
        let origin: Origin = "l2"
        const asking = () => void (origin = "fresh")
        return Effect.timeoutOrElse(runFlight(key, subject, asking), {
          duration: providerGrace,
          orElse: () =>
            Effect.succeed<Obtained>({
              origin,
              result: Result.fail(platformFailed(subject.platform, "provider_timeout"))
            })
        })
      }),
    askFresh
  }
})
