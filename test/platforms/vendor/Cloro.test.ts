/**
 * cloro over real sockets: its fixtures, its refusals, and the requests it receives.
 *
 * Planted faults that turned this red:
 * - a page of results without an overview is taken for an absence
 * - a country that is not served is taken for our mistake
 * - markers are kept in the text
 * - citations are not filled up to five, or there are more than ten; pills are not read, or win over the pointers of the text;
 *   citations are filled up by the number of pointers
 * - sources are matched by position in the list alone
 * - the extras of one surface are read on another
 * - a conflict is not taken for a refusal
 * - a click counter's site is taken for the advertiser's
 * - the vendor's longer hint is lost
 * - the titles of an overview's sources are lost
 * - provider codes appear on a live surface
 * - the result of a failure is read
 * - a plain list of adverts, the model, a source's description or the vendor's code of a refusal is left out
 * - a number in brackets that is no source is lost, or a link's address is left
 * - an event is taken for a brand
 */
import { afterAll, assert, describe, it } from "vitest"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { FailureCode } from "@sightline/domain/Platform"
import type { CloroSurface } from "@sightline/platforms/vendor/CloroReply"
import { answerOf, failureOf, fixture, openVendor, secret, sending, serving, shaped } from "../LocalVendor.ts"
import { asked, cloro, normalised, openClient } from "./LocalSurfaces.ts"

const { client, lines, run } = openClient()
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

const question = "What is the best project management software for a small design agency?"

const capture = (surface: CloroSurface, country = "GB") =>
  run(cloro(surface, vendor.url, { deadline: "10 seconds" }), asked(question, { country }))

const replying = (result: unknown) => sending(200, JSON.stringify({ success: true, result }))

it("cloro_chatgpt is read as expected, and its request is as captured", async () => {
  vendor.answer(serving(fixture("cloro_chatgpt")))
  const answer = answerOf(await capture("chatgpt_live", "US"))
  assert.deepStrictEqual(normalised(answer), shaped(fixture("expected_normalized"))["cloro_chatgpt"])
  const [received] = vendor.received
  assert.deepStrictEqual(received?.body, fixture("cloro_chatgpt").request)
  assert.strictEqual(`POST ${received?.path}`, fixture("cloro_chatgpt").endpoint)
  assert.strictEqual(received?.headers.authorization, `Bearer ${secret}`)
})

it.each<[CloroSurface, string, Record<string, unknown>]>([
  ["perplexity_live", "/v1/monitor/perplexity", { prompt: question, include: { markdown: true } }],
  ["gemini_live", "/v1/monitor/gemini", { prompt: question, include: { markdown: true } }],
  ["ai_mode", "/v1/monitor/aimode", { prompt: question, include: { markdown: true } }],
  ["ai_overview", "/v1/monitor/google", { query: question, include: { aioverview: { markdown: true } } }]
])("%s is asked at %s", async (surface, path, body) => {
  vendor.answer(replying({ text: "Taskfield.", aioverview: { text: "Taskfield." } }))
  assert.strictEqual(answerOf(await capture(surface, "AU")).text, "Taskfield.")
  assert.deepStrictEqual([vendor.received[0]?.path, vendor.received[0]?.body], [path, { ...body, country: "AU" }])
})

const source = (position: number) => ({ position, url: `https://s${position}.example/`, label: `Source ${position}` })

const perplexity = async (markdown: string, count: number, pills: ReadonlyArray<number | object> = []) => {
  vendor.answer(
    replying({
      markdown,
      sources: Array.from({ length: count }, (_, index) => source(index + 1)),
      citationPills: pills.map((pill) => (typeof pill === "number" ? { position: pill } : pill)),
      related_queries: ["one?", "two?", "three?"]
    })
  )
  return answerOf(await capture("perplexity_live"))
}

const positions = ({ citations }: { readonly citations: ReadonlyArray<{ readonly title: string }> }) =>
  citations.map(({ title }) => Number(title.slice("Source ".length)))

