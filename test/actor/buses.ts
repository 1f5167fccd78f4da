import { Context, Effect, Layer, Stream } from "effect"
import { Bus } from "@sightline/actor/Bus"
import { Nats } from "@sightline/actor/Nats"
import * as NatsBus from "@sightline/actor/NatsBus"

/** Two participants of one bus: over NATS with two connections, like two processes; in memory there is only one. */
export class Peers extends Context.Service<Peers, { readonly near: Bus["Service"]; readonly far: Bus["Service"] }>()(
  "test/actor/Peers"
) {}

const memory = Layer.effect(
  Peers,
  Bus.use((bus) => Effect.succeed({ near: bus, far: bus }))
).pipe(Layer.provide(Bus.layerMemory))

const nats = Layer.effect(
  Peers,
  Effect.gen(function* () {
    const servers = process.env["SIGHTLINE_TEST_NATS_URL"]
    if (servers === undefined) return yield* Effect.die("no NATS server: run the tests through infra/services")
    const connection = Layer.build(Layer.fresh(Layer.provide(NatsBus.layer, Nats.layer({ servers }))))
    const [near, far] = yield* Effect.all([connection, connection])
    return { near: Context.get(near, Bus), far: Context.get(far, Bus) }
  })
)

/** Every implementation of the bus. All must pass the same tests. */
export const buses = [
  { name: "in memory", peers: memory },
  { name: "over NATS", peers: nats }
] as const

let subjects = 0

/** A subject that no other test uses. */
export const freshSubject = (): string => `test.${process.pid}.${++subjects}`

/** Opens a stream. The inner effect then reads its next `count` elements. */
export const opened = <A>(stream: Stream.Stream<A>) =>
  Effect.map(
    Stream.toPull(stream),
    (pull) => (count: number) =>
      Effect.gen(function* () {
        const read: Array<A> = []
        while (read.length < count) read.push(...(yield* Effect.orDie(pull)))
        return read
      })
  )
