/**
 * What is read from ChatGPT's streams and page.
 *
 * Planted and seen red:
 * - the blank before a token is kept
 * - cities are listed as brands, or a place of any kind is
 * - an advert's title is also looked for in the answer
 * - a stream without its end is accepted
 * - messages to tools are read
 * - an absence is accepted without a look at the page
 * - refused streams are read
 * - campaign parameters are kept on adverts and sources
 * - a running comment, or the first of two answers, is read
 * - the path of a patch is ignored
 * - a list exceeds its bound by one
 * - an advert without a title is shown, or one is dropped because of a null in it
 * - elements are taken from the page one by one; a page is read at any depth
 */
import { profile } from "@sightline/platforms/live/ChatGpt"
import type { Observation } from "@sightline/platforms/live/Surface"
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { fixture } from "../LocalVendor.ts"
import { nested, wide } from "./Soup.ts"

const body = fixture("ui_chatgpt_sse").body_text ?? ""
const url = "https://chatgpt.com/backend-anon/f/conversation"

const page = (over: Partial<Observation> = {}): Observation => ({
  url: "https://chatgpt.com/c/1",
  html: "<html><body><main><aside><p>Planora for agencies</p></aside></main></body></html>",
  visibleText: "What is best?\nFor small design agencies …\nSponsored\nPlanora for\nAgencies",
  streams: [{ url, status: 200, body }],
  ...over
})

const read = (over: Partial<Observation> = {}) => profile.read(page(over))

const answer = (over: Partial<Observation> = {}) => Result.getOrThrow(read(over))

const streamed = (text: string) => ({ streams: [{ url, status: 200, body: text }] })

/** The fixture with another text in its final message. */
const saying = (delivered: string) => {
  const message = {
    author: { role: "assistant" },
    recipient: "all",
    channel: "final",
    content: { parts: [delivered] },
    metadata: {}
  }
  const add = JSON.stringify({ p: "", o: "add", v: { message }, c: 0 })
  return streamed(`event: delta\ndata: ${add}\n\ndata: {"type":"message_stream_complete"}\n\n`)
}

describe("the recorded stream", () => {
  it("gives the text without tokens, and the raw text as delivered", () => {
    const { raw, text } = answer()
    assert.strictEqual(text, "For small design agencies, Taskfield is the usual first choice. Brandmore is cheaper.")
    assert.include(raw, '\uE200entity\uE202["company","Taskfield","project software"]\uE201')
  })

  it("gives everything else that the surface shows", () => {
    const { raw: _raw, text: _text, ...rest } = answer()
    assert.deepEqual(rest, {
      citations: [
        {
          url: "https://reviewhub.example/pm-tools",
          title: "Best project tools for agencies, tested",
          snippet: "Taskfield came first."
        },
        { url: "https://forum.example/t/agency-tools/991", title: "What do small studios use?" }
      ],
      fanOut: ["best project management software design agency 2026", "Brandmore pricing"],
      brandEntities: [{ name: "Taskfield", description: "project software" }],
      sponsored: [
        {
          advertiser: "Planora",
          title: "Planora for agencies",
          url: "https://planora.example/agency",
          domain: "planora.example",
          rendered: true
        },
        {
          advertiser: "Kanbo Ltd",
          title: "Kanbo boards",
          url: "https://kanbo.example/",
          domain: "kanbo.example",
          rendered: false
        }
      ],
      searched: true,
      model: "gpt-5-6",
      finish: "stop"
    })
  })

  it("continues in a second stream after a handoff", () => {
    const cut = body.indexOf('event: delta\ndata: {"v"')
    const first = `${body.slice(0, cut)}data: {"type":"stream_handoff"}\n\ndata: [DONE]\n\n`
    const streams = [first, body.slice(cut)].map((text) => ({ url, status: 200, body: text }))
    assert.deepEqual(answer({ streams }), answer())
  })

  it("is not replaced by the stream of a refused call", () => {
    const refused = { url, status: 403, body: body.replaceAll("Taskfield", "Otherfield") }
    const [kept] = page().streams
    assert.deepEqual(answer({ streams: kept === undefined ? [] : [refused, kept, refused] }), answer())
  })
})

