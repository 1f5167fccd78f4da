/**
 * What only a server can do to work queues: lose its store, die, come back, and be somebody else's too.
 *
 * Planted and seen red: no acknowledgement; installations told apart by neither stream nor subject, or by the stream
 * alone; a stream not made again, nor pushed to a second time; a deaf consumer left as it is, or the server's silence
 * waited for without end; pulls, pushes and streams in the making that outlive their connection; a consumer made anew
 * after every lost connection; messages kept in memory only; limits of another version insisted on; no look at whether
 * JetStream is on; a message done with its first id; what is held not given back at the end; each limit left out or
 * another, or not updated; a stream made for each use, or not missed by those who take; what is pushed together sent
 * apart; what cannot be pushed not logged, or each time; a consumer made anew because nothing came; a stream that cannot be
 * made told to nobody, with another reason, or at each try; that it can be again told to nobody; a deaf consumer not deleted; the
 * subscription of a pull kept; a stream looked for again because nothing came; nothing said of a claim that is under way, or said
 * on when it is over; queues kept by one server of three; three copies insisted on where two servers are; each push of a queue
 * out of reach waited for; words that a process which stood still has not read taken for silence.
 */
import { DiscardPolicy, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream"
import { connect, nanos } from "@nats-io/transport-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Logger, Metric, Schedule, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { waitingMax, type WorkQueue } from "@sightline/actor/WorkQueue"
import { freePort } from "../services/freePort.ts"
import { startNats } from "../services/nats.ts"
import { connected, items, taken } from "./workQueues.ts"

// Less than the 30 s that the server waits for an answer: what is handed out only then counts as lost.
const lostMillis = 28_000
vi.setConfig({ testTimeout: lostMillis })

const server = (options?: Parameters<typeof startNats>[0]) =>
  Effect.acquireRelease(
    Effect.promise(() => startNats(options)),
    (server) => Effect.promise(() => server.stop())
  )

/** Servers of one cluster, until the scope closes. */
const cluster = Effect.fnUntraced(function* (size: number) {
  const ports = yield* Effect.replicateEffect(Effect.promise(freePort), size)
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ")
  const member = Effect.fnUntraced(function* (port: number) {
    const name = `member-${port}`
    const place = `cluster { name: ours, listen: "127.0.0.1:${port}", routes: [${routes}] }`
    const config = [`server_name: ${name}`, place]
    return { name, config, ...(yield* server({ config })) }
  })
  const [first = 0, ...others] = ports
  return [yield* member(first), ...(yield* Effect.forEach(others, member))] as const
})

const often = Schedule.spaced("20 millis")

/** A connection of somebody else's. */
const connection = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => connect({ servers: url })),
    (connection) => Effect.promise(() => connection.close())
  )

/** What an operator sees of the streams. */
const managed = (url: string) =>
  Effect.flatMap(connection(url), (connection) => Effect.promise(() => jetstreamManager(connection)))

/** Until so many processes wait for what the stream may bring. */
const untilWaiting = (url: string, stream: string, processes = 1) =>
  Effect.gen(function* () {
    const { consumers } = yield* managed(url)
    const pulls = Effect.tryPromise(async () => (await consumers.info(stream, "takers")).num_waiting)
    yield* Effect.repeat(
      Effect.orElseSucceed(pulls, () => 0),
      { schedule: often, until: (count) => count === processes }
    )
  }).pipe(Effect.scoped)

const Connections = Schema.Struct({
  connections: Schema.Array(Schema.Struct({ name: Schema.optionalKey(Schema.String), subscriptions: Schema.Int }))
})

