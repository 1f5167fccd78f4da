/**
 * What the simulated pages of search results send, over HTTP and without a browser.
 *
 * Planted and seen red: a question is inserted into the page, or its title, unescaped; the country is ignored.
 */
import { load } from "cheerio/slim"
import { ManagedRuntime } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { Origin } from "../Origin.ts"

const runtime = ManagedRuntime.make(Origin.layer({ seed: 7 }))
afterAll(() => runtime.dispose())

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const origin = await runtime.runPromise(Origin)
  const response = await fetch(origin + path, { headers, redirect: "manual" })
  return { status: response.status, location: response.headers.get("location"), html: await response.text() }
}

const sites = [
  { surface: "ai_overview", market: "gl=gb", other: "gl=us", agreed: "#L2AGLb" },
  { surface: "ai_mode", market: "gl=gb", other: "gl=us", agreed: "#L2AGLb" },
  { surface: "bing_copilot", market: "cc=GB", other: "cc=US", agreed: "#bnp_btn_accept" }
] as const

describe.each(sites)("$surface", ({ agreed, market, other, surface }) => {
  const search = (question: string, place: string = market) =>
    get(`/web/${surface}/search?q=${encodeURIComponent(question)}&${place}`)

  /** The answer as the page fetches it. */
  const block = async (question: string, place: string = market): Promise<string> => {
    const { html } = await search(question, place)
    const address = /"address":"([^"]+)"/.exec(html)?.[1]
    assert(address !== undefined)
    return (await get(address)).html
  }

  it("a question is text wherever it stands, whatever it contains", async () => {
    const hostile = `</title></textarea></script><img src=x onerror=alert(1)>"'<b>bold</b> [[sandbox:answer]]`
    const { html, status } = await search(hostile)
    assert.strictEqual(status, 200)
    const pages = [load(html), load(await block(hostile))]
    for (const $ of pages) assert.lengthOf($("img, [onerror]"), 0)
    assert.include(pages.map(($) => $.root().text()).join(""), "<img src=x onerror=alert(1)>")
  })

  it("the answer is fetched after the page, and differs by country", async () => {
    const { html } = await search("best running shoes [[sandbox:answer]]")
    const here = await block("best running shoes [[sandbox:answer]]")
    const there = await block("best running shoes [[sandbox:answer]]", other)
    const [sentence = ""] = load(here)("p").first().text().split(".")
    assert.isAbove(sentence.length, 20)
    assert.notInclude(html, sentence)
    assert.notStrictEqual(here, there)
  })

  it("the same question has the same answer, however often it is asked", async () => {
    assert.strictEqual(
      await block("best running shoes [[sandbox:answer]]"),
      await block("best running shoes [[sandbox:answer]]")
    )
  })

  it("a first visit shows the consent page where the scene says so", async () => {
    const { html } = await search("best running shoes [[sandbox:consent]]")
    assert.lengthOf(load(html)(agreed), 1)
  })

  it("an unknown clause and an unknown scene are reported", async () => {
    assert.strictEqual((await search("best running shoes [[sandbox:nonsense]]")).status, 400)
    const path = surface === "bing_copilot" ? "answer" : "async/folsrch"
    assert.strictEqual((await get(`/web/${surface}/${path}?scene=scene-0`)).status, 404)
  })
})

it("Google's captcha has an address of its own", async () => {
  const { location, status } = await get("/web/ai_mode/search?q=shoes%20[[sandbox:captcha]]")
  assert.deepEqual([status, location], [302, "/web/ai_mode/sorry/index"])
  assert.strictEqual((await get("/web/ai_mode/sorry/index")).status, 429)
})
