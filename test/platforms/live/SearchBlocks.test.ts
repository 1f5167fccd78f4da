/**
 * The parts of a page of results by which an answer is found, and those inside it that are not part of the answer.
 *
 * Planted and seen red:
 * - one of the overview's containers is not looked at
 * - one form of its heading is not recognised; a heading that only begins or ends like it is taken for it; only the heading's own
 *   block is read
 * - one of the controls, marks and lists of sources is left in the text
 * - a line that begins or ends with the label of a control is left out
 * - one form of card is not looked at
 */
import type { Answer } from "@sightline/domain/Answer"
import { assert, describe, it } from "vitest"
import { profile as aiMode } from "@sightline/platforms/live/AiMode"
import { profile as aiOverview } from "@sightline/platforms/live/AiOverview"
import { profile as bingCopilot } from "@sightline/platforms/live/BingCopilot"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"
import { readOn } from "./SearchPages.ts"

const said = "Taskfield is named most often."
const results = '<div id="rso"><h3>Result</h3></div><li class="b_algo">Result</li>'

const read = (profile: SurfaceProfile, body: string): Answer => {
  const url = profile === bingCopilot ? "https://www.bing.com/search?q=x" : "https://www.google.com/search?q=x"
  const answer = readOn(profile, `<html><body>${body}${results}</body></html>`, url)
  assert(typeof answer === "object")
  return answer
}

describe("an overview", () => {
  it.each([
    'id="m-x-content"',
    'data-attrid="AIOverview"',
    'id="folsrch3"',
    'data-async-type="folsrch"',
    'data-mcpr="1"',
    'class="YzCcne"',
    'id="Odp5De"'
  ])("stands in a block with %s", (named) => {
    assert.strictEqual(read(aiOverview, `<div ${named}>${said}</div>`).text, said)
  })

  it.each([
    "<h1>AI Overview</h1>",
    "<h2>AI overview</h2>",
    "<h3>AI Overview</h3>",
    '<b role="heading">AI Overview</b>'
  ])("stands in the whole block around %s", (heading) => {
    assert.strictEqual(read(aiOverview, `<div><div><div>${heading}</div></div><p>${said}</p></div>`).text, said)
  })

  it.each(["AI Overviews explained", "What is an AI Overview"])("is not a result called %s", (heading) => {
    assert.isFalse(read(aiOverview, `<div><h3>${heading}</h3><p>${said}</p></div>`).surfacePresent)
  })
})

const overview = (inside: string) => read(aiOverview, `<div id="m-x-content"><p>${said}</p>${inside}</div>`)
const mode = (inside: string) =>
  read(aiMode, `<div data-subtree="aimc"><div data-container-id="main-col"><p>${said}</p>${inside}</div></div>`)
const copilot = (inside: string) => read(bingCopilot, `<div id="copans_container"><p>${said}</p>${inside}</div>`)

describe("an element inside the answer that is not part of its text", () => {
  it.each([
    '<div class="related-question-pair">Others asked something else.</div>',
    '<div data-xid="aim-mars-input-plate">Ask anything about everything.</div>',
    '<div data-xid="Gd7Hsc">Send us your feedback on it.</div>',
    '<div aria-controls="m-x-content">Open the rest of it.</div>',
    '<div data-subtree="msc"><li>A page that was cited.</li></div>',
    '<div data-container-id="rhs-col"><li>A page that was cited.</li></div>',
    '<div data-src-id="1">A page that was cited.</div>'
  ])("on Google's page: %s", (inside) => {
    assert.deepStrictEqual([overview(inside).text, mode(inside).text], [said, said])
  })

  it.each([
    '<div id="b_copilot_search_container">Ask a further question.</div>',
    '<div id="b-scopeListItem-copilotsearch">The tab of the assistant.</div>',
    '<div class="gs_ai_disclaimer">Written by a machine, check it.</div>',
    '<div class="gs_secctrl">Open the rest of it.</div>',
    '<div class="gs_infobbl">Why this is shown to you.</div>',
    "<acf-thumbs-up-down-feedback>Was it of any help?</acf-thumbs-up-down-feedback>",
    "<acf-button-standard>Open the rest of it.</acf-button-standard>",
    '<div class="b_acf_answer_expansion_control">Open the rest of it.</div>',
    '<div class="b_module_expansion_control">Open the rest of it.</div>',
    '<span class="gs_sup_cit">12</span>',
    '<span class="gs_sm_cit">12</span>',
    '<div aria-label="References"><li>A page that was cited.</li></div>',
    '<div class="gs_refs"><li>A page that was cited.</li></div>'
  ])("on Bing's page: %s", (inside) => {
    assert.strictEqual(copilot(inside).text, said)
  })
})

it.each([
  "Copy trading is what they share",
  "Ads by Google and what to share",
  "Sources: Forbes",
  "Learn more about ads"
])("a line that only begins or ends with what a control is called is the answer's: %s", (line) => {
  assert.strictEqual(overview(`<p>${line}</p><p>SHARE</p>`).text, `${said}\n\n${line}`)
})

describe("a card names the page that it links to", () => {
  const card = '<a href="https://reviewhub.example/"><h3>The title</h3></a><p>What the page says.</p>'
  const expected = [{ url: "https://reviewhub.example/", title: "The title", snippet: "What the page says." }]

  it.each([
    `<div data-src-id="1">${card}</div>`,
    `<div data-subtree="msc"><li>${card}</li></div>`,
    `<div data-container-id="rhs-col"><li>${card}</li></div>`
  ])("on Google's page: %s", (inside) => {
    assert.deepStrictEqual([overview(inside).citations, mode(inside).citations], [expected, expected])
  })

  it.each([`<div aria-label="References"><li>${card}</li></div>`, `<div class="gs_refs"><li>${card}</li></div>`])(
    "on Bing's page: %s",
    (inside) => {
      assert.deepStrictEqual(copilot(inside).citations, expected)
    }
  )
})

describe("each advert has a card of its own", () => {
  const advert = (name: string) => `<a href="https://${name}.example/"><h3>${name}</h3></a>`
  const titles = ({ sponsored = [] }: Answer) => sponsored.map(({ title }) => title)

  it.each([
    `<div data-text-ad="1">${advert("one")}</div><div data-text-ad="1">${advert("two")}</div>`,
    `<div id="tads"><div>${advert("one")}</div><div>${advert("two")}</div></div>`,
    `<div id="tads"><ul><li>${advert("one")}</li><li>${advert("two")}</li></ul></div>`
  ])("on Google's page: %s", (inside) => {
    assert.deepStrictEqual(
      [titles(overview(inside)), titles(mode(inside))],
      [
        ["one", "two"],
        ["one", "two"]
      ]
    )
  })

  it.each([
    `<li class="b_ad">${advert("one")}</li><li class="b_ad">${advert("two")}</li>`,
    `<li class="b_ad"><ul><li>${advert("one")}</li><li>${advert("two")}</li></ul></li>`,
    `<div class="b_ad"><div class="sb_add">${advert("one")}</div><div class="sb_add">${advert("two")}</div></div>`
  ])("on Bing's page: %s", (beside) => {
    assert.deepStrictEqual(titles(read(bingCopilot, `<div id="copans_container">${said}</div>${beside}`)), [
      "one",
      "two"
    ])
  })
})
