/**
 * Planted faults that turned this red:
 * - any path of a listed host is resolved, or its subdomains are
 * - all redirectors are resolved, however many there are
 * - one page is cited twice
 * - redirectors are resolved one after the other
 * - the destination in an address is not read
 * - a redirector to a private place is requested
 * - private places, user names and other schemes are followed
 * - a chain is followed only half-way
 * - targets are requested, or not merged
 */
import { it as effectful } from "@effect/vitest"
import { Deferred, Effect, Fiber, ManagedRuntime, Option, Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Answer } from "@sightline/domain/Answer"
import { LlmPlatform } from "@sightline/domain/Platform"
import { destinationOf } from "@sightline/platforms/Destination"
import { isRedirector, resolvingRedirects } from "@sightline/platforms/Redirects"
import { captureWith, fixture, openVendor, question, quietClient, sending, type Vendor } from "./LocalVendor.ts"

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

const google = (url: string) => `https://www.google.com/url?sa=t&url=${encodeURIComponent(url)}`
const throughBing = (url: string) => `https://www.bing.com/ck/a?u=a1${Buffer.from(url).toString("base64url")}&ntb=1`
const grounding = (id: string) => `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${id}`

/** A redirector whose address does not contain its destination. */
const bing = (nth: number) => `https://www.bing.com/ck/a?u=${nth}`

