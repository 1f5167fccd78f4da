/**
 * What only a server can do to a bus: refuse it, fail, and come back.
 *
 * Planted and seen red:
 * - the login left out, or left in the address;
 * - the use of TLS left to the server;
 * - the servers of a cluster tried without an end;
 * - waiting requests not ended when the connection is lost or their subject is refused, or those of other subjects ended too;
 * - the connection reported as up while it is down, or as open when it is closed;
 * - no reconnection;
 * - a refusal of the server not logged, or logged for each message or reply, or never again;
 * - a subject that is not heard again after the server has refused it, or logged as heard again where nothing was refused;
 * - every subscription made anew when one is refused, or the refused one kept beside the new one;
 * - a start without receiving replies;
 * - a log line for each broadcast while the server is away;
 * - a gauge that does not change;
 * - refusals not counted, counted once per subject, counted under one name, or not exported before the first;
 * - closing without draining;
 * - no warning about a server with a smaller maximum message, or only at the start;
 * - a full server reported as a slow one;
 * - credentials read only once, or a read error thrown into the client;
 * - a log line for each refused login while it reconnects, and for each once it is back;
 * - a log line for each subscription over the limit;
 * - the delay between connection attempts left to the client, or measured by its wall clock;
 * - a loss reported to a listener that has left;
 * - the connection that tried the login left open;
 * - a message without a reply subject taken for a request;
 * - a ping every 120 s only, or every 5 s.
 */
import { connect, headers, nkeys } from "@nats-io/transport-node"
import { assert, describe, it, vi } from "@effect/vitest"
import { Context, Effect, Exit, Fiber, Layer, Logger, Metric, Result, Schedule, Schema, Scope, Stream } from "effect"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ask, protocol, spawn } from "@sightline/actor/Actor"
import { bodyBytesMax, Bus } from "@sightline/actor/Bus"
import { Nats, type NatsOptions, NatsUnreachable } from "@sightline/actor/Nats"
import * as NatsBus from "@sightline/actor/NatsBus"
import { freePort } from "../services/freePort.ts"
import { startNats } from "../services/nats.ts"
import { freshSubject, opened } from "./buses.ts"

const never = "1 hour"

const server = (options?: Parameters<typeof startNats>[0]) =>
  Effect.acquireRelease(
    Effect.promise(() => startNats(options)),
    (server) => Effect.promise(() => server.stop())
  )

const connected = (options: NatsOptions) =>
  Effect.map(Layer.build(Layer.fresh(Layer.provide(NatsBus.layer, Nats.layer(options)))), (services) =>
    Context.get(services, Bus)
  )

const quiet = Effect.provide(Logger.layer([]))

/** A credentials file, as far as a server needs one that only knows keys. */
const credentialsOf = (key: ReturnType<typeof nkeys.createUser>): string => {
  const seed = new TextDecoder().decode(key.getSeed())
  return `-----BEGIN NATS USER JWT-----\nnone\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n${seed}\n------END USER NKEY SEED------\n`
}

const noting = (lines: Array<string>) =>
  Effect.provide(
    Logger.layer([Logger.make(({ message }) => void lines.push(String(Array.isArray(message) ? message[0] : message)))])
  )

/** Stands in for a server on a port until it has refused this many logins. */
const refusing = async (port: number, times: number): Promise<number> => {
  const { promise: done, resolve } = Promise.withResolvers<number>()
  let refused = 0
  const stranger = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.write(
      `INFO ${JSON.stringify({ server_id: "s", version: "2.9.0", max_payload: bodyBytesMax, headers: true })}\r\n`
    )
    socket.once("data", () => {
      socket.end("-ERR 'Authorization Violation'\r\n")
      if (++refused === times) stranger.close(() => resolve(refused))
    })
  })
  stranger.listen(port, "127.0.0.1")
  return done
}

const Subscriptions = Schema.Struct({
  subscriptions_list: Schema.Array(Schema.Struct({ subject: Schema.String, sid: Schema.String }))
})

