/**
 * Planted and seen red:
 * - an initial, or an abbreviation before a name, is taken for the end of a sentence, or a word that only ends like an abbreviation is
 *   not
 * - the end of the text is taken for the start of the next sentence
 * - the full stops of other scripts are not read
 * - the opening bracket of a list of sources is left at the end of a claim
 * - a long claim is cut at the wrong place, or not at all
 * - a sentence in the middle of a long paragraph is taken for its last
 */
import { assert, it } from "vitest"
import { claimBefore } from "@sightline/platforms/Claim"

const before = (text: string) => claimBefore(text, text.indexOf("["))

it.each([
  ["One thing. Another thing [1].", "Another thing"],
  ["One thing. Another thing. [1]", "Another thing."],
  ["One thing! “Another thing.” [1]", "“Another thing.”"],
  ["It was J. Doe of the U.S. Army who said so [1].", "It was J. Doe of the U.S. Army who said so"],
  ["One thing. Asana vs. Trello is close [1].", "Asana vs. Trello is close"],
  ["One thing. Boards (e.g. Trello, i.e. Kanban) help [1].", "Boards (e.g. Trello, i.e. Kanban) help"],
  [
    "One thing. Dr. Doe, Mr. Roe and Mrs. Poe of St. Ives asked Ms. Coe [1].",
    "Dr. Doe, Mr. Roe and Mrs. Poe of St. Ives asked Ms. Coe"
  ],
  ["It has high revs. Another thing [1]", "Another thing"],
  ["这是第一句。这是第二句 [1]", "这是第二句"],
  ["这是第一句。这是第二句。[1]", "这是第二句。"],
  ["これは一つ目です！これは二つ目です [1]", "これは二つ目です"],
  ["Another thing ([1], [2])", "Another thing"],
  ["Another thing, ; [1]", "Another thing"],
  ["これは一つ目です。これは二つ目です。（[1]、[2]）", "これは二つ目です。"],
  ["- **One** thing\n- *Another* thing [1]", "Another thing"],
  [`${"Each of them says something. ".repeat(40)}Another thing [1]`, "Another thing"],
  // At the length limit of a citation's text, and beyond it.
  [`One thing. ${"Another thing ".repeat(21)}at last [1]`, `${"Another thing ".repeat(21)}at las`],
  [`One thing. ${"Another thing ".repeat(20)}at last [1]`, `${"Another thing ".repeat(20)}at last`]
])("%j claims %j", (text, claim) => {
  assert.strictEqual(before(text), claim)
})