describe("perplexity", () => {
  it("cites the sources that the text points at, in order, and is filled up to five", async () => {
    const answer = await perplexity("Taskfield leads [3]. Brandmore follows [1][3].", 8)
    assert.strictEqual(answer.text, "Taskfield leads. Brandmore follows.")
    assert.strictEqual(answer.raw, "Taskfield leads [3]. Brandmore follows [1][3].")
    assert.deepStrictEqual(positions(answer), [3, 1, 2, 4, 5])
    assert.deepStrictEqual(answer.fanOut, ["one?", "two?", "three?"])
    assert.notProperty(answer, "sponsored")
  })

  it("cites at most ten, and nothing more once the text points at five", async () => {
    const all = Array.from({ length: 12 }, (_, index) => `[${index + 1}]`).join("")
    assert.lengthOf((await perplexity(`Taskfield leads ${all}.`, 12)).citations, 10)
    assert.deepStrictEqual(positions(await perplexity("Taskfield [6][5][4][3][2].", 9)), [6, 5, 4, 3, 2])
  })

  it("is filled up to five pages, however often the text points at two", async () => {
    assert.deepStrictEqual(positions(await perplexity("Taskfield [2][1][2][1][2][1][2].", 8)), [2, 1, 3, 4, 5])
  })

  it("keeps a number in brackets that is no source, and removes a pointer that is a link", async () => {
    const { text } = await perplexity("Area [51] leads [1](https://s1.example/), and Taskfield [2].", 3)
    assert.strictEqual(text, "Area [51] leads, and Taskfield.")
  })

  it("uses pills where the text has no pointers", async () => {
    assert.deepStrictEqual(positions(await perplexity("Taskfield leads.", 7, [7, 2])), [7, 2, 1, 3, 4])
    assert.deepStrictEqual(positions(await perplexity("Taskfield leads [3].", 7, [7, 2])), [3, 7, 2, 1, 4])
    // By their addresses, where those are addresses of sources.
    const pills = [
      { position: 1, url: "https://s7.example/" },
      { position: 2, url: "https://s8.example/" }
    ]
    assert.deepStrictEqual(positions(await perplexity("Taskfield leads.", 7, pills)), [7, 2, 1, 3, 4])
  })
})

it("extras of ChatGPT and Perplexity are read on those surfaces alone, and at most five of Perplexity's related questions", async () => {
  const shown = {
    markdown: "Taskfield.",
    searchQueries: ["searched"],
    related_queries: ["one?", "two?", "three?", "four?", "five?", "six?"],
    entities: [{ name: "Taskfield" }]
  }
  const extras = async (surface: CloroSurface) => {
    vendor.answer(replying(shown))
    const { brandEntities, fanOut } = answerOf(await capture(surface))
    return [fanOut, brandEntities]
  }
  assert.deepStrictEqual(await extras("chatgpt_live"), [shown.searchQueries, shown.entities])
  assert.deepStrictEqual(await extras("perplexity_live"), [shown.related_queries.slice(0, 5), []])
  assert.deepStrictEqual(await extras("gemini_live"), [[], []])
})

it("places, people and dates are not listed as brands, as on a page", async () => {
  const entities = [
    { type: "people", name: "Ada Nowak" },
    { type: "city", name: "Leeds" },
    { type: "date", name: "May 2026" },
    ...["country", "event", "person", "place", "state"].map((type) => ({ type, name: `A ${type}` })),
    { type: "company", name: "Taskfield" },
    { name: "Kanbo" }
  ]
  vendor.answer(replying({ markdown: "Ada Nowak of Leeds likes Taskfield and Kanbo.", entities }))
  const { brandEntities } = answerOf(await capture("chatgpt_live"))
  assert.deepStrictEqual(brandEntities, [{ name: "Taskfield", description: "company" }, { name: "Kanbo" }])
})

it("a marker is matched to a source by its position field, and by list position where it has none", async () => {
  const placed = { url: "https://s9.example/", label: "Source 9" }
  vendor.answer(replying({ markdown: "Taskfield [7] leads [2].", sources: [source(7), placed] }))
  assert.deepStrictEqual(positions(answerOf(await capture("perplexity_live"))), [7, 9])
  vendor.answer(replying({ markdown: "Taskfield [2] leads [7].", sources: [source(7), placed] }))
  assert.deepStrictEqual(positions(answerOf(await capture("perplexity_live"))), [9, 7])
})

