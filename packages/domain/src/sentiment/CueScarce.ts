import type { ResolvedCue } from "./Cue.ts"

const scarce = new Set(
  "rare uncommon infrequent scarce few minimal negligible low lower minor unfounded groundless overblown exaggerated undeserved unwarranted".split(
    " "
  )
)
// Nouns for which being low is good.
const costs = /^(?:price|cost|fee)s?$/
const copulas = new Set("is are was were remain remains seem seems".split(" "))
const copulaReach = 3
// Words that may follow a predicate, but never stand between an adjective and its noun.
const follow = new Set(
  (
    "and with in at for on among here so today now nowadays lately recently currently these this overall across during over within by as " +
    "under outside indeed enough compared"
  ).split(" ")
)

/** Whether the word at `at` is a predicate that says there is little of its subject: "complaints are rare". */
export const isScarceAt = (words: ReadonlyArray<string>, at: number): boolean => {
  const next = words[at + 1] ?? ""
  return (
    scarce.has(words[at] ?? "") &&
    (next === "" || follow.has(next)) &&
    words.slice(Math.max(0, at - copulaReach), at).some((word) => copulas.has(word))
  )
}

/** Reverses the last cues of equal polarity, as far back as the subject of the verb before `at` goes. Returns whether there were any. */
export const reverseLast = (found: Array<ResolvedCue>, words: ReadonlyArray<string>, at: number): boolean => {
  const verb = words.slice(0, at).findLastIndex((word) => copulas.has(word))
  const last = found.at(-1)
  if (last === undefined || last.to >= verb || costs.test(words[verb - 1] ?? "")) return false
  const { polarity } = last
  for (let index = found.length - 1; index >= 0; index--) {
    const cue = found[index]
    if (cue === undefined || cue.polarity !== polarity) return index < found.length - 1
    // "Acme is slow and complaints are rare".
    if (words.slice(cue.to, verb).includes("and") && words.slice(0, cue.from).some((word) => copulas.has(word)))
      return index < found.length - 1
    found[index] = { ...cue, polarity: polarity === 1 ? -1 : 1, to: at }
  }
  return true
}
