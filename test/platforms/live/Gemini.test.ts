/**
 * What is read from Gemini's page.
 *
 * Planted and seen red: the first answer of a conversation is read; half an answer is accepted; an absence is accepted although the
 * stream failed.
 */
import { profile } from "@sightline/platforms/live/Gemini"
import type { KeptStream } from "@sightline/platforms/live/Surface"
import { Result } from "effect"
import { assert, describe, it } from "vitest"

const stream = (over: Partial<KeptStream> = {}): KeptStream => ({
  url: "https://gemini.google.com/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate",
  status: 200,
  body: `)]}'\n\n3\n[]\n`,
  ...over
})

const read = (body: string, streams: ReadonlyArray<KeptStream> = [stream()]) =>
  profile.read({
    url: "https://gemini.google.com/app",
    html: `<html><body>${body}</body></html>`,
    visibleText: "",
    streams
  })

const response = (markup: string) =>
  `<user-query>What is best?</user-query><model-response><message-content><div class="markdown">${markup}</div>
<button>Share</button></message-content></model-response>`

const panel = `<context-sidebar><h2>Sources</h2>
<a href="https://reviewhub.example/pm-tools"><span class="host">reviewhub.example</span> <span class="title">Best
 project tools</span></a><a href="https://forum.example/t/1">A  thread</a>
<a href="https://reviewhub.example/pm-tools">again</a><a href="/settings">Settings</a></context-sidebar>`

const said =
  "<p>Most studios pick <b>Taskfield</b>.<button aria-label='View source details'>reviewhub.example</button></p>"

it("gives the answer as markdown, without its controls, and the links of the source panel", () => {
  const list = "<ol><li><b>Taskfield</b> for boards</li><li>Brandmore</li></ol>"
  assert.deepEqual(Result.getOrThrow(read(response(said + list) + panel)), {
    text: "Most studios pick **Taskfield**.\n\n1. **Taskfield** for boards\n2. Brandmore",
    raw: "Most studios pick **Taskfield**.\n\n1. **Taskfield** for boards\n2. Brandmore",
    citations: [
      { url: "https://reviewhub.example/pm-tools", title: "Best project tools" },
      { url: "https://forum.example/t/1", title: "A thread" }
    ],
    fanOut: [],
    brandEntities: [],
    searched: true,
    model: "",
    finish: "stop"
  })
})

it("takes the answer's own links where there is no panel", () => {
  const link = `<p>See <a href="https://forum.example/t/1">a long thread on it</a> for more.</p>`
  const { citations } = Result.getOrThrow(read(response(said + link)))
  assert.deepEqual(citations, [{ url: "https://forum.example/t/1", title: "a long thread on it" }])
})

it("cites no further search and none of the engine's own pages, and gives the destinations of redirectors", () => {
  const links = [
    "https://www.google.com/search?q=Taskfield",
    "https://support.google.com/gemini",
    "/app/settings",
    "https://www.google.com/url?q=https%3A%2F%2Fforum.example%2Ft%2F1&sa=U"
  ].map((href) => `<p>See <a href="${href}">a thread</a> for more.</p>`)
  const { citations } = Result.getOrThrow(read(response(said + links.join(""))))
  assert.deepEqual(citations, [{ url: "https://forum.example/t/1", title: "a thread" }])
})

it("reads the last answer of a conversation", () => {
  const { text } = Result.getOrThrow(read(response("<p>An answer to something else.</p>") + response(said)))
  assert.strictEqual(text, "Most studios pick **Taskfield**.")
})

describe("without an answer to read", () => {
  it("a question with a complete stream and no response is an absence", () => {
    const shown = Result.getOrThrow(read("<user-query>What is best?</user-query>"))
    assert.deepInclude(shown, { surfacePresent: false, text: "", raw: "" })
    assert.notProperty(shown, "sponsored")
  })

  it("a question with a failed stream is no absence", () => {
    const asked = "<user-query>What is best?</user-query>"
    assert.deepEqual(read(asked, []), Result.fail("parse_error"))
    assert.deepEqual(read(asked, [stream({ status: 500 })]), Result.fail("parse_error"))
    assert.deepEqual(
      read(asked, [stream({ body: `)]}'\n[["er",null,"BardErrorInfo",[1096]]]` })]),
      Result.fail("parse_error")
    )
  })

  it("half an answer with a broken stream is no answer", () => {
    assert.deepEqual(read(response(said), [stream({ body: "" })]), Result.fail("parse_error"))
  })

  it("a response with almost no text is an empty container", () => {
    assert.deepEqual(read(response("<p>–</p>")), Result.fail("container_empty"))
  })

  it("a response in unknown markup is a parse error", () => {
    assert.deepEqual(
      read("<model-response><div class='text'>An answer of some length.</div></model-response>"),
      Result.fail("parse_error")
    )
    assert.deepEqual(read("<p>Something else entirely.</p>"), Result.fail("parse_error"))
  })
})
