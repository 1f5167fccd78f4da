/**
 * What only a server can do to work queues: lose its store, fail, come back, and be used by other programs.
 *
 * Planted and seen red:
 * - no acknowledgement;
 * - installations separated by neither stream nor subject, or by the stream only;
 * - a stream not created again, or no second push after it was missing;
 * - a deaf consumer left as it is, or the server's silence awaited without an end;
 * - pulls, pushes and stream creations that outlive their connection;
 * - a consumer created again after every lost connection;
 * - messages stored in memory only;
 * - failure on a stream with the limits of another version;
 * - no check that JetStream is on;
 * - a message acknowledged after its first id;
 * - held ids not released at the end;
 * - each limit left out, changed, or not updated;
 * - a stream created for each use, or a missing one not noticed by consumers;
 * - ids of one push sent separately;
 * - a failed push not logged, or logged each time;
 * - a consumer created again because no message came;
 * - a stream that cannot be created not logged, logged with another reason, or at each attempt;
 * - its recovery not logged;
 * - a deaf consumer not deleted;
 * - the subscription of a pull kept;
 * - a stream looked up again because no message came;
 * - no progress reported during a claim, or still reported after it;
 * - queues stored by one of three servers;
 * - three replicas required of two servers;
 * - a stream left with one copy when the other servers are there;
 * - each push to an unreachable queue awaited;
 * - replies that a blocked process has not read yet taken for silence;
 * - a push without a time limit of its own.
 */
import { DiscardPolicy, jetstreamManager, RetentionPolicy } from "@nats-io/jetstream"
import { connect, nanos } from "@nats-io/transport-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Logger, Metric, Schedule, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { waitingMax, type WorkQueue } from "@sightline/actor/WorkQueue"
import { freePort } from "../services/freePort.ts"
import { startNats } from "../services/nats.ts"
import { connected, items, taken } from "./workQueues.ts"

// Less than the 30 s of the server's acknowledgement timeout: an id that is handed out only after that counts as lost.
const lostMillis = 28_000
vi.setConfig({ testTimeout: lostMillis })

const server = (options?: Parameters<typeof startNats>[0]) =>
  Effect.acquireRelease(
    Effect.promise(() => startNats(options)),
    (server) => Effect.promise(() => server.stop())
  )

const often = Schedule.spaced("20 millis")

/** A connection of another program. */
const connection = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(() => connect({ servers: url })),
    (connection) => Effect.promise(() => connection.close())
  )

/** The streams as an operator sees them. */
const managed = (url: string) =>
  Effect.flatMap(connection(url), (connection) => Effect.promise(() => jetstreamManager(connection)))

/** The settings of the servers of one cluster. */
const memberSettings = Effect.fnUntraced(function* (size: number) {
  const ports = yield* Effect.replicateEffect(Effect.promise(freePort), size)
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(", ")
  const settings = (port: number) => {
    const name = `member-${port}`
    const place = `cluster { name: ours, listen: "127.0.0.1:${port}", routes: [${routes}] }`
    return { name, config: [`server_name: ${name}`, place] }
  }
  const [first = 0, ...others] = ports
  return [settings(first), ...others.map(settings)] as const
})

type Settings = Effect.Success<ReturnType<typeof memberSettings>>[number]

/** Starts one server of a cluster. */
const member = (settings: Settings) => Effect.map(server(settings), (started) => ({ ...settings, ...started }))

/** Waits until the cluster counts all of its servers: each can have a copy of a stream. */
const untilWhole = (url: string, size: number) =>
  Effect.gen(function* () {
    const observer = yield* connection(url)
    const retried = <A>(ask: () => Promise<A>) => Effect.retry(Effect.tryPromise(ask), often)
    const { streams } = yield* retried(() => jetstreamManager(observer, { timeout: 500 }))
    const name = randomUUID()
    // A new entry in the cluster's log: a server that is not counted yet answers it, and is counted then.
    yield* retried(() => streams.add({ name, subjects: [name] }))
    yield* retried(() => streams.update(name, { num_replicas: size }))
  }).pipe(Effect.scoped)

/**
 * Starts servers that make a cluster whole. Servers of NATS 2.10 may miss each other's votes, or count one server less, and stay so: then
 * they are stopped and started anew.
 */
