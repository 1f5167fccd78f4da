/**
 * The building blocks of pages, with any text in them.
 *
 * Planted and seen red: a text is cut inside a character; `<` in scripts and quotes in markup are left; bold names are underlined.
 */
import { markdownOf } from "@sightline/platforms/live/Markdown"
import { topics } from "@sightline/sandbox/article/Topics"
import { liveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { escaped, scripted } from "@sightline/sandbox/web/Page"
import { htmlOf, markupOf } from "@sightline/sandbox/web/PageMarkup"
import { partsOf } from "@sightline/sandbox/web/PageStream"
import * as fc from "fast-check"
import { assert, it } from "vitest"

const text = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("</script><script>", "<!--", `"'&<>`))

it("parts(text) joined = text, each of whole characters, and at most as many as asked for", () =>
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (given, count) => {
      const parts = partsOf(given, count)
      assert.strictEqual(parts.join(""), given)
      assert.isAtMost(parts.length, count)
      if (given.isWellFormed()) assert.isTrue(parts.every((part) => part.isWellFormed()))
    })
  ))

it("a text in markup opens and closes nothing", () =>
  fc.assert(fc.property(text, (given) => assert.notMatch(escaped(given), /[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/))))

it("a value in a script = the value, and contains no tag", () =>
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), text), (value) => {
      const script = scripted(value)
      assert.notInclude(script, "<")
      assert.deepEqual(JSON.parse(script), JSON.parse(JSON.stringify(value)))
    })
  ))

it("markdown(html(markup(answer))) = the answer's markdown, whatever its citations are next to", () =>
  fc.assert(
    fc.property(fc.integer(), fc.constantFrom(...topics), fc.constantFrom("US", "GB"), (seed, { noun }, country) => {
      const question = `What are the best ${noun}?`
      const { markdown, spans } = liveAnswer({ seed, surface: "gemini_live", question, country })
      const chips = markupOf(spans, (cited) => [{ tag: "button", children: cited.map(String) }])
      assert.strictEqual(markdownOf(htmlOf(chips)), markdown)
    })
  ))