/** How many subscriptions our processes have on a server, as its monitor says. */
const subscriptions = (monitor: number) =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${monitor}/connz`)
    const { connections } = Schema.decodeUnknownSync(Connections)(await response.json())
    return connections.reduce((sum, one) => (one.name === "sightline" ? sum + one.subscriptions : sum), 0)
  })

/** Takes an id that is pushed until somebody has it: a push that is refused is only logged. */
const handedOn = (queues: WorkQueue["Service"], queue: string, id: string) =>
  Effect.raceFirst(
    taken(queues, queue, 1),
    Effect.andThen(Effect.repeat(queues.push(queue, items(id)), often), Effect.never)
  )

/** How many ids of a queue its operator was told of that it did not take. */
const unannounced = (queue: string) =>
  Effect.map(
    Metric.snapshot,
    (metrics) =>
      metrics
        .filter(({ id, attributes }) => id === "sightline_work_not_announced_total" && attributes?.["queue"] === queue)
        .map(({ state }) => ("count" in state ? Number(state.count) : 0))[0] ?? 0
  )

const quiet = Effect.provide(Logger.layer([]))

describe("work queues over NATS", () => {
  it.live("keep nothing of what was claimed", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const queues = yield* connected(url)
      yield* queues.push("asks", items("a", "b", "c"))
      yield* taken(queues, "asks", 2)
      const { streams } = yield* managed(url)
      const left = Effect.promise(async () => (await streams.info("test_asks")).state.messages)
      assert.strictEqual(yield* Effect.repeat(left, { schedule: often, until: (count) => count === 1 }), 1)
    })
  )

  it.live("of two installations never meet", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const [here, there] = [yield* connected(url, "here"), yield* connected(url, "there")]
      yield* here.push("asks", items("from here"))
      yield* there.push("asks", items("from there"))
      yield* there.push("asks", items("from here"))
      assert.deepEqual(yield* taken(there, "asks", 2), ["from there", "from here"])
      assert.deepEqual(yield* taken(here, "asks", 1), ["from here"])
    })
  )

  it.live(
    "work when several processes use them for the first time at once",
    () =>
      Effect.gen(function* () {
        const { url } = yield* server()
        const [near, far] = [yield* connected(url), yield* connected(url)]
        const queues = Array.from({ length: 100 }, (_, number) => `queue-${number}`)
        const use = (queue: string) =>
          Effect.timeout(
            Effect.all([taken(near, queue, 1), taken(far, queue, 1), near.push(queue, items("a", "b"))], {
              concurrency: "unbounded"
            }),
            lostMillis
          )
        const used = yield* Effect.forEach(queues, use, { concurrency: 5 })
        for (const [one, other] of used) assert.sameMembers([...one, ...other], ["a", "b"])
      }).pipe(quiet),
    // A busy machine takes half a minute to make so many, and loses nothing meanwhile.
    120_000
  )

  it.live("are made once by each process, however many of its fibers use them at once", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const [near, far] = [yield* connected(url), yield* connected(url)]
      const observer = yield* connection(url)
      const made: Array<string> = []
      observer.subscribe("$JS.API.STREAM.CREATE.*", { callback: (_, { subject }) => void made.push(subject) })
      yield* Effect.promise(() => observer.flush())
      const use = ({ push }: typeof near, id: string) =>
        Effect.andThen(push("asks", items(id)), push("asks", items(`${id}, too`)))
      // One process after the other: to two that make the same stream at once the server may refuse it to one, who asks again.
      yield* Effect.all([use(near, "a"), use(near, "b"), use(near, "c")], { concurrency: "unbounded" })
      yield* use(far, "d")
      yield* taken(near, "asks", 8)
      yield* Effect.promise(() => observer.flush())
      assert.deepEqual(made, Array(2).fill("$JS.API.STREAM.CREATE.test_asks"))
    })
  )

  it.live(
    "go on when a consumer is deleted, which the server tells nobody about; those that are only idle are left alone",
    () => {
      const logged: Array<unknown> = []
      return Effect.gen(function* () {
        const monitor = yield* Effect.promise(freePort)
        const { url } = yield* server({ config: [`http: "127.0.0.1:${monitor}"`] })
        const queues = yield* connected(url)
        yield* Effect.forkChild(taken(queues, "idle", 1))
        yield* untilWaiting(url, "test_idle")
        const before = yield* subscriptions(monitor)
        yield* queues.push("asks", items("a", "b"))
        yield* taken(queues, "asks", 1)
        const { consumers } = yield* managed(url)
        yield* Effect.promise(() => consumers.delete("test_asks", "takers"))
        const observer = yield* connection(url)
        const seen: Array<string> = []
        for (const api of ["CONSUMER.DELETE.test_asks.takers", "STREAM.CREATE.test_idle"])
          observer.subscribe(`$JS.API.${api}`, { callback: () => void seen.push(api) })
        yield* Effect.promise(() => observer.flush())
        assert.deepEqual(yield* taken(queues, "asks", 1), ["b"])
        const repaired = ["Work queue does not answer, its consumer is made anew", { stream: "test_asks" }]
        assert.deepEqual(logged, [repaired])
        // One that is deaf would be left as it is otherwise; the server's word that nothing came is no reason to look again.
        yield* Effect.promise(() => observer.flush())
        assert.deepEqual(seen, ["CONSUMER.DELETE.test_asks.takers"])
        // Nothing is left of what was waited for, in vain or not.
        yield* Effect.repeat(subscriptions(monitor), { schedule: often, until: (count) => count <= before })
      }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
    }
  )

  it.live("leave a consumer as it is where a process that waited for it stood still", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { url } = yield* server()
      const queues = yield* connected(url)
      const waiting = yield* Effect.forkChild(taken(queues, "asks", 1))
      yield* untilWaiting(url, "test_asks")
      // The server says after 3 s that nothing came, and is taken for silent after 6 s. Out of a check phase, so that the timers come
      // before the socket is read.
      yield* Effect.callback<void>((resume) => {
        setImmediate(() => {
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 6_500)
          resume(Effect.void)
        })
      })
      yield* queues.push("asks", items("a"))
      assert.deepEqual(yield* Fiber.join(waiting), ["a"])
      assert.deepEqual(logged, [])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live("go on when a stream is deleted while somebody waits for it", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const [near, far] = [yield* connected(url), yield* connected(url)]
      const { streams } = yield* managed(url)
      yield* far.push("asks", items("before"))
      const waiting = yield* Effect.forkChild(taken(near, "asks", 2))
      yield* untilWaiting(url, "test_asks")
      yield* Effect.promise(() => streams.delete("test_asks"))
      yield* far.push("asks", items("after"))
      assert.deepEqual(yield* Fiber.join(waiting), ["before", "after"])
      // Also when nobody pushes anything, who would miss it too.
      const alone = yield* Effect.forkChild(taken(near, "asks", 1))
      yield* untilWaiting(url, "test_asks")
      yield* Effect.promise(() => streams.delete("test_asks"))
      // Whoever does not believe the server's word of it waits for 6 s.
      yield* Effect.timeout(untilWaiting(url, "test_asks"), "4 seconds")
      yield* far.push("asks", items("at last"))
      assert.deepEqual(yield* Fiber.join(alone), ["at last"])
    })
  )

  it.live("go on when the server was killed and has lost its store", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const first = yield* Effect.promise(() => startNats())
      const [near, far] = [yield* connected(first.url), yield* connected(first.url)]
      yield* near.push("asks", items("claimed", "kept by nobody"))
      yield* taken(far, "asks", 1)
      const waiting = yield* Effect.forkChild(taken(far, "idle", 1))
      yield* untilWaiting(first.url, "test_idle")
      const many = items(...Array.from({ length: 50_000 }, (_, number) => `on its way ${number}`))
      const pushing = yield* Effect.forkChild(near.push("asks", many), { startImmediately: true })
      const late = yield* Effect.forkChild(taken(far, "late", 1), { startImmediately: true })
      yield* Effect.promise(() => first.stop("SIGKILL"))
      // A push or pull that outlives its connection, or a stream in the making, ends 5 s or more after it.
      yield* Effect.timeout(Fiber.join(pushing), "4 seconds")
      yield* near.push("asks", items("while it was away", "and more"))
      yield* near.push("idle", items("a", "b"))
      const lines = () => logged.filter((message) => String(message).startsWith("Work not announced"))
      const lost = (queue: string, ids: number) => ["Work not announced", { queue, ids, reason: "disconnected" }]
      assert.deepEqual(lines(), [lost("asks", many.length), lost("idle", 2)])

      yield* server({ port: first.port })
      const claimed = yield* Effect.forkChild(taken(far, "asks", 2))
      const streams = ["test_idle", "test_late", "test_asks"]
      const back = Effect.sync(() => logged.filter((message) => String(message).includes("connection is back")).length)
      yield* Effect.repeat(back, { schedule: often, until: (count) => count === 2 })
      yield* Effect.timeout(
        Effect.forEach(streams, (stream) => untilWaiting(first.url, stream)),
        "4 seconds"
      )
      yield* near.push("idle", items("idle"))
      yield* near.push("asks", items("claimed", "swept"))
      yield* near.push("late", items("late"))
      assert.deepEqual(yield* Fiber.join(waiting), ["idle"])
      assert.deepEqual(yield* Fiber.join(late), ["late"])
      assert.deepEqual(yield* Fiber.join(claimed), ["claimed", "swept"])
      assert.notInclude(logged.join(), "made anew")
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live("keep what was pushed when the server is restarted with its store", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const store = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "sightline-store-"))),
        (store) => Effect.promise(() => rm(store, { recursive: true, force: true }))
      )
      const first = yield* Effect.promise(() => startNats({ store }))
      const queues = yield* connected(first.url)
      yield* queues.push("asks", items("a", "b"))
      const waiting = yield* Effect.forkChild(taken(queues, "idle", 1))
      yield* untilWaiting(first.url, "test_idle")
      yield* Effect.promise(() => first.stop())
      yield* server({ port: first.port, store })
      assert.deepEqual(yield* taken(queues, "asks", 2), ["a", "b"])
      yield* queues.push("idle", items("c"))
      assert.deepEqual(yield* Fiber.join(waiting), ["c"])
      assert.notInclude(logged.join(), "made anew")
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live(
    "go on when a server of a cluster of three is killed, new ones and those that a version before made",
    () =>
      Effect.gen(function* () {
        const members = yield* cluster(3)
        const [{ url }] = members
        const before = yield* Effect.retry(connected(url), often)
        const { streams } = yield* managed(url)
        const retention = RetentionPolicy.Workqueue
        yield* Effect.promise(() => streams.add({ name: "test_asks", subjects: ["work.test.asks"], retention }))
        for (const queue of ["asks", "runs"]) assert.deepEqual(yield* handedOn(before, queue, "before"), ["before"])
        const { cluster: place } = yield* Effect.promise(() => streams.info("test_asks"))
        const lost = members.find(({ name }) => name === place?.leader)
        const left = members.filter((member) => member !== lost)
        const queues = yield* connected(left.map((member) => member.url).join(","))
        yield* Effect.promise(async () => lost?.stop("SIGKILL"))
        for (const queue of ["asks", "runs"]) assert.deepEqual(yield* handedOn(queues, queue, "after"), ["after"])
      }).pipe(quiet),
    60_000
  )

  it.live("are kept by one server of a cluster of two", () =>
    Effect.gen(function* () {
      const [{ url }] = yield* cluster(2)
      const queues = yield* Effect.retry(connected(url), often)
      assert.deepEqual(yield* handedOn(queues, "asks", "a"), ["a"])
    }).pipe(quiet)
  )

  it.live(
    "let nobody wait for a stream whose server is away, but for the first one, and go on when it is back",
    () =>
      Effect.gen(function* () {
        const members = yield* cluster(2)
        const queues = yield* Effect.retry(connected(members.map(({ url }) => url).join(",")), often)
        assert.deepEqual(yield* handedOn(queues, "asks", "before"), ["before"])
        const { streams } = yield* managed(members[0].url)
        const { cluster: place } = yield* Effect.promise(() => streams.info("test_asks"))
        const away = members.find(({ name }) => name === place?.leader)
        if (away === undefined) return assert.fail("no server has the stream")
        const before = yield* unannounced("asks")
        yield* Effect.promise(() => away.stop("SIGKILL"))
        // Until it is missed, the other one may still take some.
        yield* Effect.repeat(Effect.andThen(queues.push("asks", items("lost")), unannounced("asks")), {
          until: (count) => count > before
        })
        // One that was waited for would take 5 s.
        yield* Effect.timeout(Effect.replicateEffect(queues.push("asks", items("a", "b")), 10), "1 second")
        yield* server({ port: away.port, config: away.config })
        yield* Effect.repeat(handedOn(queues, "asks", "after"), { until: ([id]) => id === "after" })
      }).pipe(quiet),
    120_000
  )

  it.live("hand out soon what a process gives back as it goes", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const stays = yield* connected(url)
      const scope = yield* Scope.make()
      const goes = yield* Scope.provide(connected(url), scope)
      const ids = Array.from({ length: 100 }, (_, number) => `id-${number}`)
      yield* stays.push("asks", items(...ids))
      const begun = yield* Latch.make()
      let claims = 0
      const claim = () => Effect.andThen(++claims === ids.length ? begun.open : Effect.void, Effect.never)
      for (const _ of ids) yield* Effect.forkIn(goes.next("asks", claim), scope)
      yield* begun.await
      yield* Scope.close(scope, Exit.void)
      assert.sameMembers(yield* taken(stays, "asks", ids.length), ids)
    })
  )

  it.live("hand out what a process that ends had been sent together with what it claimed", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const queues = yield* connected(url)
      const scope = yield* Scope.make()
      const ending = yield* Scope.provide(connected(url), scope)
      yield* queues.push("runs", items("a", "b", "c"), 3)
      assert.deepEqual(yield* taken(ending, "runs", 1), ["a"])
      yield* Scope.close(scope, Exit.void)
      const left = new Set<string>()
      const take = queues.next("runs", (id) => Effect.sync(() => left.add(id)))
      yield* Effect.repeat(take, { until: () => left.has("b") && left.has("c") })
    })
  )

  it.live("hand ids that were pushed together to one process", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const [near, far] = [yield* connected(url), yield* connected(url)]
      const claims: Array<string> = []
      for (const [name, { next }] of Object.entries({ near, far })) {
        const claim = next("runs", () => Effect.sync(() => claims.push(name)))
        yield* Effect.forkChild(Effect.forever(claim))
      }
      yield* untilWaiting(url, "test_runs", 2)
      yield* near.push("runs", items("a", "b", "c", "d"), 4)
      yield* Effect.repeat(
        Effect.sync(() => claims.length),
        { schedule: often, until: (count) => count === 4 }
      )
      assert.strictEqual(new Set(claims).size, 1)
    })
  )

  it.effect(
    "leave an id to whoever claims it for as long as that lasts, and hand it out when nothing is said of it",
    () =>
      Effect.gen(function* () {
        const { url } = yield* server()
        const [near, far] = [yield* connected(url), yield* connected(url)]
        yield* near.push("asks", items("slow"))
        const begun = yield* Latch.make()
        const claiming = yield* Effect.forkChild(near.next("asks", () => Effect.andThen(begun.open, Effect.never)))
        yield* begun.await
        yield* far.push("asks", items("silent"))
        const { consumers } = yield* managed(url)
        yield* Effect.promise(() => consumers.update("test_asks", "takers", { ack_wait: nanos(2_000) }))
        const stranger = yield* connection(url)
        const pull = "$JS.API.CONSUMER.MSG.NEXT.test_asks.takers"
        const pulled = Effect.promise(() => stranger.request(pull, '{"batch":1}', { timeout: 5_000, noMux: true }))
        assert.strictEqual((yield* pulled).string(), "silent")
        // Our clock runs ahead of the server's, which hands out again what it was told nothing of for two seconds.
        const late = Effect.andThen(
          TestClock.adjust("10 seconds"),
          Effect.promise(() => stranger.flush())
        )
        const next = Effect.gen(function* () {
          const taking = yield* Effect.forkChild(far.next("asks", Effect.succeed))
          yield* Effect.repeat(late, { until: () => taking.pollUnsafe() !== undefined })
          return yield* Fiber.join(taking)
        })
        assert.strictEqual(yield* next, "silent")
        yield* Fiber.interrupt(claiming)
        assert.strictEqual(yield* next, "slow")
      })
  )

  it.live("take over a stream that was made with other limits, and keep to their own", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const { consumers, streams } = yield* managed(url)
      yield* Effect.promise(() =>
        streams.add({
          name: "test_asks",
          subjects: ["work.test.asks"],
          retention: RetentionPolicy.Workqueue,
          max_msgs: 7
        })
      )
      const queues = yield* connected(url)
      yield* queues.push("asks", items("a"))
      assert.deepEqual(yield* taken(queues, "asks", 1), ["a"])
      // What `WorkQueue` promises: how much waits, and for how long; until when the same is one; who has it for 30 s alone.
      assert.deepInclude((yield* Effect.promise(() => streams.info("test_asks"))).config, {
        max_msgs: waitingMax,
        discard: DiscardPolicy.New,
        max_age: nanos(15 * 60_000),
        duplicate_window: nanos(2 * 60_000)
      })
      const { config } = yield* Effect.promise(() => consumers.info("test_asks", "takers"))
      assert.deepInclude(config, { ack_wait: nanos(30_000), max_ack_pending: -1, max_waiting: 10_000 })
    })
  )

  it.live("say once why the server does not take a stream, and once that it does", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { url } = yield* server()
      const { streams } = yield* managed(url)
      const queues = yield* connected(url)
      yield* Effect.promise(() => streams.add({ name: "other", subjects: ["work.test.>"] }))
      // Which tries twice.
      yield* queues.push("asks", items("a"))
      const reason = "subjects overlap with an existing stream"
      assert.deepEqual(logged, [
        ["Work queue out of reach", { stream: "test_asks", error: `JetStreamApiError: ${reason}` }],
        ["Work not announced", { queue: "asks", ids: 1, reason }]
      ])
      yield* Effect.promise(() => streams.delete("other"))
      yield* queues.push("asks", items("b"))
      assert.deepEqual(yield* taken(queues, "asks", 1), ["b"])
      assert.deepEqual(logged.slice(2), [["Work queue is back", { stream: "test_asks" }]])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live("fail to start where JetStream is off", () =>
    Effect.gen(function* () {
      const { url } = yield* server({
        config: ["accounts { plain { users: [{ user: api, password: secret }] } }", "no_auth_user: api"]
      })
      const error = yield* Effect.flip(connected(url))
      assert.strictEqual(error._tag, "JetStreamFailed")
      assert.match(error.message, /jetstream/i)
    })
  )
})