it("a source is named by its label, and by its title where a search endpoint gives no label", async () => {
  const url = "https://s1.example/"
  const sources = [
    { url, title: "Source 1" },
    { url: `${url}2`, label: "Source 2", title: "Site" },
    { url: `${url}3`, label: "", title: "Source 3" }
  ]
  vendor.answer(replying({ aioverview: { text: "Taskfield.", sources } }))
  assert.deepStrictEqual(positions(answerOf(await capture("ai_overview"))), [1, 2, 3])
})

it("the model and a source's description are read where the vendor gives them", async () => {
  vendor.answer(
    replying({ text: "Taskfield.", model: "gpt-6", sources: [{ ...source(1), description: "All of it." }] })
  )
  const { citations, model } = answerOf(await capture("chatgpt_live"))
  assert.deepStrictEqual([model, citations[0]?.snippet], ["gpt-6", "All of it."])
})

it("empty markdown is ignored in favour of the plain text", async () => {
  vendor.answer(replying({ text: "Taskfield leads.", markdown: "" }))
  assert.strictEqual(answerOf(await capture("chatgpt_live")).text, "Taskfield leads.")
})

describe("adverts", () => {
  it("in AI Mode stand below a heading, and have no site behind a click counter", async () => {
    vendor.answer(
      replying({
        markdown: "Taskfield.",
        ads: {
          title: "Some tools",
          ads: [
            { title: "Planora", url: "https://www.google.com/aclk?sa=L", store: "Planora Ltd" },
            { title: "Kanbo", url: "https://kanbo.example/?gclid=1" }
          ]
        }
      })
    )
    assert.deepStrictEqual(answerOf(await capture("ai_mode")).sponsored, [
      {
        advertiser: "Planora Ltd",
        title: "Planora",
        url: "https://www.google.com/aclk?sa=L",
        domain: "",
        rendered: true
      },
      {
        advertiser: "kanbo.example",
        title: "Kanbo",
        url: "https://kanbo.example/",
        domain: "kanbo.example",
        rendered: true
      }
    ])
  })

  it("in an overview are a plain list", async () => {
    const ads = [{ title: "Planora", url: "https://planora.example/", store: "Planora Ltd" }]
    vendor.answer(replying({ aioverview: { text: "Taskfield.", ads } }))
    const { sponsored = [] } = answerOf(await capture("ai_overview"))
    assert.deepStrictEqual(
      sponsored.map(({ advertiser, domain }) => [advertiser, domain]),
      [["Planora Ltd", "planora.example"]]
    )
  })

  it("without a word on whether they were shown count as not rendered", async () => {
    const ads = [{ brand: { name: "Planora" }, cards: [{ title: "Plans", url: "https://planora.example/" }] }]
    vendor.answer(replying({ markdown: "Taskfield.", ads }))
    const { sponsored = [] } = answerOf(await capture("chatgpt_live"))
    assert.deepStrictEqual(
      sponsored.map(({ advertiser, rendered }) => [advertiser, rendered]),
      [["Planora", false]]
    )
  })

  it("with null fields are listed with their other fields", async () => {
    const card = { title: "Plans", url: "https://planora.example/" }
    const ads = [
      { brand: { name: null }, cards: [card] },
      { brand: null, cards: [card] },
      {
        brand: { name: "Planora" },
        cards: [
          { title: "Plans", url: null },
          { ...card, title: null }
        ]
      },
      { brand: { name: "Planora" }, cards: null }
    ]
    vendor.answer(replying({ markdown: "Taskfield.", ads }))
    const { sponsored = [] } = answerOf(await capture("chatgpt_live"))
    assert.deepStrictEqual(
      sponsored.map(({ advertiser, title }) => [advertiser, title]),
      [
        ["planora.example", "Plans"],
        ["planora.example", "Plans"],
        ["Planora", "planora.example"]
      ]
    )
  })

  it("are an empty list where there were none", async () => {
    vendor.answer(replying({ markdown: "Taskfield.", ads: null }))
    assert.deepStrictEqual(answerOf(await capture("chatgpt_live")).sponsored, [])
  })
})

