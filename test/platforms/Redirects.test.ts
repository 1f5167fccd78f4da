/**
 * Planted faults that turned this red: any path of a listed host resolved, sub-domains of one resolved, all of them resolved
 * however many, two citations of one page, one after the other.
 */
import { it as effectful } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { assert, describe, it } from "vitest"
import type { Answer } from "@sightline/domain/Answer"
import { isRedirector, resolvingRedirects } from "@sightline/platforms/Redirects"
import { question } from "./LocalVendor.ts"

const citing = (...urls: ReadonlyArray<string>): Answer => ({
  text: "Acme",
  raw: "Acme",
  citations: urls.map((url, nth) => ({ url, title: `source ${nth}` })),
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "",
  finish: "stop"
})

const bing = (nth: number) => `https://www.bing.com/ck/a?u=${nth}`

describe("isRedirector", () => {
  it("knows the listed hosts and paths and nothing near them", () => {
    for (const url of [
      "https://www.google.com/url?q=https://a.example/",
      "http://www.google.co.uk/url?url=https://a.example/",
      "https://www.bing.com/ck/a?!&&p=1",
      "https://vertexaisearch.cloud.google.com/grounding-api-redirect/AbC"
    ])
      assert.isTrue(isRedirector(url), url)
    for (const url of [
      "https://www.google.com/urls?q=https://a.example/",
      "https://www.google.com/search?q=url",
      "https://www.google.com.evil.example/url?q=1",
      "https://evil.www.bing.com/ck/a?u=1",
      "https://www.bing.com:8443/ck/a?u=1",
      "https://www.bing.com/ck/a/b",
      "https://vertexaisearch.cloud.google.com/grounding-api-redirect/a/b",
      "ftp://www.bing.com/ck/a",
      "https://a.example/?u=https://www.bing.com/ck/a",
      "not an address"
    ])
      assert.isFalse(isRedirector(url), url)
  })
})

describe("resolvingRedirects", () => {
  const settled = (answer: Answer, resolve: (url: string) => Option.Option<string>) => {
    const asked: Array<string> = []
    const capture = resolvingRedirects(
      () => Effect.succeed(answer),
      (url) =>
        Effect.sync(() => {
          asked.push(url)
          return resolve(url)
        })
    )
    return Effect.runPromise(
      Effect.map(capture(question("chatgpt_api")), ({ citations }) => ({
        urls: citations.map(({ url }) => url),
        asked
      }))
    )
  }

  it("puts targets in the places of redirectors, once per page, and leaves the others unasked", async () => {
    const answer = citing("https://a.example/", bing(1), "https://b.example/", bing(2), bing(3))
    const { urls, asked } = await settled(answer, (url) =>
      url === bing(3) ? Option.none() : Option.some(url === bing(1) ? "https://c.example/" : "https://a.example/")
    )
    assert.deepEqual(urls, ["https://a.example/", "https://c.example/", "https://b.example/", bing(3)])
    assert.deepEqual(asked, [bing(1), bing(2), bing(3)])
  })

  it("an answer without redirectors is handed on as it is", async () => {
    const { urls, asked } = await settled(citing("https://a.example/"), () => Option.none())
    assert.deepEqual([urls, asked], [["https://a.example/"], []])
  })

  it("asks for at most 20 of an answer", async () => {
    const many = Array.from({ length: 30 }, (_, nth) => bing(nth))
    const { urls, asked } = await settled(citing(...many), (url) => Option.some(`https://a.example/${url.slice(-2)}`))
    assert.lengthOf(asked, 20)
    assert.deepEqual(urls.slice(20), many.slice(20))
  })

  effectful.effect("asks for all of them at once", () =>
    Effect.gen(function* () {
      const together = yield* Deferred.make<void>()
      let waiting = 0
      const capture = resolvingRedirects(
        () => Effect.succeed(citing(bing(1), bing(2), bing(3))),
        () =>
          Effect.gen(function* () {
            waiting += 1
            if (waiting === 3) yield* Deferred.succeed(together, undefined)
            yield* Deferred.await(together)
            return Option.none()
          })
      )
      const { citations } = yield* Fiber.join(yield* Effect.forkChild(capture(question("chatgpt_api"))))
      assert.lengthOf(citations, 3)
    })
  )
})