/** The subject and the number of every subscription, according to the server's monitor. */
const subscriptions = (monitor: number) =>
  Effect.promise(async () => {
    const response = await fetch(`http://127.0.0.1:${monitor}/subsz?subs=1`)
    const listed = Schema.decodeUnknownSync(Subscriptions)(await response.json())
    return listed.subscriptions_list.map(({ subject, sid }) => `${subject} ${sid}`).toSorted()
  })

const doubling = () => protocol(freshSubject(), { request: Schema.Int, answer: Schema.Int, failure: Schema.Never })

const often = Schedule.spaced("20 millis")

describe("the bus over NATS", () => {
  it.live("fails to start without a server, and names the address but not the password", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(connected({ servers: "nats://user:secret@127.0.0.1:1, 127.0.0.1:2" }))
      assert.deepInclude(error, { _tag: "NatsUnreachable", servers: "127.0.0.1:1,127.0.0.1:2" })
      assert.notInclude(error.message, "secret")
      const malformed = yield* Effect.flip(connected({ servers: "nats://user:secret@:what" }))
      assert.instanceOf(malformed, NatsUnreachable)
      assert.notInclude(malformed.message, "secret")
    })
  )

  it.live("fails to start on a full server, with the server's message", () =>
    Effect.gen(function* () {
      const { port, url } = yield* server({ config: ["max_connections: 1"] })
      // Until the connection that waited for the server to come up has left it.
      const alone = Effect.retry(
        Effect.tryPromise(() => connect({ port, timeout: 500 })),
        often
      )
      yield* Effect.acquireRelease(alone, (connection) => Effect.promise(() => connection.close()))
      const full = yield* Effect.flip(connected({ servers: url }))
      assert.strictEqual(full.message, "maximum connections exceeded")
    })
  )

  it.live("logs in with the user and password of its address, digits and escapes included", () =>
    Effect.gen(function* () {
      const { port } = yield* server({ config: ['authorization { user: "api", password: "4222@home" }'] })
      const bus = yield* connected({ servers: `nats://api:4222%40home@127.0.0.1:${port}` })
      yield* opened(bus.subscribe("a.subject"))
      const refused = yield* Effect.flip(connected({ servers: `nats://api:wrong@127.0.0.1:${port}` }))
      assert.match(refused.message, /authorization/i)
    })
  )

  it.live("logs in with the token of its address", () =>
    Effect.gen(function* () {
      const { port } = yield* server({ config: ['authorization { token: "s3cret" }'] })
      const bus = yield* connected({ servers: `s3cret@127.0.0.1:${port}` })
      yield* opened(bus.subscribe("a.subject"))
    })
  )

  it.live("fails to start if each server of a cluster refuses its login", () =>
    Effect.gen(function* () {
      const [one, other] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
      const member = (name: string, port: number) =>
        server({
          config: [
            `server_name: ${name}`,
            'authorization { token: "s3cret" }',
            `cluster { name: both, listen: "127.0.0.1:${port}", routes: ["nats://127.0.0.1:${one}", "nats://127.0.0.1:${other}"] }`
          ]
        })
      const { port } = yield* member("one", one)
      yield* member("other", other)
      const known = Effect.promise(async () => {
        const connection = await connect({ port, token: "s3cret" })
        const count = connection.info?.connect_urls?.length
        await connection.close()
        return count
      })
      yield* Effect.repeat(known, { schedule: often, until: (count) => count === 2 })
      const refused = yield* Effect.flip(connected({ servers: `nats://wrong@127.0.0.1:${port}` }))
      assert.match(refused.message, /authorization/i)
    })
  )

  it.live("sends no login in clear text if its address requires TLS", () =>
    Effect.gen(function* () {
      const { port } = yield* server({ config: ['authorization { token: "s3cret" }'] })
      const refused = yield* Effect.flip(connected({ servers: `tls://s3cret@127.0.0.1:${port}` }))
      assert.match(refused.message, /tls/)
    })
  )

  it.live("fails to start if its credentials cannot be read", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const dir = yield* Effect.promise(() => mkdtemp(join(tmpdir(), "sightline-creds-")))
      const error = yield* Effect.flip(connected({ servers: url, credentials: join(dir, "absent.creds") }))
      assert.include(error.message, "absent.creds")
      const empty = join(dir, "empty.creds")
      yield* Effect.promise(() => writeFile(empty, "no key in here"))
      const keyless = yield* Effect.flip(connected({ servers: url, credentials: empty }))
      assert.instanceOf(keyless, NatsUnreachable)
      yield* Effect.promise(() => rm(dir, { recursive: true }))
    })
  )

  it.live("warns at each connection to a server whose maximum message is too small, and not otherwise", () => {
    const lines: Array<string> = []
    const small = { config: ["max_payload: 1MB"] }
    const warning = `NATS takes messages of 1048576 bytes at most: set its max_payload to ${bodyBytesMax} and restart it, since nobody hears of a reload`
    return Effect.gen(function* () {
      const first = yield* Effect.promise(() => startNats())
      yield* connected({ servers: first.url })
      assert.deepStrictEqual(lines, [])
      yield* connected({ servers: (yield* server(small)).url })
      assert.deepStrictEqual(lines, [warning])
      yield* Effect.promise(() => first.stop("SIGKILL"))
      yield* server({ port: first.port, ...small })
      const warnings = Effect.sync(() => lines.filter((line) => line === warning).length)
      yield* Effect.repeat(warnings, { schedule: often, until: (count) => count === 2 })
    }).pipe(noting(lines))
  })

  it.live("fails requests while the server is away, and continues when it is back", () => {
    const lines: Array<string> = []
    const gauge = Effect.map(Metric.snapshot, (all) =>
      all.flatMap((one) => (one.id === "sightline_nats_connected" && one.type === "Gauge" ? [one.state.value] : []))
    )
    const untilItIs = (wanted: number) =>
      Effect.repeat(gauge, { schedule: often, until: ([value]) => value === wanted })
    return Effect.gen(function* () {
      const first = yield* Effect.promise(() => startNats())
      const [near, far] = [yield* connected({ servers: first.url }), yield* connected({ servers: first.url })]
      const actor = doubling()
      yield* spawn(actor, "one", {
        concurrency: 2,
        mailboxMax: 10,
        receive: (number) => (number < 0 ? Effect.never : Effect.succeed(number * 2))
      }).pipe(Effect.provideService(Bus, far))
      const askNear = (number: number) => Effect.provideService(ask(actor, "one", number, never), Bus, near)
      const subject = freshSubject()
      const heard = yield* opened(far.listen(subject))
      assert.strictEqual(yield* askNear(2), 4)

      assert.deepEqual(yield* gauge, [1])
      const waiting = yield* Effect.forkChild(Effect.flip(near.request(`${actor.subject}.one`, "-1", never)))
      yield* Effect.yieldNow
      yield* Effect.promise(() => first.stop("SIGKILL"))
      assert.strictEqual((yield* Fiber.join(waiting)).reason, "disconnected")
      assert.strictEqual((yield* Effect.flip(near.request(subject, "hello", never))).reason, "disconnected")
      yield* untilItIs(0)
      yield* near.publish(subject, "lost")
      const later = freshSubject()
      const opening = yield* Effect.forkChild(Stream.toPull(far.subscribe(later)), { startImmediately: true })

      yield* server({ port: first.port })
      assert.strictEqual(yield* Effect.retry(askNear(3), often), 6)
      yield* untilItIs(1)
      yield* Fiber.join(opening)
      assert.strictEqual(
        (yield* Effect.flip(
          Effect.retry(near.request(later, "hello", "200 millis"), {
            schedule: often,
            while: ({ reason }) => reason === "disconnected"
          })
        )).reason,
        "timeout"
      )
      yield* Effect.repeat(near.publish(subject, "again"), { schedule: often, times: 3 })
      assert.strictEqual((yield* heard(1))[0], "again")
      assert.notInclude(lines, "Broadcast not sent")
    }).pipe(noting(lines))
  })

  it.live(
    "continues after messages of other programs: one without a reply subject, or a refusal for an unknown reason",
    () =>
      Effect.gen(function* () {
        const { url } = yield* server()
        const bus = yield* connected({ servers: url })
        const stranger = yield* Effect.acquireRelease(
          Effect.promise(() => connect({ servers: url })),
          (connection) => Effect.promise(() => connection.close())
        )
        const actor = doubling()
        const received: Array<number> = []
        const receive = (number: number) => {
          received.push(number)
          return Effect.succeed(number * 2)
        }
        yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 0, receive }), Bus, bus)
        for (const body of ["no number", "4"]) stranger.publish(`${actor.subject}.one`, body)
        yield* Effect.promise(() => stranger.flush())
        assert.strictEqual(yield* Effect.provideService(ask(actor, "one", 2, never), Bus, bus), 4)
        assert.deepEqual(received, [2])

        const header = headers()
        header.set("Refused", "in words of another version")
        const subject = freshSubject()
        stranger.subscribe(subject, { callback: (_, message) => void message.respond("", { headers: header }) })
        yield* Effect.promise(() => stranger.flush())
        assert.strictEqual((yield* Effect.flip(bus.request(subject, "hello", never))).reason, "receiver_failed")
      }).pipe(quiet)
  )

  /** The refusals by the server so far, by operation. */
  const refusals = Effect.map(Metric.snapshot, (all) =>
    Object.fromEntries(
      all.flatMap((one) =>
        one.id === "sightline_nats_refusals_total" && one.type === "Counter"
          ? [[one.attributes?.["operation"], Number(one.state.count)]]
          : []
      )
    )
  )

  it.live("receives nothing on a subject that the server forbids, and continues", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { port } = yield* server({
        config: [
          'authorization { users: [{ user: "api", password: "s", permissions: { subscribe: { deny: "denied.>" } } }] }'
        ]
      })
      const bus = yield* connected({ servers: `nats://api:s@127.0.0.1:${port}` })
      const before = yield* refusals
      yield* Stream.toPull(bus.subscribe("denied.subject"))
      yield* Effect.repeat(Effect.void, { schedule: often, until: () => lines.length > 0 })
      const subject = freshSubject()
      const heard = yield* opened(bus.listen(subject))
      yield* bus.publish(subject, "hello")
      assert.deepEqual(yield* heard(1), ["hello"])
      assert.deepEqual(lines, ["NATS refused something"])
      const subscription = (before["subscription"] ?? Number.NaN) + 1
      assert.deepEqual(yield* refusals, { ...before, subscription })
    }).pipe(noting(lines))
  })

  it.live("logs a publish that the server forbids", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const { port } = yield* server({
        config: [
          'authorization { users: [{ user: "api", password: "s", permissions: { publish: { deny: "broadcast.>" } } }] }'
        ]
      })
      const bus = yield* connected({ servers: `nats://api:s@127.0.0.1:${port}` })
      yield* bus.publish("a.subject", "hello")
      yield* Effect.repeat(Effect.void, { schedule: often, until: () => lines.length > 0 })
      assert.deepEqual(lines, ["NATS refused something"])
    }).pipe(noting(lines))
  })

  it.live("a request that the server forbids fails alone and immediately, and its subject is logged once", () => {
    const lines: Array<string> = []
    const words = Effect.provide(
      Logger.layer([Logger.make(({ message }) => void lines.push(Array.isArray(message) ? message.join(" ") : ""))])
    )
    return Effect.gen(function* () {
      const { port } = yield* server({
        config: [
          'authorization { users: [{ user: "api", password: "s", permissions: { publish: { deny: "denied.>" } } }] }'
        ]
      })
      const bus = yield* connected({ servers: `nats://api:s@127.0.0.1:${port}` })
      const before = yield* refusals
      const subject = freshSubject()
      const inbox = yield* Stream.toPull(bus.subscribe(subject))
      const other = yield* Effect.forkChild(bus.request(subject, "hello", never))
      const [envelope] = yield* inbox
      const reasons = yield* Effect.forEach(["denied.one", "denied.one", "denied.two"], (denied) =>
        Effect.map(Effect.flip(bus.request(denied, "hello", never)), ({ reason }) => reason)
      )
      assert.deepEqual(reasons, ["disconnected", "disconnected", "disconnected"])
      yield* envelope.reply("hello yourself")
      assert.strictEqual(yield* Fiber.join(other), "hello yourself")
      const refusal = (denied: string) =>
        `NATS refused something PermissionViolationError: Permissions Violation for Publish to "${denied}"`
      yield* Effect.repeat(Effect.void, { schedule: often, until: () => lines.length > 1 })
      assert.deepEqual(lines, [refusal("denied.one"), refusal("denied.two")])
      assert.deepEqual(yield* refusals, { ...before, publish: (before["publish"] ?? Number.NaN) + 3 })
    }).pipe(words)
  })

  it.live("replies that the server forbids are logged once per connection", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const config = [
        'authorization { users: [{ user: "api", password: "s", permissions: { publish: { deny: "_INBOX.>" } } }] }'
      ]
      const { port, stop } = yield* Effect.promise(() => startNats({ config }))
      const bus = yield* connected({ servers: `nats://api:s@127.0.0.1:${port}` })
      const untold = Effect.gen(function* () {
        const subject = freshSubject()
        const inbox = yield* Stream.toPull(bus.subscribe(subject))
        yield* Effect.forkChild(Effect.forEach([1, 2], () => bus.request(subject, "hello", never), { concurrency: 2 }))
        const envelopes = [...(yield* inbox)]
        if (envelopes.length < 2) envelopes.push(...(yield* inbox))
        for (const envelope of envelopes) yield* envelope.reply("hello yourself")
        yield* Effect.flip(bus.request("nobody.hears", "and all before it was said", never))
      })
      const written = (count: number) =>
        Effect.repeat(Effect.void, { schedule: often, until: () => lines.length >= count })
      yield* untold
      yield* written(1)
      yield* untold
      assert.deepEqual(lines, ["NATS refused something"])
      yield* Effect.promise(() => stop())
      yield* server({ port, config })
      yield* written(3)
      yield* untold
      yield* written(4)
      assert.deepEqual(lines.slice(1), ["NATS connection lost", "NATS connection is back", "NATS refused something"])
    }).pipe(noting(lines))
  })

  it.live("fails to start if the server forbids the replies, with the server's message", () =>
    Effect.gen(function* () {
      const { port } = yield* server({
        config: [
          'authorization { users: [{ user: "api", password: "s", permissions: { subscribe: { deny: "_INBOX.*.*" } } }] }'
        ]
      })
      const refused = yield* Effect.flip(connected({ servers: `nats://api:s@127.0.0.1:${port}` }))
      assert.match(refused.message, /Permissions Violation for Subscription to "_INBOX/)
    }).pipe(quiet)
  )

  it.live(
    "receives a subject again, without a restart, after the server has forbidden it for a while, and logs each change",
    () => {
      const lines: Array<string> = []
      return Effect.gen(function* () {
        const monitor = yield* Effect.promise(freePort)
        const may = (permissions: string) => [
          `authorization { users: [{ user: "api", password: "s", permissions: { ${permissions} } }] }`,
          `http: "127.0.0.1:${monitor}"`
        ]
        const { port, reload, stop } = yield* Effect.promise(() => startNats({ config: may("") }))
        const bus = yield* connected({ servers: `nats://api:s@127.0.0.1:${port}` })
        const actor = doubling()
        const receive = (number: number) => Effect.succeed(number * 2)
        yield* Effect.provideService(spawn(actor, "one", { concurrency: 1, mailboxMax: 0, receive }), Bus, bus)
        const subject = freshSubject()
        const listeners = [yield* opened(bus.listen(subject)), yield* opened(bus.listen(subject))]
        const asked = Effect.provideService(ask(actor, "one", 2, never), Bus, bus)
        assert.strictEqual(yield* asked, 4)
        const isReply = (subscription: string) => subscription.startsWith("_INBOX")
        const permitted = (yield* subscriptions(monitor)).filter(isReply)
        for (let turn = 1; turn <= 2; turn++) {
          yield* Effect.promise(() => reload(may(`subscribe: { deny: ["${actor.subject}.>", "broadcast.>"] }`)))
          yield* Effect.repeat(Effect.result(asked), { schedule: often, until: Result.isFailure })
          yield* Effect.promise(() => reload(may("")))
          assert.strictEqual(yield* Effect.retry(asked, often), 4)
          yield* Effect.repeat(Effect.void, { schedule: often, until: () => lines.length >= turn * 4 })
        }
        yield* bus.publish(subject, "hello")
        for (const heard of listeners) assert.deepEqual(yield* heard(1), ["hello"])
        // Returns after every earlier subscription has the server's answer.
        yield* opened(bus.listen(freshSubject()))
        const [refused, again] = ["NATS refused something", "NATS lets us hear again"]
        assert.deepEqual(lines, [refused, refused, again, again, refused, refused, again, again])
        assert.deepEqual((yield* subscriptions(monitor)).filter(isReply), permitted)

        yield* Effect.promise(() => stop())
        yield* server({ port, config: may("") })
        assert.strictEqual(yield* Effect.retry(asked, often), 4)
        const ofActor = (subscription: string) => subscription.startsWith(actor.subject)
        assert.lengthOf((yield* subscriptions(monitor)).filter(ofActor), 1)
      }).pipe(noting(lines))
    }
  )

  it.live("logs once per connection that the server refuses more subscriptions", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const config = ["max_subscriptions: 2"]
      const { port, stop } = yield* Effect.promise(() => startNats({ config }))
      const bus = yield* connected({ servers: `nats://127.0.0.1:${port}` })
      for (const subject of [freshSubject(), freshSubject(), freshSubject()]) yield* opened(bus.listen(subject))
      const refused = (times: number) =>
        Effect.repeat(Effect.void, {
          schedule: often,
          until: () => lines.filter((line) => line === "NATS refused something").length === times
        })
      yield* refused(1)
      yield* Effect.promise(() => stop())
      yield* server({ port, config })
      yield* refused(2)
      yield* opened(bus.listen(freshSubject()))
      const [lost, back] = ["NATS connection lost", "NATS connection is back"]
      assert.deepEqual(lines, ["NATS refused something", lost, back, "NATS refused something"])
    }).pipe(noting(lines))
  })

  it.live("logs once that its login is refused while it reconnects, and once that it is back", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const first = yield* Effect.promise(() => startNats())
      const bus = yield* connected({ servers: first.url })
      yield* Effect.promise(() => first.stop())
      const times = yield* Effect.promise(() => refusing(first.port, 3))
      assert.strictEqual(times, 3)
      yield* server({ port: first.port })
      yield* Effect.repeat(Effect.void, {
        schedule: often,
        until: () => lines.some((line) => line.includes("is back"))
      })
      const subject = freshSubject()
      const heard = yield* opened(bus.listen(subject))
      yield* bus.publish(subject, "hello")
      assert.deepEqual(yield* heard(1), ["hello"])
      assert.deepEqual(lines, ["NATS connection lost", "NATS refused something", "NATS connection is back"])
    }).pipe(noting(lines))
  })

  it.live("reconnects with the current credentials of its file, even if the file is missing for a while", () => {
    const lines: Array<string> = []
    return Effect.gen(function* () {
      const dir = yield* Effect.acquireRelease(
        Effect.promise(() => mkdtemp(join(tmpdir(), "sightline-creds-"))),
        (dir) => Effect.promise(() => rm(dir, { recursive: true }))
      )
      const credentials = join(dir, "nats.creds")
      const replace = (key: ReturnType<typeof nkeys.createUser>) =>
        Effect.promise(() => writeFile(credentials, credentialsOf(key)))
      const only = (key: ReturnType<typeof nkeys.createUser>) => ({
        config: [`authorization { users: [{ nkey: ${key.getPublicKey()} }] }`]
      })
      const [old, fresh] = [nkeys.createUser(), nkeys.createUser()]
      const first = yield* Effect.promise(() => startNats(only(old)))
      yield* replace(old)
      const bus = yield* connected({ servers: first.url, credentials })
      yield* Effect.promise(() => rm(credentials))
      yield* Effect.promise(() => first.stop())
      yield* server({ port: first.port, ...only(fresh) })
      const hasSaid = (words: string) =>
        Effect.repeat(Effect.void, { schedule: often, until: () => lines.some((line) => line.includes(words)) })
      yield* hasSaid("refused something")
      yield* replace(fresh)
      yield* hasSaid("is back")
      const subject = freshSubject()
      const heard = yield* opened(bus.listen(subject))
      yield* bus.publish(subject, "hello")
      assert.deepEqual(yield* heard(1), ["hello"])
    }).pipe(noting(lines))
  })

  it.live("reconnects within seconds even if the wall clock is set back by a day", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["Date"] })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const first = yield* Effect.promise(() => startNats())
      const bus = yield* connected({ servers: first.url })
      vi.setSystemTime(Date.now() - 86_400_000)
      yield* Effect.promise(() => first.stop("SIGKILL"))
      yield* server({ port: first.port })
      const asked = Effect.flip(bus.request("nobody", "hello", never))
      const { reason } = yield* Effect.repeat(asked, {
        schedule: often,
        until: ({ reason }) => reason !== "disconnected"
      })
      assert.strictEqual(reason, "no_responder")
    }).pipe(quiet)
  )

  it.live("gives up a connection on which two pings, each after 10 seconds, have no answer", () =>
    Effect.gen(function* () {
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true })),
        () => Effect.sync(() => vi.useRealTimers())
      )
      const { url } = yield* server()
      const nats = Context.get(yield* Layer.build(Nats.layer({ servers: url })), Nats)
      let losses = 0
      yield* nats.onDown(() => losses++)
      // No answer can arrive while the clock jumps.
      vi.advanceTimersByTime(25_000)
      yield* Effect.promise(() => nats.connection.flush())
      assert.strictEqual(losses, 0)
      vi.advanceTimersByTime(35_000)
      yield* Effect.timeout(Effect.repeat(Effect.void, { schedule: often, until: () => losses > 0 }), "4 seconds")
    }).pipe(quiet)
  )

  it.live("fails requests after it is closed", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const bus = yield* Effect.scoped(connected({ servers: url }))
      assert.strictEqual((yield* Effect.flip(bus.request("a.subject", "hello", never))).reason, "disconnected")
    })
  )

  it.live("sends everything published before it closes", () =>
    Effect.gen(function* () {
      const { url } = yield* server()
      const subject = freshSubject()
      const heard = yield* opened((yield* connected({ servers: url })).listen(subject))
      const said = Array.from({ length: 8 }, (_, number) => `${number} ${"x".repeat(2_000_000)}`)
      yield* Effect.scoped(
        Effect.flatMap(connected({ servers: url }), (bus) =>
          Effect.forEach(said, (body) => bus.publish(subject, body), { discard: true })
        )
      )
      assert.deepEqual(yield* heard(said.length), said)
    })
  )

  it.live("closes while the server is away", () =>
    Effect.gen(function* () {
      const away = yield* Effect.promise(() => startNats())
      const scope = yield* Scope.make()
      const bus = yield* Scope.provide(connected({ servers: away.url }), scope)
      yield* Scope.provide(opened(bus.subscribe(freshSubject())), scope)
      yield* Effect.promise(() => away.stop("SIGKILL"))
      yield* Scope.close(scope, Exit.void)
      assert.strictEqual((yield* Effect.flip(bus.request("a.subject", "hello", never))).reason, "disconnected")
    }).pipe(quiet)
  )

  it.live("tells those alone that the connection is lost who still want to know", () =>
    Effect.gen(function* () {
      const away = yield* Effect.promise(() => startNats())
      const { onDown } = Context.get(yield* Layer.build(Nats.layer({ servers: away.url })), Nats)
      const told: Array<string> = []
      yield* Effect.scoped(onDown(() => told.push("left")))
      yield* onDown(() => told.push("stays"))
      yield* Effect.promise(() => away.stop("SIGKILL"))
      yield* Effect.repeat(Effect.void, { schedule: often, until: () => told.length > 0 })
      assert.deepEqual(told, ["stays"])
    }).pipe(Effect.scoped, quiet)
  )

  it.live("has one connection to the server", () =>
    Effect.gen(function* () {
      const monitor = yield* Effect.promise(freePort)
      const { url } = yield* server({ config: [`http: "127.0.0.1:${monitor}"`] })
      yield* connected({ servers: url })
      const Connections = Schema.Struct({ num_connections: Schema.Int })
      const connections = Effect.promise(async () => {
        const response = await fetch(`http://127.0.0.1:${monitor}/connz`)
        return Schema.decodeUnknownSync(Connections)(await response.json()).num_connections
      })
      yield* Effect.timeout(Effect.repeat(connections, { schedule: often, until: (count) => count === 1 }), "4 seconds")
    })
  )
})
