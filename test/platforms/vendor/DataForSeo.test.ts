/**
 * DataForSEO over real sockets: every fixture, every status code at both levels, and the requests it receives.
 *
 * Planted faults that turned this red:
 * - one of the two status codes is not checked; the envelope under an HTTP error is not read, or wins over HTTP's own status
 * - a refused location, or a refused language, is taken for our mistake
 * - 40103 is not retried; 40102 is taken for an error
 * - a refused account raises no alarm
 * - a plus sign is sent unescaped
 * - an overview that was not loaded, or a kind of result without its item, is taken for an absence, or the former is not retried
 * - adverts beside Bing's answer or inside Google's are dropped; an advert is always rendered; tracking is kept in an advert's
 *   address; adverts are not marked as looked for; adverts beside AI Mode are listed
 * - an empty answer is let through
 * - the reserve of 30 seconds is not kept; the deadline is removed
 * - names that only the items of a chat or the parts of an overview have, and the components of parts, are left out; the items of a
 *   chat are run together
 * - a source's excerpt is left out
 */
import { afterAll, assert, describe, it } from "vitest"
import type { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { FailureCode } from "@sightline/domain/Platform"
import type { DataForSeoSurface } from "@sightline/platforms/vendor/DataForSeo"
import { answerOf, failureOf, fixture, openVendor, secret, sending, serving, shaped } from "../LocalVendor.ts"
import { asked, dataForSeo, normalised, openClient } from "./LocalSurfaces.ts"

const { client, lines, run } = openClient()
const vendor = await openVendor()

afterAll(async () => {
  await vendor.close()
  await client.dispose()
})

const question = "What is the best project management software for a small design agency?"

const capture = (surface: DataForSeoSurface, content = question, country = "GB") =>
  run(dataForSeo(surface, vendor.url), asked(content, { country }))

const surfaces: ReadonlyArray<DataForSeoSurface> = [
  "chatgpt_live",
  "gemini_live",
  "ai_overview",
  "ai_mode",
  "bing_copilot"
]

const surfaceOf = (name: string): DataForSeoSurface => {
  if (name.includes("chatgpt")) return "chatgpt_live"
  return surfaces.find((surface) => name.includes(surface)) ?? "gemini_live"
}

const expected: Readonly<Record<string, unknown>> = shaped(fixture("expected_normalized"))
const successes = Object.keys(expected).filter((name) => /^dataforseo_(?!error|.*not_loaded)/.test(name))

describe.each(successes)("%s", (name) => {
  it("is read as expected", async () => {
    vendor.answer(serving(fixture(name)))
    assert.deepStrictEqual(normalised(answerOf(await capture(surfaceOf(name)))), expected[name])
  })

  it("its request has the captured path", async () => {
    vendor.answer(serving(fixture(name)))
    await capture(surfaceOf(name))
    assert.strictEqual(`POST ${vendor.received[0]?.path}`, fixture(name).endpoint)
  })
})

describe("requests", () => {
  it.each([
    ["dataforseo_ai_overview_present", "GB"],
    ["dataforseo_chatgpt", "US"]
  ])("%s asked for what we ask for", async (name, country) => {
    vendor.answer(serving(fixture(name)))
    await capture(surfaceOf(name), question, country)
    const [task] = shaped(fixture(name).request)
    delete task.tag
    assert.deepStrictEqual(shaped(vendor.received[0]?.body), [task])
  })

  it.each([
    ["US", 2840],
    ["GB", 2826],
    ["CA", 2124],
    ["AU", 2036]
  ])("%s is location %d", async (country, location) => {
    vendor.answer(serving(fixture("dataforseo_gemini")))
    await capture("gemini_live", question, country)
    assert.strictEqual(shaped(vendor.received[0]?.body)[0].location_code, location)
  })

  it.each(["ai_overview", "ai_mode", "bing_copilot"] as const)("%s is looked at as on a desk", async (surface) => {
    vendor.answer(serving(fixture("dataforseo_ai_mode")))
    await capture(surface)
    assert.deepInclude(shaped(vendor.received[0]?.body)[0], { device: "desktop", os: "windows" })
  })

  it("a plus and a percent sign arrive unchanged at the vendor", async () => {
    vendor.answer(serving(fixture("dataforseo_gemini")))
    await capture("gemini_live", "C++ at 50%2B off")
    assert.strictEqual(shaped(vendor.received[0]?.body)[0].keyword, "C%2B%2B at 50%252B off")
  })

  it("login and password are sent by HTTP Basic, and a slash at the end of the base URL changes nothing", async () => {
    vendor.answer(serving(fixture("dataforseo_gemini")))
    await run(dataForSeo("gemini_live", `${vendor.url}/`), asked(question))
    const credentials = Buffer.from(`login-canary:${secret}`).toString("base64")
    assert.strictEqual(vendor.received[0]?.headers.authorization, `Basic ${credentials}`)
    assert.strictEqual(vendor.received[0]?.path, "/v3/ai_optimization/gemini/llm_scraper/live/advanced")
  })
})

type Row = readonly [code: number, failure: FailureCode, ending: CaptureEnding, alarm: boolean]

const refused = (code: number): Row => [code, "upstream_unavailable", "refused", true]
const limited = (code: number): Row => [code, "upstream_rate_limited", "rate_limited", false]
const unavailable = (code: number): Row => [code, "upstream_unavailable", "unavailable", false]
const late = (code: number): Row => [code, "upstream_timeout", "timeout", false]

const resubmit = 40103

const rows: ReadonlyArray<Row> = [
  ...[40100, 40104, 40200, 40201, 40203, 40204, 40207, 40210, 40501, 40502, 40503, 40506].map(refused),
  ...[40202, 40205, 40206, 40209].map(limited),
  ...[40101, 40401, 40403, 40601, 40602, 50000, 50301, 50303, 50304, 49999].map(unavailable),
  unavailable(resubmit),
  [40505, "surface_unavailable_in_region", "region", false],
  ...[50401, 50402].map(late)
]

const stated = (code: number, message = "Something.") => ({ status_code: code, status_message: message })
const envelope = (outcome: object, tasks: unknown) => JSON.stringify({ ...outcome, tasks })

const levels = {
  "of the task": (code: number) => sending(200, envelope(stated(20000), [{ ...stated(code), result: null }])),
  "of the envelope": (code: number) => sending(200, envelope(stated(code), null)),
  "of the envelope over a whole task": (code: number) =>
    sending(200, envelope(stated(code), fixture("dataforseo_ai_mode").body?.["tasks"])),
  "under an HTTP error": (code: number) => sending(500, envelope(stated(code), null))
}

describe.each(Object.entries(levels))("status code %s", (_level, answering) => {
  it.each(rows)("%d is %s (%s, alarm: %s)", async (code, failure, ending, alarm) => {
    lines.length = 0
    vendor.answer(answering(code))
    const failed = failureOf(await capture("ai_mode"))
    assert.deepStrictEqual([failed.platform, failed.code, failed.ending], ["ai_mode", failure, ending])
    assert.lengthOf(vendor.received, code === resubmit ? 2 : 1)
    const [line = "", ...others] = lines
    assert.isEmpty(others)
    const { annotations, level } = JSON.parse(line)
    assert.strictEqual(level, alarm ? "ERROR" : "WARN")
    assert.deepInclude(annotations, { code: failure, ending, detail: String(code) })
    for (const word of [secret, "login-canary", "Something."]) assert.notInclude(line + failed.message, word)
  })

  it("40102 is a success: the surface showed no answer", async () => {
    vendor.answer(answering(40102))
    if (_level === "under an HTTP error")
      return assert.strictEqual(failureOf(await capture("ai_mode")).code, "upstream_unavailable")
    const { sponsored, surfacePresent, text } = answerOf(await capture("ai_mode"))
    assert.deepStrictEqual([surfacePresent, text, sponsored], [false, "", []])
  })
})

describe("the error fixtures", () => {
  it.each([
    ["dataforseo_error_40202", "upstream_rate_limited"],
    ["dataforseo_error_50401", "upstream_timeout"],
    ["dataforseo_error_40501_location", "surface_unavailable_in_region"],
    ["dataforseo_error_auth", "upstream_unavailable"]
  ])("%s is %s", async (name, code) => {
    vendor.answer(serving(fixture(name)))
    assert.strictEqual(failureOf(await capture("chatgpt_live")).code, code)
    assert.lengthOf(vendor.received, 1)
  })

  it("a language that the vendor refuses counts as not offered there", async () => {
    vendor.answer(sending(200, envelope(stated(20_000), [stated(40_501, "Invalid Field: 'language_code'.")])))
    assert.strictEqual(failureOf(await capture("chatgpt_live")).ending, "region")
  })

  it("a rate limit in HTTP's own status counts, even where the envelope reports success", async () => {
    vendor.answer(sending(429, envelope(stated(20_000), null)), sending(429, envelope(stated(20_000), null)))
    assert.strictEqual(failureOf(await capture("chatgpt_live")).ending, "rate_limited")
  })

  it("a refused location with another code is not a refused region", async () => {
    vendor.answer(sending(200, envelope(stated(40_101, "No location yet."), null)))
    assert.strictEqual(failureOf(await capture("chatgpt_live")).ending, "unavailable")
  })

  it("dataforseo_error_40102 is an absence, with adverts looked for", async () => {
    vendor.answer(serving(fixture("dataforseo_error_40102")))
    assert.deepStrictEqual(
      normalised(answerOf(await capture("ai_overview"))),
      expected["dataforseo_ai_overview_absent"]
    )
  })
})

/** A fixture's body with its one result changed. */
const changed = (name: string, change: (result: Record<string, unknown>) => void) => {
  const body = shaped(fixture(name).body)
  change(body.tasks[0].result[0])
  return sending(200, JSON.stringify(body))
}

describe("what is no absence", () => {
  it("an overview that was not loaded is retried once, and then container_empty", async () => {
    vendor.answer(serving(fixture("dataforseo_ai_overview_not_loaded")))
    const failed = failureOf(await capture("ai_overview"))
    assert.deepStrictEqual([failed.code, failed.ending], ["upstream_unavailable", "container_empty"])
    assert.lengthOf(vendor.received, 2)
    vendor.answer(
      serving(fixture("dataforseo_ai_overview_not_loaded")),
      serving(fixture("dataforseo_ai_overview_present"))
    )
    assert.isNotEmpty(answerOf(await capture("ai_overview")).text)
  })

  it("a task that must be sent again is retried once", async () => {
    vendor.answer(levels["of the task"](40103), serving(fixture("dataforseo_gemini")))
    assert.isNotEmpty(answerOf(await capture("gemini_live")).text)
    assert.lengthOf(vendor.received, 2)
  })

  it.each<[string, DataForSeoSurface, string, CaptureEnding, (result: Record<string, unknown>) => void]>([
    [
      "a kind of result without its item",
      "ai_overview",
      "dataforseo_ai_overview_present",
      "parse_error",
      (result) => (result["items"] = [])
    ],
    [
      "no list of kinds",
      "ai_overview",
      "dataforseo_ai_overview_absent",
      "parse_error",
      (result) => delete result["item_types"]
    ],
    [
      "no word in a chat",
      "chatgpt_live",
      "dataforseo_chatgpt",
      "container_empty",
      (result) => Object.assign(result, { markdown: null, items: [] })
    ],
    [
      "nothing but citations",
      "gemini_live",
      "dataforseo_gemini",
      "container_empty",
      (result) => (result["markdown"] = "[1](https://a.example/)")
    ]
  ])("%s", async (_title, surface, name, ending, change) => {
    vendor.answer(changed(name, change))
    const failed = failureOf(await capture(surface))
    assert.deepStrictEqual([failed.code, failed.ending], ["upstream_unavailable", ending])
  })

  it.each(['{"status_code":20000}', '{"status_code":20000,"tasks":[{"status_code":20000,"result":[]}]}', "[]", "null"])(
    "%s is parse_error",
    async (body) => {
      vendor.answer(sending(200, body))
      assert.strictEqual(failureOf(await capture("ai_overview")).ending, "parse_error")
    }
  )

  it("a page instead of JSON is parse_error", async () => {
    vendor.answer(sending(200, "<html>", "text/html"))
    assert.strictEqual(failureOf(await capture("ai_overview")).ending, "parse_error")
  })
})

describe("reading", () => {
  const chatText = (markdown: string) => ({ type: "chat_gpt_text", markdown })

  it("an overview without markdown has the text of its elements, and their sources", async () => {
    vendor.answer(
      changed("dataforseo_ai_mode", ({ items }) => {
        const [overview] = shaped(items)
        if (Array.isArray(items)) items[0] = { ...overview, markdown: null, references: null }
      })
    )
    const { citations, text } = answerOf(await capture("ai_mode"))
    assert.strictEqual(text, "Shortlist\n\n1. **Taskfield**\n2. **Brandmore**")
    assert.lengthOf(citations, 2)
  })

  it("empty markdown is ignored in favour of the parts", async () => {
    const [overview, table] = [{ type: "ai_overview_element" }, { type: "ai_overview_table_element" }]
    vendor.answer(
      changed("dataforseo_ai_overview_present", (result) => {
        const items = [
          { ...overview, title: "Shortlist", text: "Taskfield leads.", markdown: "" },
          { ...table, markdown: "|Taskfield|" }
        ]
        result["items"] = [{ type: "ai_overview", markdown: "", items }]
      })
    )
    assert.strictEqual(answerOf(await capture("ai_overview")).text, "Shortlist\n\nTaskfield leads.\n\n|Taskfield|")
    vendor.answer(
      changed("dataforseo_chatgpt", (result) =>
        Object.assign(result, { markdown: "", items: ["Taskfield leads.", "Kanbo follows."].map(chatText) })
      )
    )
    assert.strictEqual(answerOf(await capture("chatgpt_live")).text, "Taskfield leads.\n\nKanbo follows.")
  })

  it("the parts of an overview include the text of their components", async () => {
    const components = [{ title: "Kanbo", text: "Kanbo follows." }]
    const parts = [{ type: "ai_overview_expanded_element", text: "Taskfield leads.", components }]
    vendor.answer(
      changed("dataforseo_ai_overview_present", (result) => {
        result["items"] = [{ type: "ai_overview", items: parts }]
      })
    )
    assert.strictEqual(answerOf(await capture("ai_overview")).text, "Taskfield leads.\n\nKanbo\n\nKanbo follows.")
  })

  it.each([[null], [[]]])("sources and brands that only the items name are read too: %j", async (none) => {
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => {
        result["sources"] = none
        result["brand_entities"] = none
      })
    )
    assert.deepStrictEqual(normalised(answerOf(await capture("chatgpt_live"))), expected["dataforseo_chatgpt"])
  })

  it("references of a part are cited after those of the whole overview, each page once", async () => {
    const page = (name: string) => ({ url: `https://${name}.example/`, title: name, text: `${name} says so.` })
    const part = (...names: ReadonlyArray<string>) => ({ type: "ai_overview_element", references: names.map(page) })
    vendor.answer(
      changed("dataforseo_ai_overview_present", (result) => {
        const items = [part("c", "a"), part("d")]
        result["items"] = [
          { type: "ai_overview", markdown: "Taskfield leads.", items, references: [page("a"), page("b")] }
        ]
      })
    )
    const { citations } = answerOf(await capture("ai_overview"))
    assert.deepStrictEqual(
      citations.map(({ snippet, title }) => [title, snippet]),
      ["a", "b", "c", "d"].map((name) => [name, `${name} says so.`])
    )
  })

  it("an overview is read without the list of kinds, which matters only for absences", async () => {
    const name = "dataforseo_ai_overview_present"
    vendor.answer(changed(name, (result) => (result["item_types"] = null)))
    assert.deepStrictEqual(normalised(answerOf(await capture("ai_overview"))), expected[name])
  })

  it("unknown fields and kinds of items change nothing", async () => {
    for (const name of successes) {
      const surface = surfaceOf(name)
      vendor.answer(
        changed(name, (result) => {
          result["novelty"] = { of: ["some", "kind"] }
          const { items } = result
          if (Array.isArray(items)) items.unshift({ type: "novelty", markdown: 7 }, null, "text", 4, [])
        })
      )
      assert.deepStrictEqual(normalised(answerOf(await capture(surface))), expected[name], name)
    }
  })

  it("an advert without a web address is dropped, and one without a name is named after its site", async () => {
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => {
        const advert = { type: "chat_gpt_ad", is_rendered: true }
        result["items"] = [
          { ...advert, url: "javascript:alert(1)", title: "x" },
          { ...advert, url: "https://www.shop.example/a?x=1&utm_campaign=c&gclid=g#top" }
        ]
      })
    )
    assert.deepStrictEqual(answerOf(await capture("chatgpt_live")).sponsored, [
      {
        advertiser: "shop.example",
        title: "shop.example",
        url: "https://www.shop.example/a?x=1#top",
        domain: "shop.example",
        rendered: true
      }
    ])
  })

  it("an advert without a word on whether it was shown counts as not rendered", async () => {
    const advert = { type: "chat_gpt_ad", url: "https://shop.example/" }
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => (result["items"] = [{ ...advert, is_rendered: null }, advert]))
    )
    const { sponsored = [] } = answerOf(await capture("chatgpt_live"))
    assert.deepStrictEqual(
      sponsored.map(({ rendered }) => rendered),
      [false, false]
    )
  })

  it("an advert with empty names is named after its site", async () => {
    const url = "https://www.shop.example/a"
    const named = "shop.example"
    const shown = [{ advertiser: named, title: named, url, domain: named, rendered: true }]
    const site = { url, title: "", domain: "" }
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => {
        result["items"] = [{ type: "chat_gpt_ad", is_rendered: true, ...site, advertiser: { name: "" } }]
      })
    )
    assert.deepStrictEqual(answerOf(await capture("chatgpt_live")).sponsored, shown)
    vendor.answer(
      changed("dataforseo_bing_copilot", (result) => {
        const [overview] = shaped(result["items"])
        result["items"] = [
          { ...overview, type: "ai_overview", markdown: "Words." },
          { type: "paid", ...site }
        ]
      })
    )
    assert.deepStrictEqual(answerOf(await capture("bing_copilot")).sponsored, shown)
  })

  it.each([
    ["ai_overview", "dataforseo_ai_overview_present"],
    ["ai_mode", "dataforseo_ai_mode"]
  ] as const)("adverts beside Google's %s are none of the slot's", async (surface, name) => {
    vendor.answer(
      changed(name, (result) => {
        const items: ReadonlyArray<unknown> = shaped(result["items"])
        result["items"] = [...items, { type: "paid", url: "https://beside.example/", title: "Beside" }]
      })
    )
    const { sponsored = [] } = answerOf(await capture(surface))
    assert.notInclude(
      sponsored.map(({ title }) => title),
      "Beside"
    )
  })

  it("brands and searches are listed once each, and only with a name", async () => {
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => {
        result["brand_entities"] = [
          { title: "", category: "software" },
          { title: "Acme", category: "", urls: [{ url: "x", domain: "" }] },
          { title: "Acme", category: "tools" },
          { title: "Zap", category: null, urls: [{ domain: "" }, { domain: "zap.example" }] }
        ]
        result["fan_out_queries"] = ["", "a", " ", "a", null, "b"]
      })
    )
    const { brandEntities, fanOut } = answerOf(await capture("chatgpt_live"))
    assert.deepStrictEqual(brandEntities, [{ name: "Acme" }, { name: "Zap", domain: "zap.example" }])
    assert.deepStrictEqual(fanOut, ["a", "b"])
  })

  it("the site of a brand or an advert goes without www., as it does on a page", async () => {
    vendor.answer(
      changed("dataforseo_chatgpt", (result) => {
        result["brand_entities"] = [{ title: "Acme", urls: [{ domain: "www.acme.example" }] }]
        result["items"] = [{ type: "chat_gpt_ad", url: "https://www.kanbo.example/", domain: "www.kanbo.example" }]
      })
    )
    const { brandEntities, sponsored = [] } = answerOf(await capture("chatgpt_live"))
    assert.deepStrictEqual(brandEntities, [{ name: "Acme", domain: "acme.example" }])
    assert.deepStrictEqual(
      sponsored.map(({ advertiser, domain }) => [advertiser, domain]),
      [["kanbo.example", "kanbo.example"]]
    )
    const paid = { type: "paid", title: "Planora", url: "https://www.planora.example/", domain: "www.planora.example" }
    vendor.answer(
      changed("dataforseo_bing_copilot", (result) => {
        const items = result["items"]
        result["items"] = Array.isArray(items) ? [paid, items[1]] : []
      })
    )
    const [advert] = answerOf(await capture("bing_copilot")).sponsored ?? []
    assert.deepStrictEqual([advert?.advertiser, advert?.domain], ["planora.example", "planora.example"])
  })

  it("an oversized answer is cut to 256 KiB", async () => {
    vendor.answer(changed("dataforseo_gemini", (result) => (result["markdown"] = `a${"😀".repeat(100_000)}`)))
    assert.strictEqual(Buffer.byteLength(answerOf(await capture("gemini_live")).raw), 256 * 1024 - 3)
  })
})

describe("the ceiling", () => {
  it("closes the connection and is upstream_timeout", async () => {
    let closed: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      closed = resolve
    })
    vendor.answer((response) => void response.on("close", closed))
    const failed = failureOf(await run(dataForSeo("ai_mode", vendor.url, { deadline: "4 seconds" }), asked(question)))
    assert.deepStrictEqual([failed.code, failed.ending], ["upstream_timeout", "timeout"])
    await gone
  })
})
