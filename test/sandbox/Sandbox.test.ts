/**
 * The sandbox over a real socket: the same bytes for the same question, and the HTTP edge cases that no vendor's rules cover.
 *
 * Planted and seen red: a time is taken from the clock; the seed is left out; a redirect leads to any host; there is no catch-all
 * route.
 */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Origin } from "./Origin.ts"
import { names, requestTo, wires } from "./Vendors.ts"

const question = "What are the best running shoes for beginners?"

const bytesFrom = (origin: string, vendor: (typeof names)[number], over = {}) =>
  Effect.promise(async () => {
    const response = await fetch(requestTo(origin, vendor, question, over))
    const { date: _date, ...headers } = Object.fromEntries(response.headers)
    return { envelope: [response.status, headers], body: await response.text() }
  })

layer(Origin.layer({ seed: 1 }), { excludeTestServices: true })("a sandbox", (it) => {
  it.effect.each(names)("%s gives the same bytes for the same question", (vendor) =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const first = yield* bytesFrom(origin, vendor)
      yield* Effect.promise(() => fetch(requestTo(origin, vendor, "something else in between")))
      assert.deepEqual(yield* bytesFrom(origin, vendor), first)
    })
  )

  it.effect("a sandbox of the same seed gives the same bytes, one of another seed does not", () =>
    Effect.gen(function* () {
      const origin = yield* Origin
      for (const vendor of names) {
        const here = yield* bytesFrom(origin, vendor)
        const from = (seed: number) =>
          Origin.use((other) => bytesFrom(other, vendor)).pipe(Effect.provide(Origin.layer({ seed })))
        assert.deepEqual(yield* from(1), here)
        assert.notStrictEqual((yield* from(2)).body, here.body)
      }
    })
  )

  it.effect("a grounding link leads to the page in its chunk", () =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const body = yield* Effect.promise(async () =>
        (await fetch(requestTo(origin, "gemini", `${question} [[sandbox:answer]]`))).text()
      )
      const links = Array.from(
        body.matchAll(/https:\/\/vertexaisearch\.cloud\.google\.com(\/[^"]+)","title":"([^"]+)"/g)
      )
      assert.isAbove(links.length, 3)
      for (const [, path, host] of links) {
        const response = yield* Effect.promise(() => fetch(`${origin}/gemini${path}`, { redirect: "manual" }))
        assert.strictEqual(response.status, 302)
        assert.strictEqual(new URL(response.headers.get("location") ?? "").hostname, host)
      }
      const made = yield* Effect.promise(() =>
        fetch(`${origin}/gemini/grounding-api-redirect/AUZIYQ00000000${btoa("https://elsewhere.test/")}`, {
          redirect: "manual"
        })
      )
      assert.strictEqual(made.status, 404)
    })
  )

  it.effect.each(names)("%s lists models, including the one that the service uses", (vendor) =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const version = vendor === "gemini" ? "v1beta" : "v1"
      const response = yield* Effect.promise(() =>
        fetch(`${origin}/${vendor}/${version}/models`, { headers: wires[vendor].headers })
      )
      assert.strictEqual(response.status, 200)
      const asked = vendor === "gemini" ? "gemini-3.8-flash" : String(wires[vendor].body("")["model"])
      assert.include(yield* Effect.promise(() => response.text()), asked)
    })
  )

  it.effect.each(names)("404: %s answers an unknown path in its own error format", (vendor) =>
    Effect.gen(function* () {
      const origin = yield* Origin
      const response = yield* Effect.promise(() => fetch(`${origin}/${vendor}/v1/nowhere`, { method: "POST" }))
      assert.strictEqual(response.status, 404)
      assert.hasAllKeys(
        yield* Effect.promise(() => response.json()),
        vendor === "anthropic" ? ["type", "error", "request_id"] : ["error"]
      )
    })
  )
})
