// Cues that describe the object of a verb, not its subject.

const makers = new Set(
  "make makes made making turn turns turned turning transform transforms convert converts".split(" ")
)
const worse = new Set("hard harder difficult tricky trickier".split(" "))
const better = new Set("easy easier simple simpler effortless painless manageable".split(" "))
const followMade = new Set(["", "for", "and", "but", "when", "if", "to", "than"])
const furthestMade = 6

/**
 * The place and polarity of what the verb at `at` makes of its object: "makes it hard" blames, "makes hard things easy" and "turns … into"
 * are neutral. Undefined where there is no such verb or result.
 */
export const madeAt = (
  words: ReadonlyArray<string>,
  at: number
): { readonly at: number; readonly polarity: 0 | -1 } | undefined => {
  if (!makers.has(words[at] ?? "")) return undefined
  for (let end = at + 2; end < Math.min(words.length, at + furthestMade); end++) {
    const word = words[end] ?? ""
    if (word === "into") return { at: end, polarity: 0 }
    if (!followMade.has(words[end + 1] ?? "")) continue
    // "Makes it hard to make mistakes".
    if (worse.has(word) && words[end + 1] !== "to") return { at: end, polarity: -1 }
    // "Makes hard things easy", not "makes it easy".
    if (better.has(word)) return { at: end, polarity: 0 }
  }
  return undefined
}

const keepers = new Set("keep keeps kept keeping".split(" "))
const keptReach = 5

/** How far the phrase "keeps … out" at the word `at` reaches: "keeps bad bots out". Units: words; 0 where there is no such phrase. */
export const keptOut = (words: ReadonlyArray<string>, at: number): number =>
  keepers.has(words[at] ?? "")
    ? 1 + words.slice(at + 1, at + 1 + keptReach).findIndex((word) => word === "out" || word === "away")
    : 0

const doubters = new Set("critics skeptics sceptics doubters detractors naysayers".split(" "))
// Nouns that say that a fault is only alleged: "reports of bugs were false".
const rumours = new Set(
  "claims claim reports report rumors rumours rumor rumour allegations accusations complaints complaint".split(" ")
)
const refuted = new Set(["wrong", "mistaken", "false", "untrue", "baseless"])
const fallen = new Set("dropped fallen fell declined decreased shrunk plummeted".split(" "))
const subjectReach = 7

/** Whether the word at `at` cancels the fault before it: "skeptics were wrong", "complaints have dropped". */
export const isTakenBack = (words: ReadonlyArray<string>, at: number, fault: number | undefined): boolean => {
  const word = words[at] ?? ""
  // "Acme has bugs and its claims are false" does not refute the bugs.
  if (refuted.has(word)) {
    const from = Math.max(0, at - subjectReach)
    return words
      .slice(from, at)
      .some(
        (other, index) => doubters.has(other) || (fault !== undefined && from + index <= fault && rumours.has(other))
      )
  }
  return fallen.has(word) && fault !== undefined && at - fault <= subjectReach
}
