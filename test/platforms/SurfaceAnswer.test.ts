/**
 * Which parts of a vendor's answer are kept, each list up to its bound.
 *
 * Planted and seen red:
 * - one query, brand or advert too many is kept
 * - a query may have any length
 * - a blank name is kept, or a name twice
 * - an answer with queries alone counts as one without a search
 * - a blank advertiser or title is shown
 * - the words that say there is no answer are taken for one
 * - an answer or its text exceeds its bound
 */
import { Option, Result } from "effect"
import { assert, it } from "vitest"
import { absent, surfaceAnswer } from "@sightline/platforms/SurfaceAnswer"

type Parts = Parameters<typeof surfaceAnswer>[1]

const answer = (parts: Partial<Parts>) =>
  Option.getOrThrow(Result.getSuccess(surfaceAnswer("chatgpt_live", { markdown: "Asana.", sources: [], ...parts })))

const many = <A>(of: (index: number) => A) => Array.from({ length: 120 }, (_, index) => of(index))

it("at most 50 queries, 100 brands and 50 adverts are kept, the first of each", () => {
  const { brandEntities, fanOut, sponsored } = answer({
    fanOut: many((index) => `q${index}`),
    entities: many((index) => ({ name: `n${index}` })),
    adverts: many((index) => ({ url: `https://a.example/${index}`, rendered: true }))
  })
  assert.deepStrictEqual([fanOut.length, fanOut.at(-1)], [50, "q49"])
  assert.deepStrictEqual([brandEntities.length, brandEntities.at(-1)], [100, { name: "n99" }])
  assert.deepStrictEqual([sponsored?.length, sponsored?.at(-1)?.url], [50, "https://a.example/49"])
})

it("a query is listed once, in at most 300 characters, and a blank one is left out", () => {
  assert.deepStrictEqual(answer({ fanOut: ["q", " ", "q", "x".repeat(400)] }).fanOut, ["q", "x".repeat(300)])
})

it("the text to search for brands and the raw answer have at most 256 KiB, and a model's name 300 characters", () => {
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

it("an advert without words of its own is named after its site, and its address loses trackers", () => {
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

it("the words that Google's page shows instead of an answer are no answer, whichever way they arrive", () => {
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

it("the words that Google's page adds to product names for screen readers are not part of the text", () => {
  const aside = "Go to product viewer dialog for this item."
  const markdown = `1. **[Acme 17 ${aside}](/search?ibp=oshop)**: soft\n2. **Bolt 3${aside}**: light`
  const { raw, text } = answer({ markdown })
  assert.deepStrictEqual([text, raw], ["1. **Acme 17**: soft\n2. **Bolt 3**: light", markdown])
})
