import { Context, Effect, Layer } from "effect"
import { Nats } from "@sightline/actor/Nats"
import * as NatsWorkQueue from "@sightline/actor/NatsWorkQueue"
import { WorkQueue } from "@sightline/actor/WorkQueue"

/** Two participants of the same work queues: over NATS with two connections, like two processes; in memory there is only one. */
export class Peers extends Context.Service<
  Peers,
  { readonly near: WorkQueue["Service"]; readonly far: WorkQueue["Service"] }
>()("test/actor/workQueues/Peers") {}

const memory = Layer.effect(
  Peers,
  WorkQueue.use((queues) => Effect.succeed({ near: queues, far: queues }))
).pipe(Layer.provide(WorkQueue.layerMemory))

/** The work queues of another process of an installation. */
export const connected = (servers: string, name = "test") =>
  Effect.map(
    Layer.build(Layer.fresh(Layer.provide(NatsWorkQueue.layer(name), Nats.layer({ servers })))),
    Context.get(WorkQueue)
  )

const nats = Layer.effect(
  Peers,
  Effect.gen(function* () {
    const servers = process.env["SIGHTLINE_TEST_NATS_URL"]
    if (servers === undefined) return yield* Effect.die("no NATS server: run the tests through infra/services")
    const [near, far] = yield* Effect.all([connected(servers), connected(servers)])
    return { near, far }
  })
)

/** Every implementation of the work queues. All must pass the same tests. */
export const workQueues = [
  { name: "in memory", peers: memory },
  { name: "over NATS", peers: nats }
] as const

let queues = 0

/** A queue that no other test uses. */
export const freshQueue = (): string => `test-${process.pid}-${++queues}`

/** Items with these ids, all in their first turn. */
export const items = (...ids: ReadonlyArray<string>) => ids.map((id) => ({ id, turn: 0 }))

/** Takes the next `count` ids, one after the other. */
export const taken = (queues: WorkQueue["Service"], queue: string, count: number) =>
  Effect.replicateEffect(queues.next(queue, Effect.succeed), count)
