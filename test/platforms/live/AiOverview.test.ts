/**
 * Planted faults that turned this red:
 * - related questions are not excluded; adverts beside the answer are counted; hidden parts are read; the disclaimer is kept
 * - redirectors are not followed; the list of sources is left in the text; the heading is not looked for
 * - an empty container is taken for an absence; an absence is reported without results
 * - the words of a long answer are taken for the disclaimer, a failure or an absence
 * - an answer in a hidden part is read
 * - an answer is cut at the first of two disclaimers, or has a gap where a control stood
 * - a few words with their links are taken for an answer, or a text of which a quarter is tags
 */
import type { Answer } from "@sightline/domain/Answer"
import { assert, describe, it } from "vitest"
import { profile } from "@sightline/platforms/live/AiOverview"
import { localeOf } from "@sightline/platforms/live/Locale"
import { pageText, readOn } from "./SearchPages.ts"

const url = "https://www.google.co.uk/search?q=project+software&hl=en&gl=gb&pws=0"
const read = (html: string) => readOn(profile, html, url)
const absent: Answer = {
  text: "",
  raw: "",
  citations: [],
  fanOut: [],
  brandEntities: [],
  sponsored: [],
  surfacePresent: false,
  searched: false,
  model: "",
  finish: "stop"
}

describe("an overview on a page of results", () => {
  const answer = read(pageText("ai_overview"))
  assert(typeof answer === "object")

  it("gives its visible text in markdown, without controls, sources and adverts", () => {
    assert.strictEqual(
      answer.text,
      `For small agencies **Taskfield** is named most often. **Brandmore** is the *budget* pick.

### How to choose

2. Count **seats** **and guests**
   Guests cost too.
3. Look at Planora’s proofing
   - colours
   - fonts

| Name | Price |
|---|---|
| **Taskfield** | 9 a month |`
    )
  })

  it("cites its links, unwrapped where a redirector contains its destination, with the titles and excerpts of its list", () => {
    assert.deepEqual(answer.citations, [
      {
        url: "https://brandmore.example/pricing?a=1&b=2",
        title: "Pricing | Brandmore",
        snippet: "Free for five seats"
      },
      { url: "https://planora.example/proofing", title: "Planora’s proofing" },
      {
        url: "https://reviewhub.example/pm-tools",
        title: "Best project tools for agencies, tested",
        snippet: "Taskfield came first in the agency test of this year."
      },
      { url: "https://www.google.co.uk/goto?url=opaque-token-of-the-engine", title: "A page behind a closed door" }
    ])
  })

  it("lists the adverts inside it, and not those beside it", () => {
    assert.deepEqual(answer.sponsored, [
      {
        advertiser: "Kanbo Ltd",
        title: "Kanbo boards",
        url: "https://kanbo.example/offer",
        domain: "kanbo.example",
        rendered: true
      }
    ])
  })

  it("is grounded, and contains nothing from the rest of the page", () => {
    assert.isTrue(answer.searched)
    assert.notMatch(
      JSON.stringify(answer),
      /Askedbrand|Organicbrand|Hiddenbrand|Scriptbrand|outer\.example|Show|Learn more|mistakes|support\.google/
    )
  })
})

it("an overview without a known container is found by its heading", () => {
  const answer = read(pageText("ai_overview_heading"))
  assert.deepInclude(answer, {
    text: "Most agencies start with **Taskfield**, a board with guests and proofing."
  })
})

it("results without an overview, and a notice that there is none, are an absence", () => {
  assert.deepEqual(read('<div id="rso"><h3>Result</h3></div>'), absent)
  assert.deepEqual(read(pageText("ai_overview_unavailable")), absent)
  assert.deepEqual(read('<div id="m-x-content" hidden></div><div id="rso"></div>'), absent)
  const others = "<h3>AI Overview</h3><div data-mcpr>What others asked has an answer.</div>"
  const asked = `<div class="related-question-pair">${others}</div>`
  assert.deepEqual(read(`<div id="rso"></div>${asked}`), absent)
})

it("an answer's container without text is no absence", () => {
  const withResults = (block: string) => read(`${block}<div id="rso"><h3>Result</h3></div>`)
  assert.strictEqual(withResults('<div id="m-x-content"></div>'), "container_empty")
  assert.strictEqual(withResults('<div id="folsrch1"><button>Show more</button></div>'), "container_empty")
  assert.strictEqual(
    withResults('<div id="m-x-content">Can’t generate an AI overview right now. Try again later.</div>'),
    "container_empty"
  )
})

