/**
 * Planted and seen red: the input has no bound; styles are matched case-sensitively.
 */
import { assert, it } from "vitest"
import { isHidden, parseMarkup, select } from "@sightline/platforms/live/Markup"

it("the first 8 MiB of a page are read", () => {
  const most = 8 * 1024 * 1024
  assert.strictEqual(
    parseMarkup(`${" ".repeat(most - 1)}ab`)
      .text()
      .trim(),
    "a"
  )
})

it.each(["display:none", "color: red; Display : None", "VISIBILITY:HIDDEN"])("%s hides an element", (style) => {
  const [element] = select(parseMarkup(`<p style="${style}">a</p>`), "p")
  assert.isTrue(element !== undefined && isHidden(element))
})
