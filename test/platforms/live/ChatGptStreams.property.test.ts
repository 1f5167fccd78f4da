/**
 * The laws of reading event streams, for any answer and for a stream cut anywhere.
 *
 * Planted and seen red: a stream without its end is accepted, on both surfaces; appended text replaces the text before it; a field
 * named `__proto__` is set; carriage returns are dropped; data that is not JSON makes the reader throw.
 */
import { profile as chatGpt } from "@sightline/platforms/live/ChatGpt"
import { eventsOf } from "@sightline/platforms/live/EventStream"
import { applyPatch } from "@sightline/platforms/live/EventStreamPatch"
import { profile as perplexity } from "@sightline/platforms/live/Perplexity"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { matchText } from "@sightline/platforms/MatchText"
import type { LiveSurface } from "@sightline/domain/Platform"
import { topics } from "@sightline/sandbox/article/Topics"
import { type Scene, sceneOf } from "@sightline/sandbox/live/Scene"
import { chatGptStreams } from "@sightline/sandbox/web/ChatGptEvents"
import { perplexityStream } from "@sightline/sandbox/web/PerplexityEvents"
import { Result } from "effect"
import * as fc from "fast-check"
import { assert, describe, it } from "vitest"

const question = fc
  .tuple(fc.constantFrom(...topics.map(({ noun }) => noun)), fc.string({ maxLength: 20 }))
  .map(([noun, rest]) => `What are the best ${noun} for ${rest.replaceAll("[[", "")}?`)

const sceneFor = (surface: LiveSurface) =>
  fc.tuple(fc.integer(), question, fc.constantFrom("US", "GB", "CA", "AU")).map(([seed, asked, country]) => ({
    seed,
    scene: Result.getOrThrow(sceneOf({ seed, surface, captureRoute: "web", question: asked, country }))
  }))

type Streams = readonly string[]

const chatGptOf = ({ scene, seed }: { scene: Scene; seed: number }): Streams => {
  const { first, resumed } = chatGptStreams(seed, scene)
  return resumed.length === 0 ? [first.join("")] : [first.join(""), resumed.join("")]
}

const perplexityOf = ({ scene }: { scene: Scene }): Streams => [perplexityStream(scene).join("")]

const read = (profile: SurfaceProfile, streams: Streams, shown = "") =>
  profile.read({
    url: "https://site.example/",
    html: `<p>${shown}</p>`,
    visibleText: shown,
    streams: streams.map((body) => ({ url: "https://site.example/stream", status: 200, body }))
  })

const roads = [
  { name: "chatgpt", profile: chatGpt, scenes: sceneFor("chatgpt_live"), streamsOf: chatGptOf },
  { name: "perplexity", profile: perplexity, scenes: sceneFor("perplexity_live"), streamsOf: perplexityOf }
] as const

describe.each(roads)("$name", ({ profile, scenes, streamsOf }) => {
  it("read(stream(answer)) = answer: text, citations, searches and model", () =>
    fc.assert(
      fc.property(scenes, (given) => {
        const { answer } = given.scene
        const got = Result.getOrThrow(read(profile, streamsOf(given)))
        assert.strictEqual(got.text, matchText(answer?.markdown ?? ""))
        assert.deepEqual(
          got.citations.map(({ title, url }) => ({ title, url })),
          answer?.sources.slice(0, 10).map(({ title, url }) => ({ title, url }))
        )
        assert.deepEqual(got.fanOut, answer?.fanOut)
        assert.strictEqual(got.model, answer?.model)
      })
    ))

  it("a stream cut anywhere = the whole answer, or a parse error; never a shorter answer or an absence", () =>
    fc.assert(
      fc.property(scenes, fc.double({ min: 0, max: 1, noNaN: true }), (given, share) => {
        const streams = streamsOf(given)
        const [last = ""] = streams.slice(-1)
        const cut = [...streams.slice(0, -1), last.slice(0, Math.floor(last.length * share))]
        const whole = read(profile, streams)
        const result = read(profile, cut)
        if (Result.isSuccess(result)) assert.deepEqual(result, whole)
        else assert.strictEqual(result.failure, "parse_error")
      })
    ))

  it("unknown events inserted anywhere change nothing", () =>
    fc.assert(
      fc.property(scenes, fc.nat(), fc.json(), (given, at, data) => {
        const strange = [
          `event: rumour\ndata: ${JSON.stringify({ type: "rumour", data })}\n\n`,
          ": a comment\n\n",
          "data: {\n\n"
        ]
        const streams = streamsOf(given).map((body) => {
          const frames = body.split(/(?<=\n\r?\n)/)
          return frames.toSpliced(at % (frames.length + 1), 0, ...strange).join("")
        })
        assert.deepEqual(read(profile, streams), read(profile, streamsOf(given)))
      })
    ))

  it("any text, and any changed character, is read without a throw", () =>
    fc.assert(
      fc.property(scenes, fc.string({ unit: "binary" }), fc.nat(), (given, noise, at) => {
        assert.isDefined(read(profile, [noise]))
        const streams = streamsOf(given).map((body) => {
          const place = at % (body.length + 1)
          return body.slice(0, place) + noise + body.slice(place + 1)
        })
        assert.isDefined(read(profile, streams))
      })
    ))
})

