/**
 * What is read from Perplexity's stream.
 *
 * Planted and seen red:
 * - there are five citations whatever is cited
 * - markers are counted from zero
 * - an unreadable result is left out of the count
 * - a completed event is used before the final one
 * - patches outside their field are read
 * - an absence is accepted without a look at the page
 * - the list of sources is read first, or never
 */
import { profile } from "@sightline/platforms/live/Perplexity"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { fixture } from "../LocalVendor.ts"

const body = fixture("ui_perplexity_sse").body_text ?? ""

const read = (text: string, html = "", status = 200) =>
  profile.read({
    url: "https://www.perplexity.ai/search/1",
    html,
    visibleText: "",
    streams: [{ url: "https://www.perplexity.ai/rest/sse/perplexity_ask", status, body: text }]
  })

const answer = (text: string) => Result.getOrThrow(read(text))

const event = (data: unknown) => `event: message\r\ndata: ${JSON.stringify(data)}\r\n\r\n`

const done = (blocks: ReadonlyArray<unknown>, over: object = {}) =>
  event({ status: "COMPLETED", final: true, final_sse_message: true, blocks, ...over })

const text = (answer: string, usage = "ask_text") => ({ intended_usage: usage, markdown_block: { answer } })

const results = (count: number) => ({
  intended_usage: "web_results",
  web_result_block: {
    web_results: Array.from({ length: count }, (_, index) => ({
      name: `Page ${index + 1}`,
      url: `https://site${index + 1}.example/`
    }))
  }
})

