import { Effect, Layer } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { type Platform, PlatformFailed } from "@sightline/domain/Platform"
import { Egress } from "@sightline/egress/Egress"
import { EgressFailed } from "@sightline/egress/EgressFailed"
import type { Capture } from "@sightline/platforms/Capture"
import type { Machine } from "./machine.ts"
import type { World } from "./world.ts"

/** What a platform says: brands in an order that the dice make. */
const answerOf = (world: World, platform: Platform): Answer => ({
  text: world.dice() < 0.7 ? "1. **Globex** leads.\n2. **Acme** follows." : "**Globex** leads, and nobody follows.",
  raw: "",
  citations: [{ url: `https://example.com/${world.between(1, 3)}`, title: "A page" }],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: platform,
  finish: "stop"
})

/** Something outside that answers when its turn comes, after a while, or never. */
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

/** How each of the platforms answers, when it does. */
export const captureOf =
  (world: World, machine: Machine, platform: Platform): Capture =>
  () =>
    Effect.suspend(() =>
      answering(world, machine, {
        name: `${platform} answers ${machine.name}`,
        isNever: world.strikes("upstreamHangs"),
        millis: world.strikes("upstreamSlow") ? world.between(5_000, 70_000) : world.between(100, 4_000),
        answer: () => {
          const isFailure = world.strikes("upstreamFails")
          world.note(`${platform} ${isFailure ? "fails" : "answers"} ${machine.name}`)
          return isFailure
            ? Effect.fail(new PlatformFailed({ platform, code: "provider_error", message: "told to fail" }))
            : Effect.succeed(answerOf(world, platform))
        }
      })
    )

/** A request as a receiver of webhooks got it. */
export interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly status: number
}

/** The door to receivers, who answer 200, 500, or not in time. `received` is told of every request that left. */
export const layerReceivers = (world: World, machine: Machine, received: (request: Received) => void) =>
  Layer.mock(Egress, {
    post: ({ url, headers, body }, deadline) =>
      Effect.suspend(() => {
        const isNever = world.strikes("receiverHangs")
        const status = isNever ? 0 : world.strikes("receiverFails") ? 500 : 200
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