describe("failures", () => {
  it("a page of results without an overview is no absence", async () => {
    vendor.answer(replying({ organicResults: [{ position: 1 }] }))
    const failed = failureOf(await capture("ai_overview"))
    assert.deepStrictEqual([failed.code, failed.ending], ["upstream_unavailable", "unavailable"])
  })

  it("an empty answer is no absence", async () => {
    vendor.answer(replying({ text: "", markdown: "", sources: [] }))
    assert.strictEqual(failureOf(await capture("perplexity_live")).ending, "container_empty")
  })

  it.each([
    '{"success":false,"error":"x"}',
    '{"success":false,"result":{"text":"Taskfield."}}',
    '{"success":true,"result":"<html>"}',
    "{}",
    "[]"
  ])("%s is parse_error", async (body) => {
    vendor.answer(sending(200, body))
    assert.strictEqual(failureOf(await capture("perplexity_live")).ending, "parse_error")
  })

  const error = (code: string) => JSON.stringify({ success: false, error: { code, message: "words-canary" } })
  const invalid = (field: string) =>
    JSON.stringify({
      success: false,
      error: "Request validation failed",
      details: [{ field, message: "words-canary" }]
    })

  const invalidInside = (field: string) =>
    JSON.stringify({
      success: false,
      error: { code: "VALIDATION_ERROR", message: "words-canary", details: [{ field, message: "words-canary" }] }
    })

  it.each<[number, string, FailureCode, CaptureEnding, boolean, number]>([
    [400, invalidInside("prompt"), "upstream_unavailable", "refused", true, 1],
    [400, invalidInside("country"), "surface_unavailable_in_region", "region", false, 1],
    [400, invalid("prompt"), "upstream_unavailable", "refused", true, 1],
    [400, invalid("country"), "surface_unavailable_in_region", "region", false, 1],
    [400, invalid("state"), "surface_unavailable_in_region", "region", false, 1],
    [409, invalid("country"), "upstream_unavailable", "refused", true, 1],
    [401, error("INVALID_OR_EXPIRED_API_KEY"), "upstream_unavailable", "refused", true, 1],
    [403, error("INSUFFICIENT_CREDITS"), "upstream_unavailable", "refused", true, 1],
    [404, error("NOT_FOUND"), "upstream_unavailable", "refused", true, 1],
    [429, error("CONCURRENT_LIMIT_EXCEEDED"), "upstream_rate_limited", "rate_limited", false, 2],
    [499, error("REQUEST_CANCELED"), "upstream_unavailable", "unavailable", false, 1],
    [500, '{"success":false,"error":"Maximum retries exceeded"}', "upstream_unavailable", "unavailable", false, 2],
    [502, error("BAD_GATEWAY"), "upstream_unavailable", "unavailable", false, 2],
    [504, error("TIMEOUT"), "upstream_timeout", "timeout", false, 1]
  ])("%d %s is %s (%s, alarm: %s) after %d requests", async (status, body, code, ending, alarm, requests) => {
    lines.length = 0
    vendor.answer(sending(status, body))
    const failed = failureOf(await capture("perplexity_live"))
    assert.deepStrictEqual([failed.code, failed.ending], [code, ending])
    assert.lengthOf(vendor.received, requests)
    assert.lengthOf(lines, 1)
    assert.strictEqual(JSON.parse(lines[0] ?? "").level, alarm ? "ERROR" : "WARN")
    for (const word of [secret, "words-canary"]) assert.notInclude(lines.join() + failed.message, word)
  })

  it("a refusal is logged with the vendor's own code, or with the status where there is no code", async () => {
    lines.length = 0
    vendor.answer(sending(403, error("INSUFFICIENT_CREDITS")), sending(402, '{"success":false,"error":"x"}'))
    for (const surface of ["perplexity_live", "chatgpt_live"] as const) failureOf(await capture(surface))
    assert.deepStrictEqual(
      lines.map((line) => JSON.parse(line).annotations.detail),
      ["INSUFFICIENT_CREDITS", "402"]
    )
  })

  it("a rate limit whose hint exceeds the time left is not retried, and the hint is passed on", async () => {
    vendor.answer(
      serving({ ...fixture("cloro_error"), headers: { "content-type": "application/json", "retry-after": "45" } })
    )
    const failed = failureOf(await capture("chatgpt_live"))
    assert.deepStrictEqual([failed.code, failed.retryAfterSeconds], ["upstream_rate_limited", 45])
    assert.lengthOf(vendor.received, 1)
  })
})
