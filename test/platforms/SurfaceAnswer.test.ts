/**
 * What of a vendor's answer is kept, of each list as much as its bound.
 *
 * Planted and seen red: one query, brand or advert more; a query of any length; a blank name kept, or a name twice; an answer with
 * queries alone taken for one without a search; a blank advertiser or title shown; words for want of
 * an answer taken for one; an answer or its words longer than its bound.
 */
import { Option, Result } from "effect"
import { assert, it } from "vitest"
import { absent, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"

type Parts = Parameters<typeof surfaceAnswer>[1]

const answer = (parts: Partial<Parts>) =>
  Option.getOrThrow(Result.getSuccess(surfaceAnswer("chatgpt_live", { markdown: "Asana.", sources: [], ...parts })))

const many = <A>(of: (index: number) => A) => Array.from({ length: 120 }, (_, index) => of(index))

it("there are at most 50 queries, 100 brands and 50 adverts, the first of each", () => {
  const { brandEntities, fanOut, sponsored } = answer({
    fanOut: many((index) => `q${index}`),
    entities: many((index) => ({ name: `n${index}` })),
    adverts: many((index) => ({ url: `https://a.example/${index}`, rendered: true }))
  })
  assert.deepStrictEqual([fanOut.length, fanOut.at(-1)], [50, "q49"])
  assert.deepStrictEqual([brandEntities.length, brandEntities.at(-1)], [100, { name: "n99" }])
  assert.deepStrictEqual([sponsored?.length, sponsored?.at(-1)?.url], [50, "https://a.example/49"])
})

it("a query is told once, in at most 300 characters, and a blank is none", () => {
  assert.deepStrictEqual(answer({ fanOut: ["q", " ", "q", "x".repeat(400)] }).fanOut, ["q", "x".repeat(300)])
})

it("what brands are looked for in has 256 KiB at most, as what was delivered, and a model's name 300 characters", () => {
  const { model, raw, text } = answer({
    markdown: "a".repeat(300_000),
    said: "b".repeat(300_000),
    model: "m".repeat(400)
  })
  assert.deepStrictEqual([text.length, raw.length, model.length], [256 * 1024, 256 * 1024, 300])
})

it.each<[Partial<Parts>, boolean]>([
  [{}, false],
  [{ fanOut: ["q"] }, true],
  [{ sources: [{ url: "https://a.example/" }] }, true]
])("an answer with %j: searched is %s", (parts, searched) => {
  assert.strictEqual(answer(parts).searched, searched)
})

it("an advert without words of its own goes by its site, and without what tracks", () => {
  const url = "https://www.a.example/b?gclid=1&c=2"
  assert.deepStrictEqual(answer({ adverts: [{ url, advertiser: "", title: "", rendered: false }] }).sponsored, [
    {
      advertiser: "a.example",
      title: "a.example",
      url: "https://www.a.example/b?c=2",
      domain: "a.example",
      rendered: false
    }
  ])
})

it("words that Google's page holds ready for want of an answer are none, whoever hands them on", () => {
  const absence = "An AI Overview is not available for this search"
  const failure = "Can't generate an AI overview right now. Try again later."
  const read = (markdown: string) => surfaceAnswer("ai_overview", { markdown, sources: [] })
  assert.deepStrictEqual(read(`${absence}\n`), Result.succeed(absent("ai_overview")))
  const endingOf = (markdown: string) =>
    Result.match(read(markdown), { onFailure: ({ ending }) => ending, onSuccess: () => "ok" })
  for (const held of [failure, `${absence}\n\n${failure}`]) assert.strictEqual(endingOf(held), "container_empty")
  assert.strictEqual(endingOf(`${absence}, some say.`), "ok")
  const none = "It looks like there's no response available for this search. Try asking something else."
  assert.deepStrictEqual(read(none), Result.succeed(absent("ai_overview")))
  assert.strictEqual(endingOf("Something went wrong and the content wasn't generated."), "container_empty")
})

it("what Google's page tells those who cannot see it, within the names of products, is no word of the answer", () => {
  const aside = "Go to product viewer dialog for this item."
  const markdown = `1. **[Acme 17 ${aside}](/search?ibp=oshop)**: soft\n2. **Bolt 3${aside}**: light`
  const { raw, text } = answer({ markdown })
  assert.deepStrictEqual([text, raw], ["1. **Acme 17**: soft\n2. **Bolt 3**: light", markdown])
})
