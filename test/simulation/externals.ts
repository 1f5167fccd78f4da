import { Effect, Layer } from "effect"
import type { Answer, Question } from "@sightline/domain/Answer"
import { type Environment, type Platform, PlatformFailed } from "@sightline/domain/Platform"
import { Egress } from "@sightline/egress/Egress"
import { EgressFailed } from "@sightline/egress/EgressFailed"
import type { Capture } from "@sightline/platforms/Capture"
import type { Machine } from "./machine.ts"
import { brandOf } from "./requests.ts"
import type { World } from "./world.ts"

/** A question to a platform, and its answer. Shape: the answer cites the page `n`, which no other answer does. */
export interface RecordedAnswer {
  readonly n: number
  readonly environment: Environment
  readonly platform: Platform
  readonly question: Question
  readonly askedAt: number
  /** When it answered or failed, if it has. */
  at: number | undefined
  isFailure: boolean
  /** The brands in its answer, in order. */
  readonly brands: ReadonlyArray<string>
}

/** More brands than there are wishes. */
const brandsMax = 70

const drawBrands = (world: World): ReadonlyArray<string> => {
  const named = Array.from({ length: brandsMax }, (_, n) => brandOf(n + 1)).filter(() => world.dice() < 0.25)
  const first = world.between(0, named.length - 1)
  return [...named.slice(first), ...named.slice(0, first)]
}

const answerOf = ({ brands, n, platform }: RecordedAnswer): Answer => ({
  text: [`Answer ${n}.`, ...brands.map((brand, place) => `${place + 1}. **${brand}** is worth a look.`)].join("\n"),
  raw: "",
  citations: [{ url: `https://example.com/${n}`, title: "A page" }],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: platform,
  finish: "stop"
})

/** An external system that answers when its turn comes, after a while, or never. */
const answering = <A, E>(
  world: World,
  machine: Machine,
  {
    name,
    isNever,
    millis,
    answer
  }: {
    readonly name: string
    readonly isNever: boolean
    readonly millis: number
    readonly answer: () => Effect.Effect<A, E>
  }
) =>
  Effect.callback<A, E>((resume) => {
    if (isNever) return
    const cancel = world.after(millis, machine, () => {
      world.gate({
        name,
        owner: machine,
        happen: () => {
          const result = answer()
          resume(result)
        }
      })
    })
    return Effect.sync(cancel)
  })

/** Where platforms can fail, all of them fail together at times. */
const isOutage = (world: World): boolean =>
  world.isFaulty && world.rates.upstreamFails > 0 && Math.floor(world.now / 15_000) % 3 === 2

/** How a platform answers, if it does. `said` records the questions and answers. */
export const captureOf =
  (
    world: World,
    machine: Machine,
    { environment, platform }: Pick<RecordedAnswer, "environment" | "platform">,
    said: Array<RecordedAnswer>
  ): Capture =>
  (question) =>
    Effect.suspend(() => {
      const place = {
        n: said.length + 1,
        environment,
        platform,
        question,
        askedAt: world.now,
        brands: drawBrands(world)
      }
      const one: RecordedAnswer = { ...place, at: undefined, isFailure: false }
      said.push(one)
      // Without internal faults, every platform answers within the deadline.
      const slowest = world.house === "sound" ? 50_000 : 70_000
      return answering(world, machine, {
        name: `${platform} answers ${machine.name}`,
        isNever: world.strikes("upstreamHangs"),
        millis: world.strikes("upstreamSlow") ? world.between(5_000, slowest) : world.between(100, 4_000),
        answer: () => {
          one.isFailure = world.strikes("upstreamFails") || isOutage(world)
          one.at = world.now
          world.note(`${platform} ${one.isFailure ? "fails" : "answers"} ${machine.name}`)
          return one.isFailure
            ? Effect.fail(new PlatformFailed({ platform, code: "provider_error", message: "told to fail" }))
            : Effect.succeed(answerOf(one))
        }
      })
    })

/** A request as a receiver of webhooks got it. */
export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

/** The egress to receivers, which answer 200, 500, or not in time. `received` gets every request that was sent. */
export const layerReceivers = (world: World, machine: Machine, received: (request: Received) => void) =>
  Layer.mock(Egress, {
    post: ({ url, headers, body }, deadline) =>
      Effect.suspend(() => {
        const isNever = world.strikes("receiverHangs")
        const status = isNever ? 0 : world.strikes("receiverFails") || world.isRefused ? 500 : 200
        world.note(`${machine.name} posts to a receiver: ${isNever ? "no answer" : status}`)
        received({ url, headers: headers(), body: Buffer.from(body).toString(), status })
        return answering(world, machine, {
          name: `a receiver answers ${machine.name}`,
          isNever,
          millis: world.between(20, 3_000),
          answer: () => Effect.succeed({ status, body: new Uint8Array() })
        }).pipe(
          Effect.timeoutOrElse({
            duration: deadline,
            orElse: () => Effect.fail(new EgressFailed({ code: "timeout", reason: "told to hang" }))
          })
        )
      })
  })
