/**
 * What asking an actor costs: schema both ways, a bounded mailbox, a typed reply; 64 asks in flight, an answer of 400 bytes.
 *
 * In process there are two limits: the 200 000 requests a second that an in-process bus must reach, and the codec alone.
 * Over NATS the limit is the client's own request and respond, without JSON, between the same two connections.
 * Unit: answered asks per second, the median of alternating rounds.
 */
import { connect } from "@nats-io/transport-node"
import { Context, Effect, Layer, Result, Schema, Stream } from "effect"
import { ask, protocol, spawn } from "@sightline/actor/Actor"
import { Bus } from "@sightline/actor/Bus"
import { Nats } from "@sightline/actor/Nats"
import * as NatsBus from "@sightline/actor/NatsBus"
import { startNats } from "../test/services/nats.ts"
import { type Bench, median, type Row } from "./Bench.ts"

const inFlight = 64
const rounds = 5

const Capture = protocol("bench.capture", {
  request: Schema.Struct({ query: Schema.String, region: Schema.String }),
  answer: Schema.Struct({
    text: Schema.String,
    citations: Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String }))
  }),
  failure: Schema.Never
})
const question = { query: "best running shoes", region: "us" }
const answer = {
  text: "Nike, Adidas and Asics are named most often. ".repeat(6),
  citations: [{ url: "https://example.com/shoes", title: "Shoes of the year" }]
}

/** Runs of `once` per second, `inFlight` at a time. */
const rate = async (times: number, once: Effect.Effect<unknown>): Promise<number> => {
  const each = Effect.replicateEffect(once, times / inFlight, { discard: true })
  const start = performance.now()
  await Effect.runPromise(Effect.replicateEffect(each, inFlight, { concurrency: "unbounded", discard: true }))
  return (times / (performance.now() - start)) * 1_000
}

/** Measures subject and limit in turns, after one round to warm up. `target` is the ratio that their medians must reach. */
const compare = async (
  subject: string,
  target: number,
  run: () => Promise<number>,
  limit: () => Promise<number>
): Promise<Row> => {
  const [values, limits]: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    const [value, most] = [await run(), await limit()]
    if (round > 0) values.push(value)
    if (round > 0) limits.push(most)
  }
  const [value, most] = [median(values), median(limits)]
  return { subject, unit: "asks/s", value, limit: most, ratio: value / most, target }
}

const spawnCapture = spawn(Capture, "bench", {
  concurrency: inFlight,
  mailboxMax: inFlight,
  receive: () => Effect.succeed(answer)
})

const inProcess = Effect.gen(function* () {
  const bus = yield* Bus
  yield* spawnCapture
  const pull = yield* Stream.toPull(bus.subscribe("bench.echo"))
  const echo = Effect.flatMap(
    pull,
    Effect.forEach((envelope) => envelope.reply(envelope.body), { discard: true })
  )
  yield* Effect.forkScoped(Effect.forever(echo))
  const request = Effect.orDie(bus.request("bench.echo", "hello", "1 minute"))
  const asking = Effect.orDie(Effect.provideService(ask(Capture, "bench", question, "1 minute"), Bus, bus))
  const codec = Effect.sync(() => {
    Capture.request.decode(Capture.request.encode(question))
    return Capture.reply.decode(Capture.reply.encode(Result.succeed(answer)))
  })
  const floor = async () => 200_000
  return [
    yield* Effect.promise(() => compare("bus in process, request and reply", 1, () => rate(128_000, request), floor)),
    yield* Effect.promise(() =>
      compare(
        "actor ask in process; limit: its codec alone",
        0.25,
        () => rate(64_000, asking),
        () => rate(64_000, codec)
      )
    )
  ]
}).pipe(Effect.provide(Bus.layerMemory))

const overNats = Effect.gen(function* () {
  const server = yield* Effect.acquireRelease(
    Effect.promise(() => startNats()),
    (server) => Effect.promise(() => server.stop())
  )
  const bus = Effect.map(
    Layer.build(Layer.fresh(Layer.provide(NatsBus.layer, Nats.layer({ servers: server.url })))),
    Context.get(Bus)
  )
  const [near, far] = [yield* bus, yield* bus]
  yield* Effect.provideService(spawnCapture, Bus, far)
  const asking = Effect.orDie(Effect.provideService(ask(Capture, "bench", question, "1 minute"), Bus, near))

  const raw = Effect.acquireRelease(
    Effect.promise(() => connect({ servers: server.url, noAsyncTraces: true })),
    (nats) => Effect.promise(() => nats.close())
  )
  const [asker, responder] = [yield* raw, yield* raw]
  const [body, reply] = [JSON.stringify(question), JSON.stringify({ success: answer })]
  responder.subscribe("bench.raw", { queue: "bench.raw", callback: (_, message) => void message.respond(reply) })
  yield* Effect.promise(() => responder.flush())
  const rawRate = async (times: number) => {
    const start = performance.now()
    const lane = async () => {
      for (let done = 0; done < times / inFlight; done++)
        (await asker.request("bench.raw", body, { timeout: 60_000 })).string()
    }
    await Promise.all(Array.from({ length: inFlight }, lane))
    return (times / (performance.now() - start)) * 1_000
  }
  const times = 12_800
  return [
    yield* Effect.promise(() =>
      compare(
        "actor ask over NATS; limit: raw request",
        0.6,
        () => rate(times, asking),
        () => rawRate(times)
      )
    )
  ]
})

export const bench: Bench = {
  name: "actor",
  run: () => Effect.runPromise(Effect.scoped(Effect.map(Effect.all([inProcess, overNats]), (rows) => rows.flat())))
}