describe("isRedirector", () => {
  it("recognises the listed hosts and paths, and nothing similar", () => {
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

describe("destinationOf", () => {
  it("reads the destinations in redirectors, one inside the other", () => {
    const page = "https://shop.acme.com/a?id=1&utm_source=x"
    for (const url of [google(page), throughBing(page), throughBing(google(throughBing(page)))])
      assert.strictEqual(destinationOf(url), page)
    assert.strictEqual(destinationOf(throughBing(grounding("AbC"))), grounding("AbC"))
  })

  it("leaves any other address as it is, character for character", () => {
    for (const url of [
      "HTTPS://Acme.com:443/a/../b?",
      "https://acme.com/?url=https://b.org/",
      bing(1),
      "not an address"
    ])
      assert.strictEqual(destinationOf(url), url)
  })

  it("leaves a redirector as it is where it leads to no public page", () => {
    for (const to of [
      "http://127.0.0.1/",
      "http://10.0.0.1/admin",
      "http://169.254.169.254/latest/meta-data/",
      "http://0x7f000001/",
      "http://[::1]/",
      "http://localhost:5432/",
      "http://wiki.internal/",
      "https://me:secret@acme.com/",
      "javascript:alert(1)",
      "data:text/html,x",
      "ftp://acme.com/"
    ])
      for (const url of [google(to), throughBing(to), google(throughBing(to))])
        assert.strictEqual(destinationOf(url), url)
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

  it("replaces redirectors by their targets, once per page, and requests no other address", async () => {
    const answer = citing("https://a.example/", bing(1), "https://b.example/", bing(2), bing(3))
    const { urls, asked } = await settled(answer, (url) =>
      url === bing(3) ? Option.none() : Option.some(url === bing(1) ? "https://c.example/" : "https://a.example/")
    )
    assert.deepEqual(urls, ["https://a.example/", "https://c.example/", "https://b.example/", bing(3)])
    assert.deepEqual(asked, [bing(1), bing(2), bing(3)])
  })

  it("an answer without redirectors is returned unchanged", async () => {
    const { urls, asked } = await settled(citing("https://a.example/"), () => Option.none())
    assert.deepEqual([urls, asked], [["https://a.example/"], []])
  })

  it("requests at most 20 redirectors per answer", async () => {
    const many = Array.from({ length: 30 }, (_, nth) => bing(nth))
    const { urls, asked } = await settled(citing(...many), (url) => Option.some(`https://a.example/${url.slice(-2)}`))
    assert.lengthOf(asked, 20)
    assert.deepEqual(urls.slice(20), many.slice(20))
  })

  it("a destination in the address is read without a request", async () => {
    const { urls, asked } = await settled(
      citing(
        google("https://shop.acme.com/a"),
        throughBing(google("https://b.org/")),
        "https://shop.acme.com/a",
        "https://duckduckgo.com/l/?uddg=https%3A%2F%2Fc.org%2F"
      ),
      () => Option.none()
    )
    assert.deepEqual([urls, asked], [["https://shop.acme.com/a", "https://b.org/", "https://c.org/"], []])
  })

  it("a redirector to a private place is kept, and not requested", async () => {
    const urls = ["http://10.0.0.1/", "http://wiki.internal/", "javascript:alert(1)"].flatMap((to) => [
      google(to),
      throughBing(to)
    ])
    const found = await settled(citing(...urls), () => Option.some("https://b.org/"))
    assert.deepEqual(found, { urls, asked: [] })
  })

  it("the destination of a redirect is read further without a request", async () => {
    const targets = new Map([
      [grounding("1"), google("https://shop.acme.com/a")],
      [grounding("2"), throughBing("https://b.org/")],
      [grounding("3"), bing(9)],
      [grounding("4"), google("http://10.0.0.1/")]
    ])
    const { urls, asked } = await settled(citing(google(grounding("1")), ...[...targets.keys()].slice(1)), (url) =>
      Option.fromUndefinedOr(targets.get(url))
    )
    assert.deepEqual(urls, ["https://shop.acme.com/a", "https://b.org/", bing(9), google("http://10.0.0.1/")])
    assert.deepEqual(asked, [...targets.keys()])
  })

  it("two spellings of one redirect are requested once", async () => {
    const { urls, asked } = await settled(citing(grounding("1"), google(grounding("1"))), () =>
      Option.some("https://b.org/")
    )
    assert.deepEqual([urls, asked], [["https://b.org/"], [grounding("1")]])
  })

  effectful.effect("requests all of them concurrently", () =>
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

describe("the four LLM APIs", () => {
  const names = {
    chatgpt_api: "openai_grounded",
    claude_api: "anthropic_grounded",
    gemini_api: "gemini_grounded",
    perplexity_api: "perplexity_grounded"
  } as const

  const client = ManagedRuntime.make(quietClient)
  let vendor: Vendor
  beforeAll(async () => {
    vendor = await openVendor()
  })
  afterAll(async () => {
    await vendor.close()
    await client.dispose()
  })

  it.each(LlmPlatform.literals)(
    "%s: a cited redirector with its destination in its address becomes that page",
    async (platform) => {
      const asked: Array<string> = []
      const resolveRedirect = (url: string) =>
        Effect.sync(() => {
          asked.push(url)
          return Option.none<string>()
        })
      const sources = /"(?:url|uri)":"(?:https:\/\/(?:reviewhub|brandmore|forum)|https:\/\/vertex)[^"]*"/g
      let nth = 0
      const body = JSON.stringify(fixture(names[platform]).body).replace(sources, (field) => {
        nth += 1
        const to = `https://shop.acme.com/${nth}`
        return `${field.slice(0, 5)}:${JSON.stringify(nth % 2 === 0 ? google(to) : throughBing(google(to)))}`
      })
      vendor.answer(sending(200, body))
      const outcome = await captureWith(client)(platform, vendor.url, question(platform), { resolveRedirect })
      const urls = Option.getOrThrow(Result.getSuccess(outcome)).citations.map(({ url }) => url)
      assert.isNotEmpty(urls)
      assert.deepEqual(
        urls.filter((url) => !/^https:\/\/shop\.acme\.com\/\d+$/.test(url)),
        []
      )
      assert.isEmpty(asked)
      assert.lengthOf(vendor.received, 1)
    }
  )

  it("gemini_api: the destination of a grounding redirect is read further", async () => {
    vendor.answer(sending(200, JSON.stringify(fixture("gemini_grounded").body)))
    const resolveRedirect = (url: string) => Effect.succeedSome(google(`https://shop.acme.com/${url.slice(-4)}`))
    const outcome = await captureWith(client)("gemini_api", vendor.url, question("gemini_api"), { resolveRedirect })
    const urls = Option.getOrThrow(Result.getSuccess(outcome)).citations.map(({ url }) => url)
    assert.isNotEmpty(urls)
    for (const url of urls) assert.match(url, /^https:\/\/shop\.acme\.com\/\w{4}$/)
  })
})