const message = {
  message: { author: { role: "assistant" }, channel: "final", content: { parts: ["Some answer of some length."] } }
}

const delta = fc.record(
  {
    p: fc.constantFrom(
      "",
      "/message",
      "/message/content/parts/0",
      "/message/content/parts",
      "/message/metadata",
      "/__proto__/x",
      "/message/content/parts/-",
      "/~1~0/~",
      "/0/0"
    ),
    o: fc.constantFrom("add", "append", "replace", "patch", "remove", "truncate"),
    c: fc.nat(2),
    v: fc.oneof(
      fc.jsonValue(),
      fc.constant(message),
      fc.array(
        fc.record({
          p: fc.constantFrom("/message/content/parts/0", ""),
          o: fc.constantFrom("append", "add", "replace"),
          v: fc.jsonValue()
        })
      )
    )
  },
  { requiredKeys: [] }
)

/** A change of the answer that stands in `message`. */
const said = fc.record({
  p: fc.constant("/message/content/parts/0"),
  o: fc.constantFrom("add", "append", "replace"),
  v: fc.string()
})

it("any sequence of deltas is read without a throw, and changes no prototype", () =>
  fc.assert(
    fc.property(fc.array(fc.oneof(delta, said), { maxLength: 40 }), (changes) => {
      const deltas = [{ p: "", o: "add", v: message }, ...changes]
      const body = deltas.map((data) => `event: delta\ndata: ${JSON.stringify(data)}\n\n`).join("")
      assert.isDefined(read(chatGpt, [`${body}data: {"type":"message_stream_complete"}\n\n`]))
      assert.isUndefined(Object.getOwnPropertyDescriptor(Object.prototype, "x"))
    })
  ))

it("parts(text) appended one by one = text appended at once", () =>
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (parts) => {
      const grown = parts.reduce<unknown>(
        (document, value) => applyPatch(document, { op: "append", path: "/said/0", value }),
        { said: [""] }
      )
      assert.deepEqual(grown, { said: [parts.join("")] })
    })
  ))

it("a change to a field named __proto__ = no change", () => {
  const document = JSON.parse('{"a":{}}')
  for (const op of ["add", "append", "replace"]) {
    applyPatch(document, { op, path: "/__proto__", value: { x: 1 } })
    applyPatch(document, { op, path: "/a/__proto__/x", value: 1 })
    applyPatch(document, { op: "append", path: "/a", value: JSON.parse('{"__proto__":{"x":1}}') })
  }
  assert.deepEqual(JSON.parse(JSON.stringify(document)), { a: {} })
  assert.strictEqual(Object.getPrototypeOf(document.a), Object.prototype)
  assert.notProperty({}, "x")
})

it("events(frames joined by any line end) = frames; an unfinished one is left out", () =>
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), fc.constantFrom("\n", "\r\n", "\r"), (values, end) => {
      const body = values.map((value) => `event: x${end}data: ${JSON.stringify(value)}${end}${end}`).join("")
      const events = values.map((value) => ({ event: "x", data: JSON.parse(JSON.stringify(value)) }))
      assert.deepEqual(eventsOf(body), events)
      assert.deepEqual(eventsOf(`${body}data: {"unfinished":true}${end}`), events)
    })
  ))