const whole = Effect.fnUntraced(function* <A, E, R>(
  start: Effect.Effect<A, E, R>,
  urlOf: (started: A) => string,
  size: number
) {
  const scope = yield* Effect.scope
  const attempt = Effect.gen(function* () {
    const own = yield* Scope.fork(scope)
    return yield* Effect.tap(start, (started) => untilWhole(urlOf(started), size)).pipe(
      Scope.provide(own),
      Effect.timeout("12 seconds"),
      Effect.onError(() => Scope.close(own, Exit.void))
    )
  })
  return yield* Effect.retry(attempt, often)
})

/** Servers of one cluster, until the scope closes. The cluster may have further ones, which are not started. */
const clusterOf = ([first, ...others]: readonly [Settings, ...ReadonlyArray<Settings>]) =>
  whole(
    Effect.gen(function* () {
      return [yield* member(first), ...(yield* Effect.forEach(others, member))] as const
    }),
    ([{ url }]) => url,
    1 + others.length
  )

/** All servers of one cluster, until the scope closes. */
const cluster = (size: number) => Effect.flatMap(memberSettings(size), clusterOf)

/** Starts a server that the others of a cluster of `size` wait for. */
const joined = (settings: Settings & { readonly port?: number }, size: number) =>
  whole(member(settings), ({ url }) => url, size)

/** Waits until this many processes pull from the stream. */
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

