/**
 * The sites that simulate the chats, called as their own pages call them.
 *
 * Planted and seen red: scenes share one name; only the first country is used; a handed-off stream ends; a question is inserted as
 * markup; each call of a turn counts as a try.
 */
import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { assert } from "vitest"
import { Origin } from "../Origin.ts"

interface Reply {
  readonly status: number
  readonly type: string
  readonly text: string
}

const send = (
  path: string,
  body?: unknown,
  headers: Record<string, string> = {}
): Effect.Effect<Reply, never, Origin> =>
  Effect.flatMap(Origin, (origin) =>
    Effect.promise(async () => {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
      const response = await fetch(origin + path, {
        ...init,
        headers: { "content-type": "application/json", ...headers }
      })
      return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() }
    })
  )

const chat = "/web/chatgpt_live/backend-anon/f/conversation"
const question = "What are the best espresso machines?"

/** One turn as the page makes it: the responses of `prepare` and of the stream. */
const turn = (prompt: string, headers?: Record<string, string>) =>
  Effect.gen(function* () {
    const prepared = yield* send(`${chat}/prepare`, { prompt }, headers)
    const { conduit_token } = JSON.parse(prepared.text)
    const streamed = yield* send(chat, { conduit_token })
    const resumed = yield* send(`${chat}/resume`, { conduit_token })
    return { prepared, streamed, all: streamed.text + resumed.text }
  })

layer(Origin.layer({ seed: 5 }), { excludeTestServices: true })("the chats' sites", (it) => {
  it.effect("prepare contains nothing of the answer, which is an event stream", () =>
    Effect.gen(function* () {
      const { all, prepared, streamed } = yield* turn(question)
      assert.deepEqual(Object.keys(JSON.parse(prepared.text)), ["status", "conduit_token", "asks"])
      assert.match(streamed.type, /^text\/event-stream/)
      assert.match(all, /"type":"message_stream_complete"/)
    })
  )

  it.effect("some conversations are handed off to a second stream, and the first stream does not end before that", () =>
    Effect.gen(function* () {
      const turns = yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (place) => turn(`${question} ${place}`), {
        concurrency: 8
      })
      const handedOff = turns.filter(({ streamed }) => streamed.text.includes('"type":"stream_handoff"'))
      assert.isAbove(handedOff.length, 0)
      assert.isBelow(handedOff.length, turns.length)
      for (const { streamed } of handedOff) assert.notInclude(streamed.text, "message_stream_complete")
    })
  )

  it.effect("a fault for one try applies to one turn, though a turn is three calls", () =>
    Effect.gen(function* () {
      const prompt = `${question} [[sandbox:chatgpt_live:status=503;times=1]]`
      assert.strictEqual((yield* turn(prompt)).streamed.status, 503)
      assert.strictEqual((yield* turn(prompt)).streamed.status, 200)
    })
  )

  it.effect("a fault for another surface or route does not apply", () =>
    Effect.gen(function* () {
      for (const target of ["gemini_live", "dataforseo", "cloro"]) {
        assert.strictEqual((yield* turn(`${question} [[sandbox:${target}:status=503]]`)).streamed.status, 200)
      }
      assert.strictEqual((yield* turn(`${question} [[sandbox:web:status=503]]`)).streamed.status, 503)
    })
  )

  it.effect("the answer is for the country of the visitor's language", () =>
    Effect.gen(function* () {
      const british = yield* turn(question, { "accept-language": "en-GB,en;q=0.9" })
      const american = yield* turn(question, { "accept-language": "en-US" })
      const again = yield* turn(question)
      assert.notStrictEqual(british.all, american.all)
      assert.strictEqual(american.all, again.all)
    })
  )

  it.effect("400: an unknown directive is reported", () =>
    Effect.gen(function* () {
      const path = `/web/perplexity_live/search/new?q=${encodeURIComponent("[[sandbox:nonsense]]")}`
      assert.deepInclude(yield* send(path), { status: 400, text: "Unknown sandbox directive: nonsense" })
    })
  )

  it.effect("markup in a question stays text", () =>
    Effect.gen(function* () {
      const { text } = yield* send(
        `/web/perplexity_live/search/new?q=${encodeURIComponent("<img src=x onerror=alert(1)>")}`
      )
      assert.include(text, "&lt;img src=x")
      assert.notInclude(text, "<img")
    })
  )

  it.effect("404: a conversation that was not prepared has no stream", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* send(chat, { conduit_token: "scene-0" })).status, 404)
    })
  )
})