describe("the recorded stream", () => {
  it("gives the answer of its final event", () => {
    assert.deepEqual(answer(body), {
      text: "**Taskfield** is the most recommended option. Brandmore is the budget pick.",
      raw: "**Taskfield** is the most recommended option[1]. Brandmore is the budget pick[2].",
      citations: [
        {
          url: "https://reviewhub.example/pm-tools",
          title: "Best project tools for agencies, tested",
          snippet: "Taskfield came first."
        },
        {
          url: "https://brandmore.example/pricing",
          title: "Pricing | Brandmore",
          snippet: "Free for up to five seats."
        }
      ],
      fanOut: ["Taskfield vs Brandmore", "free project tools for studios", "project tools with proofing"],
      brandEntities: [],
      searched: true,
      model: "turbo",
      finish: "stop"
    })
  })

  it("gives the same from its patches where the final event has no block of its own", () => {
    const patched = body.replace(
      /"blocks":\[\{"intended_usage":"ask_text",[^]*?\},\{"intended_usage":"web_results"/,
      '"blocks":[{"intended_usage":"web_results"'
    )
    assert.notInclude(patched, '"ask_text"')
    assert.deepEqual(answer(patched), answer(body))
  })

  it("gives the same with other line ends", () => {
    assert.deepEqual(answer(body.replaceAll("\r\n", "\n")), answer(body))
  })
})

describe("citations", () => {
  const urls = (said: string, count: number) =>
    answer(done([text(said), results(count)])).citations.map(({ url }) => Number(/\d+/.exec(url)?.[0]))

  it("begin with the pages that the answer points at and are filled up to five", () => {
    assert.deepEqual(urls("An answer that points[3] at two[1] pages.", 8), [3, 1, 2, 4, 5])
  })

  it("are at most ten, and otherwise include every page that the answer points at", () => {
    const all = Array.from({ length: 12 }, (_, index) => `[${12 - index}]`).join("")
    assert.deepEqual(urls(`An answer that points at everything${all}.`, 12), [12, 11, 10, 9, 8, 7, 6, 5, 4, 3])
    assert.deepEqual(urls("Six pages are pointed at[1][2][3][4][5][6].", 12), [1, 2, 3, 4, 5, 6])
  })

  it("count the results as the page does, including one that cannot be read", () => {
    const { intended_usage, web_result_block } = results(3)
    const listed = web_result_block.web_results.map((result, index) => (index === 0 ? { title: "?" } : result))
    const block = { intended_usage, web_result_block: { web_results: listed } }
    const { citations, text: said } = answer(
      done([text("An answer that points[2] somewhere[1] and nowhere[9][0]."), block])
    )
    assert.deepEqual(
      citations.map(({ title }) => title),
      ["Page 2", "Page 3"]
    )
    assert.strictEqual(said, "An answer that points somewhere and nowhere[9][0].")
  })
})

describe("the list of sources beside the answer", () => {
  const { web_results } = results(3).web_result_block
  const sources = { intended_usage: "sources_answer_mode", sources_mode_block: { web_results } }
  const said = text("An answer that points[2] at a page.")

  it("replaces the search results where those are missing or empty", () => {
    for (const found of [[], [results(0)], [{ intended_usage: "web_results" }]]) {
      const listed = answer(done([said, ...found, sources]))
      assert.deepEqual(
        listed.citations.map(({ title }) => title),
        ["Page 2", "Page 1", "Page 3"]
      )
      assert.deepEqual([listed.text, listed.searched], ["An answer that points at a page.", true])
    }
  })

  it("is not read beside search results", () => {
    assert.lengthOf(answer(done([said, sources, results(2)])).citations, 2)
  })
})

describe("the answer's block", () => {
  it("may come in parts, which are sorted", () => {
    const parts = [text("Second part of it.", "ask_text_1_markdown"), text("First part of it.", "ask_text_0_markdown")]
    assert.strictEqual(answer(done(parts)).text, "First part of it.\n\nSecond part of it.")
  })

  it("may come as chunks", () => {
    const block = { intended_usage: "ask_text", markdown_block: { chunks: ["An answer ", "in two chunks."] } }
    assert.strictEqual(answer(done([block])).text, "An answer in two chunks.")
  })

  it("with almost no text, or in an unreadable form, is an empty container", () => {
    assert.deepEqual(read(done([text("–")])), Result.fail("container_empty"))
    assert.deepEqual(read(done([{ intended_usage: "ask_text", markdown_block: 5 }])), Result.fail("container_empty"))
  })
})

describe("a completed event without an answer's block", () => {
  it("is an absence", () => {
    assert.deepInclude(answer(done([results(3)], { related_queries: ["And?"] })), {
      surfacePresent: false,
      text: "",
      raw: "",
      citations: [],
      fanOut: []
    })
    assert.notProperty(answer(done([])), "sponsored")
  })

  it("is a parse error where an event reports a failure", () => {
    for (const failure of [
      { error_code: "RATE_LIMITED" },
      { error_code: null, error_message: "Something went wrong" }
    ]) {
      assert.deepEqual(read(done([], failure)), Result.fail("parse_error"))
      assert.deepEqual(read(event({ status: "PENDING", ...failure }) + done([])), Result.fail("parse_error"))
    }
    assert.propertyVal(answer(done([], { error_code: null, error_message: "" })), "surfacePresent", false)
  })

  it("is a parse error while an answer stands on the page", () => {
    assert.deepEqual(read(done([]), '<main><div class="prose">An answer.</div></main>'), Result.fail("parse_error"))
  })
})

it("a stream that does not complete is a parse error", () => {
  assert.deepEqual(
    read(event({ status: "PENDING", blocks: [text("Half of an answer so far.")] })),
    Result.fail("parse_error")
  )
  assert.deepEqual(read(event({ status: "FAILED", error_code: "X", blocks: [] })), Result.fail("parse_error"))
  const notYet = done([text("Half of an answer so far.")], { final_sse_message: false })
  assert.deepEqual(read(notYet), Result.fail("parse_error"))
  assert.deepEqual(read("<html>", ""), Result.fail("parse_error"))
  assert.deepEqual(read(body, "", 502), Result.fail("parse_error"))
})

it("at most five related questions are listed, each once, none of them blank", () => {
  const related_query_items = ["", "a", " ", "b", "a", "c", "d", "e", "f"].map((item) => ({ text: item }))
  assert.deepEqual(answer(done([text("An answer with related questions.")], { related_query_items })).fanOut, [
    "a",
    "b",
    "c",
    "d",
    "e"
  ])
})
