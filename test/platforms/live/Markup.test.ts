/**
 * Planted and seen red: no bound to what is read; styles told apart by their case.
 */
import { assert, it } from "vitest"
import { isHidden, parseMarkup, select } from "@sightline/platforms/live/Markup"

it("of a page the first 8 MiB are read", () => {
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