/** The number of subscriptions of our processes on a server, according to its monitor. */
const subscriptions = (monitor: number) =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${monitor}/connz`)
    const { connections } = Schema.decodeUnknownSync(Connections)(await response.json())
    return connections.reduce((sum, one) => (one.name === "sightline" ? sum + one.subscriptions : sum), 0)
  })

/** Pushes an id until it is taken, because a refused push is only logged. */
const handedOn = (queues: WorkQueue["Service"], queue: string, id: string) =>
  Effect.raceFirst(
    taken(queues, queue, 1),
    Effect.andThen(Effect.repeat(queues.push(queue, items(id)), often), Effect.never)
  )

/** The number of ids of a queue that were reported as not announced. */
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
  it.live("remove claimed ids", () =>
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

  it.live("of two installations are separate", () =>
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
    // A busy machine needs half a minute to create so many, and loses nothing meanwhile.
    120_000
  )

  it.live("are created once by each process, however many of its fibers use them at once", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const [near, far] = [yield* connected(url), yield* connected(url)]
      const observer = yield* connection(url)
      const made: Array<string> = []
      observer.subscribe("$JS.API.STREAM.CREATE.*", { callback: (_, { subject }) => void made.push(subject) })
      yield* Effect.promise(() => observer.flush())
      const use = ({ push }: typeof near, id: string) =>
        Effect.andThen(push("asks", items(id)), push("asks", items(`${id}, too`)))
      // One process after the other: if two create the same stream at once, the server may refuse one, which then retries.
      yield* Effect.all([use(near, "a"), use(near, "b"), use(near, "c")], { concurrency: "unbounded" })
      yield* use(far, "d")
      yield* taken(near, "asks", 8)
      yield* Effect.promise(() => observer.flush())
      assert.deepEqual(made, Array(2).fill("$JS.API.STREAM.CREATE.test_asks"))
    })
  )

  it.live("continue when a consumer is deleted, with notice of the server or without; idle ones are left alone", () => {
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
      // NATS 2.10 answers that the consumer is gone; NATS 2.9 does not answer.
      const isNoticed = logged.length === 0
      const repaired = ["Work queue does not answer, its consumer is made anew", { stream: "test_asks" }]
      assert.deepEqual(logged, isNoticed ? [] : [repaired])
      // A deaf consumer would otherwise stay; the server's reply that nothing came is no reason to look again.
      yield* Effect.promise(() => observer.flush())
      assert.deepEqual(seen, isNoticed ? [] : ["CONSUMER.DELETE.test_asks.takers"])
      // No pull, successful or not, leaves a subscription.
      yield* Effect.repeat(subscriptions(monitor), { schedule: often, until: (count) => count <= before })
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live("keep their consumer when a process that waited on it was blocked", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { url } = yield* server()
      const queues = yield* connected(url)
      const waiting = yield* Effect.forkChild(taken(queues, "asks", 1))
      yield* untilWaiting(url, "test_asks")
      // The server replies after 3 s that nothing came, and counts as silent after 6 s. From an immediate, the timers run before
      // the socket is read.
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

  it.live("continue when a stream is deleted while a consumer waits for it", () =>
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
      // Also without a push, which would notice it too.
      const alone = yield* Effect.forkChild(taken(near, "asks", 1))
      yield* untilWaiting(url, "test_asks")
      yield* Effect.promise(() => streams.delete("test_asks"))
      // Without using the server's notice, a consumer waits for 6 s.
      yield* Effect.timeout(untilWaiting(url, "test_asks"), "4 seconds")
      yield* far.push("asks", items("at last"))
      assert.deepEqual(yield* Fiber.join(alone), ["at last"])
    })
  )

  it.live("continue when the server is killed and loses its store", () => {
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
      // A push, a pull or a stream creation that outlives its connection ends 5 s or more after it.
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

  it.live("keep pushed ids when the server is restarted with its store", () => {
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
    "continue when one of three clustered servers is killed, both new ones and those created by an older version",
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

  it.effect(
    "get their copies within a minute of the time when the servers for them are there",
    () =>
      Effect.gen(function* () {
        const [first, second = assert.fail(), third = assert.fail()] = yield* memberSettings(3)
        const [{ url }] = yield* TestClock.withLive(clusterOf([first, second]))
        const queues = yield* connected(url)
        yield* queues.push("asks", items("a"))
        const { streams } = yield* managed(url)
        const copies = Effect.promise(async () => (await streams.info("test_asks")).config.num_replicas)
        assert.strictEqual(yield* copies, 1)
        yield* TestClock.withLive(joined(third, 3))
        yield* TestClock.adjust("1 minute")
        yield* TestClock.withLive(Effect.repeat(copies, { schedule: often, until: (count) => count === 3 }))
        assert.deepEqual(yield* taken(queues, "asks", 1), ["a"])
      }).pipe(quiet),
    60_000
  )

  it.live("are stored by one server of a cluster of two", () =>
    Effect.gen(function* () {
      const [{ url }] = yield* cluster(2)
      const queues = yield* Effect.retry(connected(url), often)
      assert.deepEqual(yield* handedOn(queues, "asks", "a"), ["a"])
    }).pipe(quiet)
  )

  it.live(
    "do not delay pushes to a stream whose server is away, except the first, and continue when it is back",
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
        // The other server may accept some until it notices.
        yield* Effect.repeat(Effect.andThen(queues.push("asks", items("lost")), unannounced("asks")), {
          until: (count) => count > before
        })
        // One push that waits would take 5 s.
        yield* Effect.timeout(Effect.replicateEffect(queues.push("asks", items("a", "b")), 10), "1 second")
        yield* joined(away, 2)
        yield* Effect.repeat(handedOn(queues, "asks", "after"), { until: ([id]) => id === "after" })
      }).pipe(quiet),
    120_000
  )

  it.live("hand out soon the ids that a stopping process releases", () =>
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

  it.live("hand out the ids that a stopping process received together with the one it claimed", () =>
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

  it.live("hand ids of one push to one process", () =>
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

  it.effect("leave an id to its claim for as long as that lasts, and hand it out when no progress is reported", () =>
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
      // The test clock runs ahead of the server, which hands out an id again after two seconds without progress.
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

  it.live("take over a stream that was created with other limits, and apply their own", () =>
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
      // The guarantees of `WorkQueue`: how many ids wait and for how long, the deduplication window, and 30 s for each claim.
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

  it.live("log once why the server does not accept a stream, and once that it does", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { url } = yield* server()
      const { streams } = yield* managed(url)
      const queues = yield* connected(url)
      yield* Effect.promise(() => streams.add({ name: "other", subjects: ["work.test.>"] }))
      // This push tries twice.
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

  it.effect("give up a push that has not been acknowledged for five seconds", () => {
    const logged: Array<unknown> = []
    return Effect.gen(function* () {
      const { url } = yield* server()
      const queues = yield* connected(url)
      yield* queues.push("asks", items("a"))
      const { streams } = yield* managed(url)
      yield* Effect.promise(() => streams.delete("test_asks"))
      // Receives the message in place of the stream, and is silent.
      const stranger = yield* connection(url)
      const arrived = yield* Latch.make()
      stranger.subscribe("work.test.asks", { callback: () => void arrived.openUnsafe() })
      yield* Effect.promise(() => stranger.flush())
      const pushing = yield* Effect.forkChild(queues.push("asks", items("b")))
      yield* arrived.await
      yield* TestClock.adjust("5 seconds")
      yield* Fiber.join(pushing)
      assert.deepEqual(logged, [
        ["Work not announced", { queue: "asks", ids: 1, reason: "Operation timed out after '5s'" }]
      ])
    }).pipe(Effect.provide(Logger.layer([Logger.make(({ message }) => void logged.push(message))])))
  })

  it.live("fail to start if JetStream is off", () =>
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