it("an empty container does not hide one with text", () => {
  const answer = read('<div id="m-x-content"></div><div id="folsrch1">Taskfield is named most often.</div>')
  assert.deepInclude(answer, { text: "Taskfield is named most often." })
})

it("an unknown page, and tags shown as text, cannot be read", () => {
  assert.strictEqual(read("<p>Something went wrong.</p>"), "parse_error")
  assert.strictEqual(read(""), "parse_error")
  const tags = '&lt;div class="a"&gt;&lt;p&gt;Taskfield is&lt;/p&gt;&lt;/div&gt;&lt;div class="b"&gt;&lt;li&gt;'
  assert.strictEqual(read(`<div id="m-x-content">${tags}</div>`), "parse_error")
})

it("an answer about tags and about AI is an answer", () => {
  const said =
    "Write &lt;p&gt; for a paragraph. AI responses may include mistakes, which is why people check them twice."
  const answer = read(`<div id="m-x-content"><p>${said}</p><p>${said.repeat(3)}</p></div>`)
  assert(typeof answer === "object")
  assert.include(answer.text, "Write <p> for a paragraph.")
})

it("requests the page for the country and language, whatever the question contains", () => {
  assert.strictEqual(profile.origin(localeOf("GB")), "https://www.google.co.uk")
  assert.strictEqual(profile.path("a/b & c?", localeOf("AU")), "/search?q=a%2Fb%20%26%20c%3F&hl=en&gl=au&pws=0")
  assert.strictEqual(profile.path("\uD800", localeOf("US")), "/search?q=%EF%BF%BD&hl=en&gl=us&pws=0")
  const path = profile.path("https://host/sorry/ //accounts.google.com/", localeOf("US"))
  assert.isFalse(profile.signs.some((sign) => sign.url !== undefined && path.includes(sign.url)))
})

describe("what only looks like something else", () => {
  const results = '<div id="rso">Results</div>'
  const told = (inside: string) => read(`<body><div id="m-x-content">${inside}</div>${results}</body>`)
  const words =
    "Taskfield is what small design agencies name most often, and Brandmore is what they name for its price. "

  it.each([
    `<p>AI can make mistakes, ${words.repeat(2)}</p>`,
    `<p>${words.repeat(2)}When it cannot be reached, try again later.</p>`,
    `<p>${words}When it cannot be reached, try again later.</p>`,
    `<p>${words.repeat(4)}Some pages say: An AI Overview is not available for this search.</p>`
  ])("%s is an answer", (inside) => {
    const answer = told(inside)
    assert(typeof answer === "object")
    assert.include(answer.text, words.trim())
  })

  it("an answer continues to the last disclaimer, and has no gap where a control stood", () => {
    const mistakes = "<p>AI can make mistakes.</p>"
    const answer = told(`<p>One. ${words}</p><p>Show more</p>${mistakes}<p>Two. ${words}</p>${mistakes}<p>Feedback</p>`)
    assert(typeof answer === "object")
    assert.strictEqual(
      answer.raw,
      `One. ${words}\n\nAI can make mistakes.\n\nTwo. ${words.trim()}`.replace(" \n", "\n")
    )
  })

  it("a few words with links are no answer, and neither is a text of which a quarter is tags", () => {
    assert.strictEqual(told('<p>Taskfield. <a href="https://a.example/a/long/address">[2]</a></p>'), "container_empty")
    assert.strictEqual(told(`<p>${words}${"&lt;li class='a'&gt;".repeat(2)}</p>`), "parse_error")
  })

  it("a notice that generation failed is no answer", () => {
    assert.strictEqual(told("<p>Something went wrong. Please try again later.</p>"), "container_empty")
  })

  // The page contains both from the start, and hides them by a class or a style unless they are needed.
  const held =
    "<span>An AI Overview is not available for this search</span>" +
    "<span>Can't generate an AI overview right now. Try again later.</span>"

  it.each([`<div class="x">${held}</div>`, `<div style="display:none">${held}</div>`])(
    "an answer is read beside hidden notices: %s",
    (kept) => {
      const answer = told(`<div role="heading">AI Overview</div>${kept}<p>${words}</p>`)
      assert(typeof answer === "object")
      assert.strictEqual(answer.text, words.trim())
    }
  )

  it("hidden notices mean nothing where there is no answer", () => {
    assert.strictEqual(told(`<div role="heading">AI Overview</div><div class="x">${held}</div>`), "container_empty")
  })

  it("text in a hidden part of the page is not read", () => {
    assert.deepEqual(read(`<body><div hidden><div id="m-x-content">${words}</div></div>${results}</body>`), absent)
  })
})
