/**
 * Planted faults that turned this red:
 * - comments are not read
 * - sources are in the order of the comments instead of the buttons
 * - the text does not end at the disclaimer
 * - the paid block is kept in the text, or one beside the text is left out
 * - the question is kept in the text
 * - the input box is taken for an answer
 * - the heading of a turn is kept
 * - sources that no button shows are left out
 */
import { assert, describe, it } from "vitest"
import { profile } from "@sightline/platforms/live/AiMode"
import { localeOf } from "@sightline/platforms/live/Locale"
import { pageText, readOn } from "./SearchPages.ts"

const url = "https://www.google.com/search?q=project+software&hl=en&gl=us&pws=0&udm=50"
const read = (html: string) => readOn(profile, html, url)

describe("a turn of AI Mode", () => {
  const answer = read(pageText("ai_mode"))
  assert(typeof answer === "object")

  it("gives the text before the disclaimer, without the question, buttons and adverts", () => {
    assert.strictEqual(
      answer.text,
      `### Shortlist

1. **Taskfield**, for its guests
2. **Brandmore**, for its price
3. Planora, says a long thread`
    )
  })

  it("cites the sources that its buttons name in comments, then its links, then the list beside it", () => {
    assert.deepEqual(answer.citations, [
      {
        url: "https://reviewhub.example/pm-tools",
        title: "Best project tools for agencies, tested",
        snippet: "Taskfield came first in our agency test."
      },
      { url: "https://forum.example/t/42", title: "Which tool do you use?" },
      {
        url: "https://brandmore.example/pricing",
        title: "Pricing | Brandmore",
        snippet: "Free for up to five seats."
      },
      { url: "https://forum.example/t/7", title: "a long thread" },
      {
        url: "https://longtest.example/taskfield",
        title: "Six months with Taskfield",
        snippet: "What stayed after the trial was over."
      }
    ])
  })

  it("lists the adverts of the paid block", () => {
    assert.deepEqual(answer.sponsored, [
      {
        advertiser: "Planora",
        title: "Planora for agencies – try free",
        url: "https://planora.example/agency",
        domain: "planora.example",
        rendered: true
      }
    ])
  })

  it("contains nothing from the rest of the page", () => {
    assert.notMatch(
      JSON.stringify(answer),
      /Askedbrand|Footbrand|Ask anything|feedback|mistakes|comment\.example|gstatic/
    )
  })
})

it("an empty turn, or one with only the box for the next question, is no absence", () => {
  const plate = '<div data-xid="aim-mars-input-plate">Ask anything about everything</div>'
  const turn = (inside: string) => read(`<div data-subtree="aimc">${inside}${plate}</div>`)
  assert.strictEqual(turn('<div data-container-id="main-col"></div>'), "container_empty")
  assert.strictEqual(turn(""), "container_empty")
})

it("ordinary results instead of a turn are an absence, and an unknown page is not", () => {
  assert.deepInclude(read('<div id="rso"><h3>Result</h3></div>'), { surfacePresent: false, sponsored: [], text: "" })
  assert.strictEqual(read('<div data-xid="aim-mars-input-plate">Ask anything</div>'), "parse_error")
})

describe("Google's own words in place of an answer", () => {
  const turn = (inside: string) =>
    read(
      `<div data-subtree="aimc"><div data-container-id="main-col">
        <span role="heading" aria-level="2">Which tool is best for agencies?</span>${inside}
      </div></div>`
    )
  const none = "<p>It looks like there's no response available for this search. Try asking something else.</p>"
  const failed = "<p>Something went wrong and the content wasn't generated.</p>"
  const broken = "<p><i>Something went wrong and an AI response wasn’t generated.</i></p>"
  const disclaimer = "<p>AI responses may include mistakes. Learn more</p>"

  it("are an absence where they say that there is no response", () => {
    assert.deepInclude(turn(none), { surfacePresent: false, sponsored: [], text: "" })
    assert.deepInclude(turn(none + disclaimer), { surfacePresent: false, text: "" })
  })

  it("are an empty container where they say that generation failed", () => {
    for (const words of [failed, broken, none + broken]) assert.strictEqual(turn(words), "container_empty")
  })

  it("are not part of an answer beside them", () => {
    const answer = turn(`<p>Taskfield is named most often.</p>${none}${failed}`)
    assert(typeof answer === "object")
    assert.deepInclude(answer, { text: "Taskfield is named most often." })
  })
})

it("asks for AI Mode in the country and language", () => {
  assert.strictEqual(profile.path("a b", localeOf("CA")), "/search?q=a%20b&hl=en&gl=ca&pws=0&udm=50")
})

it("the question is not part of the answer, and adverts beside it in its turn are listed", () => {
  const advert = '<div data-text-ad="1"><a href="https://planora.example/"><h3>Planora</h3></a></div>'
  const answer = read(
    `<body><div data-scope-id="turn"><div data-subtree="aimc"><div data-container-id="main-col">
      <span role="heading" aria-level="2">Which tool is best?</span><p>Taskfield is named most often.</p>
    </div>${advert}</div></div></body>`
  )
  assert(typeof answer === "object")
  assert.strictEqual(answer.text, "Taskfield is named most often.")
  assert.deepEqual(
    answer.sponsored?.map(({ title }) => title),
    ["Planora"]
  )
})

it("the heading that marks the speaker of a turn is not part of the answer", () => {
  const heading = '<div role="heading" aria-level="2">AI Mode replied:</div>'
  const turn = `${heading}<p>Popular choices are <b>Taskfield</b> and <b>Brandmore</b>.</p>`
  assert.deepInclude(read(`<div data-subtree="aimc"><div data-container-id="main-col">${turn}</div></div>`), {
    text: "Popular choices are **Taskfield** and **Brandmore**."
  })
})

it("sources that no button shows are cited after the others", () => {
  const source = (id: string, name: string) => [id, [`${name}.example`, "Said.", `https://${name}.example/`]]
  const [one, two] = ["0f8fad5b-d9cb-469f-a165-70867728950e", "1f8fad5b-d9cb-469f-a165-70867728950e"]
  const answer = read(
    `<body><!--Sv6Kpe${JSON.stringify([source(one, "one"), source(two, "two")])}-->
    <div data-subtree="aimc"><div data-container-id="main-col"><p>Taskfield is named most often.</p>
    <button data-icl-uuid="${two}"></button></div></div></body>`
  )
  assert(typeof answer === "object")
  assert.deepEqual(
    answer.citations.map((citation) => citation.url),
    ["https://two.example/", "https://one.example/"]
  )
})