describe("adverts", () => {
  it.each([...nested, ...wide, "<script>0</script>"])(
    "on a page of nothing but %s are searched within seconds of processor time",
    (unit) => {
      const html = unit.repeat(Math.ceil((1024 * 1024) / unit.length))
      const start = process.threadCpuUsage()
      assert.isNotEmpty(answer({ html }).sponsored)
      assert.isBelow(process.threadCpuUsage(start).user, 20_000_000)
    }
  )

  const rendered = (over: Partial<Observation>) => answer(over).sponsored?.map((advert) => advert.rendered)

  it("are not rendered when their title is only in a script, hidden, or in the answer", () => {
    const html = `<script>const ads = ["Planora for agencies"]</script><p hidden>Planora for agencies</p>`
    assert.deepEqual(rendered({ html, visibleText: "nothing" }), [false, false])
    const said = `<div data-message-author-role="assistant"><div class="markdown">Planora for agencies</div></div>`
    assert.deepEqual(rendered({ html: said, visibleText: "Planora for agencies" }), [false, false])
  })

  it("of a unit with several advertisers are listed one by one", () => {
    const card = (name: string) => ({
      advertiser_brand: { name },
      title: `${name} today`,
      target: { value: `https://www.${name.toLowerCase()}.example/x?utm_source=chatgpt` }
    })
    const unit = { type: "multi_advertiser_ad_unit", cards: [card("One"), card("Two")] }
    const ads = `data: ${JSON.stringify({ type: "ads", ads: [unit, { type: "unknown" }, null] })}\n\n`
    const html = "<p>One today</p>"
    assert.deepEqual(
      answer({ ...streamed(body.replace(/data: \{"type":"ads".*\n\n/, ads)), html, visibleText: "One today" })
        .sponsored,
      [
        {
          advertiser: "One",
          title: "One today",
          url: "https://www.one.example/x",
          domain: "one.example",
          rendered: true
        },
        {
          advertiser: "Two",
          title: "Two today",
          url: "https://www.two.example/x",
          domain: "two.example",
          rendered: false
        }
      ]
    )
  })

  it.each<[string, object, object]>([
    ["its brand's name", { advertiser_brand: { name: null } }, { advertiser: "planora.example" }],
    ["its brand", { advertiser_brand: null }, { advertiser: "planora.example" }],
    ["its title", { title: null }, { title: "planora.example", rendered: false }],
    ["its cards", { carousel_cards: null }, {}],
    [
      "the first of its cards",
      { carousel_cards: [null, { title: "Two", target: { value: "https://two.example/" } }] },
      {
        title: "Two",
        url: "https://two.example/",
        domain: "two.example"
      }
    ]
  ])("one that leaves %s null is listed with the rest of what it says", (_name, nulls, told) => {
    const unit = { advertiser_brand: { name: "Planora" }, title: "One", target: { value: "https://planora.example/" } }
    const ads = `data: ${JSON.stringify({ type: "ads", ads: [{ ...unit, ...nulls }] })}\n\n`
    const read = answer({
      ...streamed(body.replace(/data: \{"type":"ads".*\n\n/, ads)),
      html: "<p>One, Two</p>",
      visibleText: "One, Two"
    })
    const whole = { advertiser: "Planora", title: "One", url: "https://planora.example/", domain: "planora.example" }
    assert.deepEqual(read.sponsored, [{ ...whole, rendered: true, ...told }])
  })

  it("are an empty list when none were served", () => {
    assert.deepEqual(answer(saying("An answer without any adverts.")).sponsored, [])
  })
})

it("sources lose their campaign parameters, and nothing else", () => {
  const url = "https://forum.example/t/agency-tools/991?page=2&utm_medium=web"
  const marked = streamed(body.replace("https://forum.example/t/agency-tools/991?utm_source=chatgpt.com", url))
  assert.strictEqual(answer(marked).citations[1]?.url, "https://forum.example/t/agency-tools/991?page=2")
})

describe("tokens", () => {
  const token = (kind: string, rest: string) => `\uE200${kind}\uE202${rest}\uE201`
  const entity = (...parts: ReadonlyArray<string>) => token("entity", JSON.stringify(parts))

  it("of entities leave the name, and all others leave nothing", () => {
    const said = `Try ${entity("company", "Acme Ltd")} first. ${token("cite", "turn0search1")}\n\n${token("products", "{}")}Then rest.`
    assert.strictEqual(answer(saying(said)).text, "Try Acme Ltd first.\n\nThen rest.")
  })

  it("give each brand once, and no place or person", () => {
    const said = [
      entity("company", "Acme", "tools"),
      entity("city", "Leeds"),
      entity("person", "A. Smith"),
      entity("company", "Acme"),
      entity("gadget", "Zap")
    ].join(", ")
    const { brandEntities, text } = answer(saying(said))
    assert.deepEqual(brandEntities, [{ name: "Acme", description: "tools" }, { name: "Zap" }])
    assert.strictEqual(text, "Acme, Leeds, A. Smith, Acme, Zap")
  })

  it("that are malformed leave no marker behind", () => {
    const said = `A long enough answer \uE200entity\uE202[broken\uE201 and \uE200cite\uE202turn with no end`
    assert.notMatch(answer(saying(said)).text, /[\uE200-\uE202]/)
  })
})

describe("without an answer to read", () => {
  it("a stream without its end is a parse error", () => {
    assert.deepEqual(read(streamed(body.slice(0, body.indexOf('data: {"type":"ads"')))), Result.fail("parse_error"))
    assert.deepEqual(read({ streams: [] }), Result.fail("parse_error"))
  })

  it("a message with almost no text is an empty container", () => {
    assert.deepEqual(read(saying("…")), Result.fail("container_empty"))
    assert.deepEqual(read(saying("\uE200cite\uE202turn0search0turn0search1\uE201")), Result.fail("container_empty"))
  })

  it("a missing final message is an absence only while no answer stands on the page", () => {
    const end = streamed('data: {"type":"message_stream_complete"}\n\n')
    const shown = Result.getOrThrow(read({ ...end, html: "<p>question</p>" }))
    assert.deepInclude(shown, { surfacePresent: false, text: "", raw: "", sponsored: [], fanOut: [] })
    const html = `<div data-message-author-role="assistant">An answer.</div>`
    assert.deepEqual(read({ ...end, html }), Result.fail("parse_error"))
  })

  it("an error in place of a message is no absence", () => {
    const end = 'data: {"type":"message_stream_complete"}\n\n'
    const asked = { html: "<p>question</p>" }
    for (const error of [
      { message: null, error: "Something went wrong" },
      { type: "error", error: { code: "x" } }
    ]) {
      const failed = streamed(`data: ${JSON.stringify(error)}\n\n${end}`)
      assert.deepEqual(read({ ...asked, ...failed }), Result.fail("parse_error"))
    }
    const whole = streamed(`data: {"message":null,"error":null}\n\n${end}`)
    assert.propertyVal(answer({ ...asked, ...whole }), "surfacePresent", false)
  })
})

it("a message to a tool is no answer", () => {
  const aside = body.replace('"recipient":"all","channel":"final"', '"recipient":"web.run","channel":"final"')
  assert.strictEqual(Result.getOrThrow(read(streamed(aside))).surfacePresent, false)
})

it("the prepare call before the stream is not kept", () => {
  const kept = (path: string) => profile.streams.some((ending) => path.endsWith(ending))
  assert.isTrue(kept("/backend-anon/f/conversation"))
  assert.isFalse(kept("/backend-anon/f/conversation/prepare"))
  assert.isFalse(kept("/backend-anon/sentinel/chat-requirements"))
})

describe("of many messages", () => {
  const message = (text: string, over: object = {}) => ({
    message: { author: { role: "assistant" }, channel: "final", content: { parts: [text] }, ...over }
  })
  const said = (...deltas: ReadonlyArray<object>) =>
    answer(
      streamed(
        [...deltas, { type: "message_stream_complete" }].map((data) => `data: ${JSON.stringify(data)}\n\n`).join("")
      )
    ).text
  const add = (document: number, value: object) => ({ p: "", o: "add", v: value, c: document })

  it("the last final message is the answer, and a running comment is not", () => {
    const comment = message("Let me look at that.", { channel: "commentary" })
    const [first, last] = [message("Taskfield is the first choice."), message("Brandmore is the better one.")]
    assert.strictEqual(said(add(0, first), add(1, last), add(2, comment)), "Brandmore is the better one.")
  })

  it("a patch applies below the path of its delta", () => {
    const patch = { p: "/message", o: "patch", v: [{ p: "/content/parts/0", o: "append", v: " first choice." }], c: 0 }
    assert.strictEqual(said(add(0, message("Taskfield is the")), patch), "Taskfield is the first choice.")
  })
})

it("there are at most 50 queries, 100 brands and 50 adverts", () => {
  const many = Array.from({ length: 120 }, (_, index) => index)
  const brands = many.map((index) => `\uE200entity\uE202["company","Brand ${index}"]\uE201`).join(", ")
  const message = {
    author: { role: "assistant" },
    channel: "final",
    content: { parts: [brands] },
    metadata: { search_model_queries: { queries: many.map((index) => `query ${index}`) } }
  }
  const ads = many.map((index) => ({
    advertiser_brand: { name: `Advertiser ${index}` },
    title: " ",
    target: { value: `https://a.example/${index}` }
  }))
  const events = [{ p: "", o: "add", v: { message }, c: 0 }, { type: "ads", ads }, { type: "message_stream_complete" }]
  const {
    brandEntities,
    fanOut,
    sponsored = []
  } = answer(streamed(events.map((data) => `data: ${JSON.stringify(data)}\n\n`).join("")))
  assert.deepStrictEqual([brandEntities.length, brandEntities.at(-1)], [100, { name: "Brand 99" }])
  assert.deepStrictEqual([fanOut.length, fanOut.at(-1)], [50, "query 49"])
  assert.deepStrictEqual([sponsored.length, sponsored.at(-1)?.advertiser], [50, "Advertiser 49"])
  // A blank title is found everywhere.
  assert.isFalse(sponsored.some(({ rendered }) => rendered))
})

it.each(["city", "country", "date", "event", "people", "person", "place", "state"])("a %s is no brand", (type) => {
  const { brandEntities, text } = answer(
    saying(`\uE200entity\uE202["${type}","Leeds"]\uE201 is where Taskfield is from.`)
  )
  assert.isEmpty(brandEntities)
  assert.strictEqual(text, "Leeds is where Taskfield is from.")
})
