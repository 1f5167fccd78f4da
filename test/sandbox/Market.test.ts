/**
 * The brands of an answer: those a customer knows, those the question names, and an order that differs by place.
 *
 * Planted and seen red: the place is left out of the dice; a single named brand is dropped; words that open a question are taken for
 * brands; each vendor has another market.
 */
import { marketOf } from "@sightline/sandbox/article/Market"
import { brandsNamed } from "@sightline/sandbox/article/Topic"
import { topics } from "@sightline/sandbox/article/Topics"
import type { Inquiry } from "@sightline/sandbox/Inquiry"
import { assert, describe, it } from "vitest"
import { textOf } from "@sightline/sandbox/article/Span"
import { answered } from "./Answering.ts"
import { names } from "./Vendors.ts"

const inquiry = (question: string, over: Partial<Inquiry> = {}): Inquiry => ({
  vendor: "openai",
  model: "gpt-6.1-sol-2026-10-28",
  question,
  country: "US",
  city: "",
  search: "forced",
  reasons: false,
  maxTokens: 4000,
  ...over
})
const picks = (question: string, over: Partial<Inquiry> = {}) => marketOf(1, inquiry(question, over)).picks

describe("a market", () => {
  it("has the well-known brands of its topic, and the best known most often", () => {
    const mentioned = Array.from({ length: 200 }, (_, index) => picks(`best running shoes for runner ${index}`))
    const share = (brand: string) => mentioned.filter((brands) => brands.includes(brand)).length / 200
    assert.isAbove(share("Nike"), 0.75)
    assert.isBelow(share("Nike"), 1)
    assert.closeTo(share("Salomon"), 0.3, 0.28)
  })

  it("differs by vendor, country and city, but not by token limit or search", () => {
    const question = "What are the best running shoes?"
    const orders = [{}, { vendor: "gemini" as const }, { country: "GB" }, { country: "GB", city: "Leeds" }]
    assert.strictEqual(new Set(orders.map((over) => picks(question, over).join())).size, 4)
    assert.deepEqual(picks(question, { maxTokens: 16, search: "off" }), picks(question))
  })

  it("of an unknown product is invented, the same for every vendor, with 8 to 14 brands", () => {
    const question = (index: number) => `best vegan protein powder for athlete ${index}`
    const seen = new Set(
      names.flatMap((vendor) => Array.from({ length: 100 }, (_, index) => picks(question(index), { vendor })).flat())
    )
    assert.isTrue(seen.size >= 8 && seen.size <= 14)
  })

  it("always has the brands named in the question", () => {
    const market = marketOf(1, inquiry("Is Acme Cloud better than HubSpot for a small team?"))
    assert.deepEqual(market.named, ["Acme Cloud", "HubSpot"])
    assert.includeMembers([...market.picks], ["Acme Cloud", "HubSpot"])
    assert.include(picks("Is Acme Cloud any good as a CRM?"), "Acme Cloud")
  })

  it("is recognised by its brands where the question has no word for the topic", () => {
    assert.strictEqual(marketOf(1, inquiry("Nike vs Adidas")).topic.noun, "running shoes")
  })

  it("has 8 to 14 brands for every topic", () => {
    for (const { brands } of topics) assert.isTrue(brands.length >= 8 && brands.length <= 14)
  })
})

it.each([
  ["What are the best running shoes?", []],
  ["Nike vs Adidas", ["Nike", "Adidas"]],
  ["Is Bang & Olufsen worth it?", ["Bang & Olufsen"]],
  ["Should I buy De’Longhi’s machine?", ["De’Longhi"]],
  ["best hotels in Paris", []],
  ["What Are The Best Running Shoes In London", []],
  ["best CRM for SaaS", []],
  ["最好的跑鞋是什么", []]
])("%s names %j", (question, brands) => {
  assert.deepEqual(brandsNamed(question), brands)
})

it("articles have 600 to 4 000 characters and several layouts", () => {
  const articles = Array.from({ length: 300 }, (_, index) =>
    textOf(answered("openai", 1, `best laptops for job ${index}`, "answer").composition.spans)
  )
  for (const { length } of articles) assert.isTrue(length >= 600 && length <= 4000)
  for (const layout of [/^1\. \*\*/m, /^- \*\*/m, /^### /m, /^\| \*\*/m, /^My ranking: .+ > /m]) {
    assert.isAbove(articles.filter((article) => layout.test(article)).length, 15)
  }
})
