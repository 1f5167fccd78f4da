import { comparative } from "./Cue.ts"

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
const lessers = setOf("less least fewer fewest")
const easers = setOf(
  "reduce reduces reduced reducing eliminate eliminates eliminating prevent prevents remove removes fix fixes fixed minimize minimizes " +
    "minimise minimises resist resists avoids avoiding against protect protects protecting solve solves solving solved resolves combats"
)
const isOrAre = setOf("is are was were")
const helpers = setOf("help helps helping helped")
const incapable = setOf("can't cannot couldn't cant")
const able = setOf("can could")
const lauders = setOf("recommend praise say")
// How far before "avoid" its help stands, and how far after "can't recommend" its "enough".
const helpReach = 4
const enoughReach = 8
const everywhere = 99

/** Whether what is denied at a word is that there could be more of what follows: "can't recommend it enough", "couldn't be easier". */
const isUtmost = (words: ReadonlyArray<string>, at: number): boolean => {
  const isIncapable = incapable.has(words[at] ?? "") || (words[at] === "not" && able.has(words[at - 1] ?? ""))
  if (!isIncapable) return false
  const [next, degree = ""] = [words[at + 1] ?? "", words[at + 2]]
  if (next === "be") return comparative.test(degree)
  return lauders.has(next) && words.slice(at + 2, at + enoughReach).includes("enough")
}

/** The negator at a word of a clause, or undefined. */
export const negatorAt = (words: ReadonlyArray<string>, at: number): Negator | undefined => {
  const word = words[at] ?? ""
  const next = words[at + 1] ?? ""
  const negator = (kind: Negator["kind"], reach: number): Negator => ({ kind, from: at, reach, until: at + reach })
  if (lackers.has(word) || (thwarted.has(word) && next === "to")) return negator("deprives", 4)
  if (word === "not" && (next === "only" || next === "just")) return undefined
  // "Nothing short of excellent" is excellent, and so is "nothing less".
  if (word === "nothing" && (next === "short" || next === "less")) return undefined
  if (isUtmost(words, at)) return undefined
  if (deniers.has(word) || word.endsWith("n't")) return negator("flips", 5)
  if (sweepers.has(word) || (word === "no" && (next === "other" || next === "one"))) return negator("flips", everywhere)
  if (removers.has(word)) return negator("flips", 3)
  if (lessers.has(word) && words[at - 1] !== "at" && words[at - 1] !== "nothing") return negator("flips", 2)
  if (word === "anything" && next === "but") return negator("flips", 5)
  if (word === "used" && next === "to" && words[at + 2] === "be") return negator("flips", 6)
  if ((word === "far" && next === "from") || (word === "free" && (next === "of" || next === "from")))
    return negator("flips", 4)
  const helpsAvoid =
    word === "avoid" && words.slice(Math.max(0, at - helpReach), at).some((other) => helpers.has(other))
  // "The fixes are slow" says nothing of what they fix.
  const eases = easers.has(word) && !isOrAre.has(next)
  return eases || helpsAvoid ? negator("eases", 3) : undefined
}

/** The negator that is in force from the word at `at` on, where another was: what is "not without" faults has them. */
export const succeeded = (last: Negator | undefined, next: Negator, word: string): Negator | undefined =>
  last?.kind === "flips" && (word === "without" || word === "free") ? undefined : next

/** The negator as it stands before the word at `at`: names take none of its reach, "or" renews it, its end undoes it. */
export const reaches = (negator: Negator | undefined, word: string, at: number): Negator | undefined => {
  if (negator === undefined || at > negator.until) return undefined
  if (word === "") return { ...negator, until: negator.until + 1 }
  return word === "or" || word === "nor" ? { ...negator, until: at + negator.reach } : negator
}
