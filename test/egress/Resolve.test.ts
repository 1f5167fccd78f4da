/**
 * The look-up that everything but tests uses, against a separate DNS server.
 *
 * Planted and seen red: one family of addresses left out; all addresses lost if one family fails; a look-up that continues after its caller
 * is interrupted; a guard that makes no look-up; a wait for one family although the other has answered.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { createSocket, type RemoteInfo } from "node:dgram"
import dns from "node:dns/promises"
import { once } from "node:events"
import { syncBuiltinESMExports } from "node:module"
import { Egress } from "@sightline/egress/Egress"
import { resolveByDns } from "@sightline/egress/Resolve"

const [a, aaaa] = [1, 28]

/** The addresses of each name, by record type. A type that is missing here has no records. */
const zone: Readonly<Record<string, Readonly<Record<number, ReadonlyArray<ReadonlyArray<number>>>>>> = {
  "dual.acme.com": {
    [a]: [
      [192, 0, 2, 7],
      [192, 0, 2, 8]
    ],
    [aaaa]: [[0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]]
  },
  "old.acme.com": { [a]: [[192, 0, 2, 9]] },
  "new.acme.com": { [aaaa]: [[0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9]] }
}

/** The name and type in a query with one question, and the offset at which the question ends. */
const questionIn = (query: Buffer) => {
  const labels: Array<string> = []
  let place = 12
  for (let length = query.readUInt8(place); length > 0; length = query.readUInt8(place)) {
    labels.push(query.toString("latin1", place + 1, place + 1 + length))
    place += 1 + length
  }
  return { name: labels.join("."), type: query.readUInt16BE(place + 1), end: place + 5 }
}

/** The response of a server that knows only this zone. */
const answerTo = (query: Buffer): Buffer => {
  const { end, name, type } = questionIn(query)
  const addresses = zone[name]?.[type] ?? []
  const head = Buffer.from(query.subarray(0, 12))
  head.writeUInt16BE(name in zone ? 0x8580 : 0x8583, 2)
  head.writeUInt16BE(addresses.length, 6)
  head.writeUInt32BE(0, 8)
  const records = addresses.map((bytes) => {
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, bytes.length])
    return Buffer.concat([record, Buffer.from(bytes)])
  })
  return Buffer.concat([head, query.subarray(12, end), ...records])
}

/** Sends all look-ups to a server that does `behave` with each query, until the scope closes. */
const serving = (behave: (query: Buffer, reply: (answer: Buffer) => void) => void) =>
  Effect.gen(function* () {
    const { Resolver } = dns
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => createSocket("udp4").bind(0, "127.0.0.1")),
      (socket) =>
        Effect.sync(() => {
          Object.assign(dns, { Resolver })
          syncBuiltinESMExports()
          socket.close()
        })
    )
    yield* Effect.promise(() => once(socket, "listening"))
    const seen = { asked: new Array<string>(), cancelled: 0 }
    socket.on("message", (query: Buffer, { address, port }: RemoteInfo) => {
      const { name, type } = questionIn(query)
      seen.asked.push(`${name} ${type}`)
      behave(query, (answer) => socket.send(answer, port, address))
    })
    class OwnResolver extends Resolver {
      constructor() {
        super()
        this.setServers([`127.0.0.1:${socket.address().port}`])
      }
      override cancel() {
        seen.cancelled += 1
        super.cancel()
      }
    }
    Object.assign(dns, { Resolver: OwnResolver })
    syncBuiltinESMExports()
    return seen
  })

describe("the look-up by DNS", () => {
  it.live("returns the addresses of both families, or of the one there is, or none", () =>
    Effect.gen(function* () {
      yield* serving((query, reply) => reply(answerTo(query)))
      assert.deepEqual(yield* resolveByDns("dual.acme.com"), ["192.0.2.7", "192.0.2.8", "2001:db8::7"])
      assert.deepEqual(yield* resolveByDns("old.acme.com"), ["192.0.2.9"])
      assert.deepEqual(yield* resolveByDns("new.acme.com"), ["2001:db8::9"])
      assert.deepEqual(yield* resolveByDns("nobody.acme.com"), [])
    })
  )

  it.live("queries only the name itself, even if it does not exist", () =>
    Effect.gen(function* () {
      const seen = yield* serving((query, reply) => reply(answerTo(query)))
      assert.deepEqual(yield* resolveByDns("nobody.acme.com"), [])
      assert.deepEqual(seen.asked.toSorted(), [`nobody.acme.com ${a}`, `nobody.acme.com ${aaaa}`])
    })
  )

  it.live("is the look-up of the guard by default", () =>
    Effect.gen(function* () {
      yield* serving((query, reply) => reply(answerTo(query)))
      const egress = yield* Egress
      const { code } = yield* Effect.flip(egress.vet("https://old.acme.com/"))
      assert.strictEqual(code, "blocked_address")
    }).pipe(Effect.provide(Egress.layer({ allow: [] })))
  )

  it.live.each([
    { silent: aaaa, name: "old.acme.com", found: ["192.0.2.9"] },
    { silent: a, name: "new.acme.com", found: ["2001:db8::9"] }
  ])("returns one family in time for the guard if the other is never answered: $name", ({ found, name, silent }) =>
    Effect.gen(function* () {
      yield* serving((query, reply) => {
        if (questionIn(query).type !== silent) reply(answerTo(query))
      })
      assert.deepEqual(yield* resolveByDns(name), found)
      const egress = yield* Egress
      const { code } = yield* Effect.flip(egress.vet(`https://${name}/`))
      assert.strictEqual(code, "blocked_address")
    }).pipe(Effect.provide(Egress.layer({ allow: [] })))
  )

  it.live("is cancelled when its caller is interrupted", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const seen = yield* serving(() => void Deferred.doneUnsafe(asked, Effect.void))
      const looking = yield* Effect.forkChild(resolveByDns("silent.acme.com"))
      yield* Deferred.await(asked)
      assert.strictEqual(seen.cancelled, 0)
      yield* Fiber.interrupt(looking)
      assert.strictEqual(seen.cancelled, 1)
    })
  )
})
