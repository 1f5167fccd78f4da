/**
 * Which addresses may be stored for later calls: every case of the corpus for webhooks.
 *
 * Planted and seen red:
 * - names judged by their spelling only;
 * - a name without an address refused;
 * - no deadline, or one of 3 s;
 * - only the first address checked;
 * - a look-up before the spelling is checked;
 * - the receiver called;
 * - the number of bits of a range ignored.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Result } from "effect"
import { TestClock } from "effect/testing"
import { createServer } from "node:net"
import { Egress } from "@sightline/egress/Egress"
import type { Resolve } from "@sightline/egress/Resolve"
import { isCidr } from "@sightline/egress/PublicAddress"
import { listen } from "../services/listen.ts"
import { type Case, corpus } from "./corpus.ts"

const webhooks = corpus.cases.filter(({ sink }) => sink === "webhook")

const vet = (url: string, resolve: Resolve, allow: ReadonlyArray<string> = []) =>
  Egress.use((egress) => Effect.result(egress.vet(url))).pipe(Effect.provide(Egress.layer({ allow, resolve })))

/** The addresses of a case's name at its first look-up. */
const firstAnswer =
  ({ dns = {} }: Case): Resolve =>
  (name) =>
    Effect.succeed((dns[name] ?? dns[`${name}.`])?.[0] ?? [])

/** Refused at registration: what the corpus says, and every host that currently has an address that is not public. */
const refusedNow = ({ dns = {}, expect, stage }: Case): boolean =>
  stage === "register" || (stage === "connect" && expect === "deny" && Object.values(dns).flat(2).length > 0)

it("the corpus has cases of every kind", () => {
  assert.lengthOf(
    webhooks.filter(({ expect, stage }) => stage === "register" && expect === "deny"),
    66
  )
  assert.lengthOf(webhooks.filter(refusedNow), 71)
  assert.lengthOf(webhooks, 92)
})

describe("an address for later calls", () => {
  it.effect.each(webhooks)("$id: $why", (each) =>
    Effect.gen(function* () {
      const verdict = yield* vet(each.url, firstAnswer(each))
      assert.strictEqual(Result.isFailure(verdict), refusedNow(each), JSON.stringify(each.url))
    })
  )

  it.effect("passes after 2 s if its look-up is slow, and the look-up is cancelled", () =>
    Effect.gen(function* () {
      const [asked, givenUp] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const silent: Resolve = () =>
        Deferred.succeed(asked, undefined).pipe(
          Effect.andThen(Effect.never),
          Effect.onInterrupt(() => Deferred.succeed(givenUp, undefined))
        )
      const vetting = yield* Effect.forkChild(vet("https://hooks.acme.com/in", silent))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("1999 millis")
      assert.isUndefined(vetting.pollUnsafe())
      yield* TestClock.adjust("1 millis")
      assert.isTrue(Result.isSuccess(yield* Fiber.join(vetting)))
      yield* Deferred.await(givenUp)
    })
  )

  it.effect("may be a local receiver in an allowed range", () =>
    Effect.gen(function* () {
      const at =
        (address: string): Resolve =>
        () =>
          Effect.succeed([address])
      const allow = ["127.0.0.0/8"]
      const passes = (url: string, address = "") => Effect.map(vet(url, at(address), allow), Result.isSuccess)
      assert.isTrue(yield* passes("https://127.0.0.1:8443/in"))
      assert.isTrue(yield* passes("https://local.acme.com/in", "127.0.0.1"))
      assert.isFalse(yield* passes("https://10.0.0.1/in"))
      assert.isFalse(yield* passes("https://local.acme.com/in", "10.0.0.1"))
      assert.isFalse(yield* passes("http://127.0.0.1:8443/in"))
      assert.isFalse(yield* passes("https://localhost:8443/in", "127.0.0.1"))
    })
  )

  it.live("is not called to check it", () =>
    Effect.gen(function* () {
      let connections = 0
      const server = createServer((socket) => {
        connections += 1
        socket.destroy()
      })
      const port = yield* Effect.promise(() => listen(server))
      const resolve: Resolve = () => Effect.succeed(["127.0.0.1"])
      for (const url of [`https://127.0.0.1:${port}/`, `https://local.acme.com:${port}/`])
        assert.isTrue(Result.isSuccess(yield* vet(url, resolve, ["127.0.0.0/8"])))
      // Closing waits for connections, so an open one would be counted.
      yield* Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
      })
      assert.strictEqual(connections, 0)
    })
  )
})

it.effect("an address that is refused by its spelling is not looked up", () =>
  Effect.gen(function* () {
    const exit = yield* vet("https://localhost/in", () => Effect.die("looked up")).pipe(Effect.exit)
    assert.isTrue(Exit.isSuccess(exit) && Result.isFailure(exit.value))
  })
)

it("a CIDR range is an address and a number of bits", () => {
  for (const range of ["127.0.0.0/8", "0.0.0.0/0", "10.1.2.3/32", "::1/128", "FD00::/8", "::ffff:10.0.0.0/104"])
    assert.isTrue(isCidr(range), range)
  for (const text of [
    ["", "/", "127.0.0.1", "127.0.0.1/", "127.0.0.0/33", "127.0.0.0/-1", "127.0.0.0/8/8", "127.0.0/8", "::1/129"],
    ["fe80::1%eth0/64", "localhost/8", " 127.0.0.0/8", "127.0.0.0/8 ", "/8", "127.0.0.0/1e1", "127.0.0.0/8,::1/128"]
  ].flat())
    assert.isFalse(isCidr(text), text)
})
