/**
 * Every citation covers what it claims, in the unit that its vendor counts in.
 *
 * Planted and seen red: OpenAI's ranges are one short; Gemini's offsets are in UTF-16 units; Gemini's thought part is not counted;
 * Perplexity's markers count from zero; Anthropic's uncited text is joined with a blank.
 */
import { textOf } from "@sightline/sandbox/article/Span"
import { topics } from "@sightline/sandbox/article/Topics"
import { Schema } from "effect"
import * as fc from "fast-check"
import { assert, it } from "vitest"
import { answered } from "./Answering.ts"

/** Questions on known topics, on unknown ones, and in any script. */
const questions = fc.oneof(
  fc
    .tuple(fc.constantFrom(...topics.map(({ noun }) => noun)), fc.string({ maxLength: 20 }))
    .map(([noun, rest]) => `What are the best ${noun} for ${rest}?`),
  fc.string({ unit: "grapheme", maxLength: 200 })
)
const asked = fc.tuple(fc.integer(), questions)
const law = (property: (seed: number, question: string) => void) =>
  fc.assert(
    fc.property(asked, ([seed, question]) => property(seed, question)),
    { numRuns: 300 }
  )

const OpenAiBody = Schema.Struct({
  output: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      phase: Schema.optionalKey(Schema.String),
      content: Schema.optionalKey(
        Schema.Array(
          Schema.Struct({
            text: Schema.String,
            annotations: Schema.Array(
              Schema.Struct({
                start_index: Schema.Int,
                end_index: Schema.Int,
                url: Schema.String,
                title: Schema.String
              })
            )
          })
        )
      )
    })
  )
})

it("openai: text[start, end) = the link to the annotation's url, and without its links the text is the article", () =>
  law((seed, question) => {
    const { composition, body } = answered("openai", seed, question, "answer")
    const { output } = Schema.decodeUnknownSync(OpenAiBody)(body)
    const parts = output.flatMap(({ phase, content = [] }) => (phase === "commentary" ? [] : content))
    assert.lengthOf(parts, 1)
    for (const { text, annotations } of parts) {
      let rest = text
      for (const { start_index: start, end_index: end, url } of annotations) {
        const link = text.slice(start, end)
        assert.strictEqual(link, `([${new URL(url).hostname}](${url}))`)
        rest = rest.replace(` ${link}`, "")
      }
      assert.strictEqual(rest, textOf(composition.spans))
    }
  }))

const AnthropicBody = Schema.Struct({
  content: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      text: Schema.optionalKey(Schema.String),
      content: Schema.optionalKey(Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String }))),
      citations: Schema.optionalKey(
        Schema.NullOr(
          Schema.Array(Schema.Struct({ url: Schema.String, title: Schema.String, cited_text: Schema.String }))
        )
      )
    })
  )
})

it("anthropic: the text blocks joined = the article, and each citation is one of the search's results", () =>
  law((seed, question) => {
    const { composition, body } = answered("anthropic", seed, question, "answer")
    const { content } = Schema.decodeUnknownSync(AnthropicBody)(body)
    assert.strictEqual(content.map(({ text = "" }) => text).join(""), textOf(composition.spans))
    const found = content.flatMap(({ content: results = [] }) => results.map(({ url }) => url))
    for (const { citations } of content) {
      for (const citation of citations ?? []) {
        assert.include(found, citation.url)
        assert.isAtMost(citation.cited_text.length, 150)
      }
    }
  }))

const GeminiBody = Schema.Struct({
  candidates: Schema.Array(
    Schema.Struct({
      content: Schema.Struct({
        parts: Schema.Array(Schema.Struct({ text: Schema.String, thought: Schema.optionalKey(Schema.Boolean) }))
      }),
      groundingMetadata: Schema.Struct({
        groundingChunks: Schema.Array(Schema.Unknown),
        groundingSupports: Schema.Array(
          Schema.Struct({
            segment: Schema.Struct({
              partIndex: Schema.optionalKey(Schema.Int),
              startIndex: Schema.optionalKey(Schema.Int),
              endIndex: Schema.Int,
              text: Schema.String
            }),
            groundingChunkIndices: Schema.NonEmptyArray(Schema.Int)
          })
        )
      })
    })
  )
})

it("gemini: bytes[start, end) of the part = the segment's text, and zeros are left out", () =>
  law((seed, question) => {
    const { composition, body } = answered("gemini", seed, question, "answer")
    const [candidate] = Schema.decodeUnknownSync(GeminiBody)(body).candidates
    const parts = candidate?.content.parts ?? []
    const { groundingChunks = [], groundingSupports = [] } = candidate?.groundingMetadata ?? {}
    const said = parts.flatMap(({ text, thought }) => (thought === true ? [] : [text])).join("")
    assert.strictEqual(said, textOf(composition.spans))
    for (const { segment, groundingChunkIndices } of groundingSupports) {
      const bytes = new TextEncoder().encode(parts[segment.partIndex ?? 0]?.text)
      const covered = new TextDecoder().decode(bytes.slice(segment.startIndex ?? 0, segment.endIndex))
      assert.strictEqual(covered, segment.text)
      assert.isFalse([segment.startIndex, segment.partIndex].includes(0))
      for (const index of groundingChunkIndices) assert.isBelow(index, groundingChunks.length)
    }
  }))

const PerplexityBody = Schema.Struct({
  output: Schema.Array(
    Schema.Struct({
      type: Schema.String,
      results: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.Int, url: Schema.String }))),
      content: Schema.optionalKey(Schema.Array(Schema.Struct({ text: Schema.String })))
    })
  )
})

it("perplexity: every [n] is the id of a result, and without them the text is the article", () =>
  law((seed, question) => {
    const { composition, body } = answered("perplexity", seed, question, "answer")
    const { output } = Schema.decodeUnknownSync(PerplexityBody)(body)
    const ids = output.flatMap(({ results = [] }) => results.map(({ id }) => id))
    const text = output.flatMap(({ content = [] }) => content.map((part) => part.text)).join("")
    const cited = composition.spans.reduce((count, { cites }) => count + cites.length, 0)
    const article = textOf(composition.spans)
    const own = Array.from(article.matchAll(/\[\d+\]/g)).length
    const markers = Array.from(text.matchAll(/\[(\d+)\]/g), ([, id]) => Number(id))
    assert.lengthOf(markers, cited + own)
    if (own > 0) return
    assert.includeMembers(ids, markers)
    assert.strictEqual(text.replace(/ (?:\[\d+\])+/g, ""), article)
  }))
