/**
 * A word that turns round what follows it within reach.
 *
 * "flips" turns every cue; "eases" makes praise of blame and leaves praise ("reduces errors"); "deprives" is itself the
 * fault and takes what follows with it ("lacks polish").
 */
export interface Negator {
  readonly kind: "flips" | "eases" | "deprives"
  readonly from: number
  /** How many words it reaches over. */
  readonly reach: number
  /** The last place it reaches. */
  readonly until: number
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const deniers = setOf("not never cannot hardly barely rarely seldom scarcely isnt doesnt dont cant wont")
const removers = setOf("no without zero minus")
const sweepers = setOf("nothing nobody neither none few")
const lackers = setOf("lack lacks lacked lacking")
const thwarted = setOf("fail fails failed struggles struggled unable")
const lessers = setOf("less least")
const easers = setOf(
  "reduce reduces reduced reducing eliminate eliminates eliminating prevent prevents remove removes fix fixes fixed minimize minimizes " +
    "minimise minimises resist resists avoids avoiding against"
)
const everywhere = 99

/** The negator at a word of a clause, or undefined. */
export const negatorAt = (words: ReadonlyArray<string>, at: number): Negator | undefined => {
  const word = words[at] ?? ""
  const next = words[at + 1] ?? ""
  const negator = (kind: Negator["kind"], reach: number): Negator => ({ kind, from: at, reach, until: at + reach })
  if (lackers.has(word) || (thwarted.has(word) && next === "to")) return negator("deprives", 4)
  if (word === "not" && (next === "only" || next === "just")) return undefined
  if (deniers.has(word) || word.endsWith("n't")) return negator("flips", 5)
  if (sweepers.has(word) || (word === "no" && (next === "other" || next === "one"))) return negator("flips", everywhere)
  if (removers.has(word)) return negator("flips", 3)
  if (lessers.has(word) && words[at - 1] !== "at") return negator("flips", 2)
  if ((word === "far" && next === "from") || (word === "free" && (next === "of" || next === "from")))
    return negator("flips", 4)
  return easers.has(word) ? negator("eases", 3) : undefined
}

/** The negator as it stands before the word at `at`: names take none of its reach, "or" renews it, its end undoes it. */
export const reaches = (negator: Negator | undefined, word: string, at: number): Negator | undefined => {
  if (negator === undefined || at > negator.until) return undefined
  if (word === "") return { ...negator, until: negator.until + 1 }
  return word === "or" || word === "nor" ? { ...negator, until: at + negator.reach } : negator
}
