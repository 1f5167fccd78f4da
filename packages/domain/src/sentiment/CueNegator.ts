import { comparative, type ResolvedCue } from "./Cue.ts"
import { keptOut } from "./CueObject.ts"

/**
 * A word that changes the polarity of the cues that follow it, within its reach.
 *
 * "flips" reverses every cue. "eases" turns blame into praise and leaves praise ("reduces errors"). "meets" drops blame and leaves praise
 * ("handles complaints well"). "deprives" is a fault in itself and drops the cues that follow it ("lacks polish"). "sours" turns praise
 * into blame and leaves blame ("barely reliable and slow").
 */
export interface Negator {
  readonly kind: "flips" | "eases" | "meets" | "deprives" | "sours"
  readonly from: number
  /** How many words it reaches over. */
  readonly reach: number
  /** The last place it reaches. */
  readonly until: number
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "))

const scanty = setOf("hardly barely scarcely")
// Words that are no praise, but blame where "hardly" stands before them.
const adequate = setOf("usable functional works working acceptable passable adequate tolerable sufficient")
const deniers = setOf("not never nowhere cannot rarely seldom isnt doesnt dont cant wont")
const removers = setOf("no without zero minus")
const sweepers = setOf("nothing nobody neither none few")
const lackers = setOf("lack lacks lacked lacking")
const thwarted = setOf("fail fails failed struggles struggled unable")
const lessers = setOf("less least fewer fewest")
const easers = setOf(
  "reduce reduces reduced reducing eliminate eliminates eliminated eliminating prevent prevents preventing remove removes removed removing " +
    "fix fixes fixed minimize minimizes minimise minimises resist resists avoids avoiding against solve solves solving solved resolves " +
    "combats alleviate alleviates relieve relieves cure cures eases spares"
)
const meeters = setOf(
  "handle handles handling tackle tackles tackling overcome overcomes fight fights fighting withstand withstands monitor monitors track " +
    "tracks detect detects catch catches replace replaces simplify simplifies streamline streamlines automate automates automating streamlining simplifying"
)
// Phrases that ease, by their last word and the words that may stand before it: "say goodbye to", "gets rid of".
const easings = new Map([
  ["to", setOf("goodbye resistant immune")],
  ["of", setOf("rid")],
  ["with", setOf("away")]
])
const meetings = new Map([
  ["with", setOf("deal deals dealing cope copes")],
  ["up", setOf("clean cleans cleaning")]
])
const protectors = setOf(
  "protect protects protected protecting shield shields shielding guard guards defend defends save saves saved safe recover recovers"
)
const smallness = setOf("minimal negligible low lower")
const isOrAre = setOf("is are was were feel look seem")
const anew = setOf("is are was were has have had it its they feels looks runs costs comes gets makes works offers")
const helpers = setOf("help helps helping helped")
const incapable = setOf("can't cannot couldn't cant")
const able = setOf("can could")
const hesitations = setOf("hesitate hesitates hesitated hesitant reluctant")
const lauders = setOf("recommend praise say")
// How many words before "avoid" a "helps" may stand, and how many after "can't recommend" an "enough".
const helpReach = 4
const enoughReach = 8
const everywhere = 99
// How many words before "from" a verb such as "protects" may stand, and how many before "to be" a "too".
const fromReach = 5
const tooReach = 3

/** Whether the negation at a word says that no more is possible: "can't recommend it enough", "couldn't be easier". */
const isUtmost = (words: ReadonlyArray<string>, at: number): boolean => {
  const isIncapable = incapable.has(words[at] ?? "") || (words[at] === "not" && able.has(words[at - 1] ?? ""))
  if (!isIncapable) return false
  const [next, degree = ""] = [words[at + 1] ?? "", words[at + 2]]
  if (next === "be") return comparative.test(degree)
  return lauders.has(next) && words.slice(at + 2, at + enoughReach).includes("enough")
}

/** Whether "few" at a word means some, or is the predicate of the words before it: "a few bugs", "one of the few", "reviews are few". */
const isSome = (words: ReadonlyArray<string>, at: number): boolean =>
  words[at] === "few" &&
  (/^(?:a|the)$/.test(words[at - 1] ?? "") ||
    (/^(?:are|were)$/.test(words[at - 1] ?? "") && (words[at + 1] ?? "and") === "and"))

/** What a word does to the faults that follow it: "eases" where it reduces them, "meets" where it acts on them. */
const dealing = (words: ReadonlyArray<string>, at: number): "eases" | "meets" | undefined => {
  const [before = "", word = "", next = ""] = [words[at - 1], words[at], words[at + 1]]
  // In "the fixes are slow", "fixes" is a noun.
  if (easers.has(word) && !isOrAre.has(next)) return "eases"
  if (easings.get(word)?.has(before) === true) return "eases"
  if (meeters.has(word) && next !== "to" && !isOrAre.has(next)) return "meets"
  if (meetings.get(word)?.has(before) === true) return "meets"
  const earlier = (reach: number, known: ReadonlySet<string>): boolean =>
    words.slice(Math.max(0, at - reach), at).some((other) => known.has(other))
  const isHelped =
    (word === "from" && earlier(fromReach, protectors)) || (word === "avoid" && earlier(helpReach, helpers))
  return isHelped ? "eases" : undefined
}

/** The negator at a word of a clause, or undefined. */
export const negatorAt = (words: ReadonlyArray<string>, at: number): Negator | undefined => {
  const word = words[at] ?? ""
  const next = words[at + 1] ?? ""
  const negator = (kind: Negator["kind"], reach: number): Negator => ({ kind, from: at, reach, until: at + reach })
  // "Critics struggle to find flaws"; not "Acme struggles to find duplicates".
  const isVain = /^struggled?$/.test(word) && (words[at - 1] ?? "") !== "" && next === "to" && words[at + 2] === "find"
  if (isVain || (word.endsWith("pressed") && next === "to" && words[at + 2] === "find")) return negator("flips", 6)
  if (lackers.has(word) || (thwarted.has(word) && next === "to")) return negator("deprives", 4)
  if (scanty.has(word)) return adequate.has(next) ? negator("deprives", 1) : negator("flips", 5)
  if (word === "not" && (next === "only" || next === "just")) return undefined
  // "Nothing short of excellent" is excellent, and so is "nothing less".
  if (word === "nothing" && (next === "short" || next === "less")) return undefined
  if (isUtmost(words, at)) return undefined
  if (deniers.has(word) || word.endsWith("n't")) return negator("flips", 5)
  if (hesitations.has(word) && next === "to") return negator("flips", 3)
  if (isSome(words, at)) return undefined
  if (sweepers.has(word) || (word === "no" && (next === "other" || next === "one"))) return negator("flips", everywhere)
  if (removers.has(word)) return negator("flips", 3)
  const isEmphasis = words[at - 1] === "at" || (words[at - 1] === "the" && words[at - 2] === "in")
  if (lessers.has(word) && !isEmphasis && words[at - 1] !== "nothing") return negator("flips", 2)
  if (word === "anything" && next === "but") return negator("flips", 5)
  if (word === "used" && next === "to" && words[at + 2] === "be") return negator("flips", 6)
  if ((word === "far" && next === "from") || (word === "free" && (next === "of" || next === "from")))
    return negator("flips", 4)
  if ((word === "yet" || word === "little") && next === "to") return negator("flips", 4)
  // "Too cheap to be good".
  const isTooMuch = word === "to" && next === "be" && words.slice(Math.max(0, at - tooReach), at).includes("too")
  if (isTooMuch) return negator("flips", 3)
  if (smallness.has(word)) return negator("eases", 2)
  const kept = keptOut(words, at)
  if (kept > 0) return negator("eases", kept)
  const deals = dealing(words, at)
  if (deals === undefined) return undefined
  return { ...negator(deals, 3), from: easings.has(word) || meetings.has(word) ? at - 1 : at }
}

/**
 * The negator in force after `next`, where `last` was in force before it. Some pairs cancel out: "not without faults" has faults, "do not
 * hesitate to recommend" recommends, and "nothing is less reliable than Acme" blames Acme.
 */
export const negatorAfter = (
  last: Negator | undefined,
  next: Negator,
  words: ReadonlyArray<string>
): Negator | undefined => {
  const word = words[next.from] ?? ""
  if (last?.kind !== "flips") return next
  const isTwice =
    lessers.has(word) && !words.slice(last.from, next.from).some((other) => other === "and" || other === "or")
  return isTwice || hesitations.has(word) || word === "without" || word === "free" ? undefined : next
}

/**
 * The negator in force after "and"; `last` is the cue before it. Only "hardly" and its synonyms change: "barely reliable and slow" is slow,
 * "hardly slow and buggy" is not buggy, and "barely audible and reliable" is reliable.
 */
export const negatorAfterAnd = (
  negator: Negator | undefined,
  words: ReadonlyArray<string>,
  last: ResolvedCue | undefined
): Negator | undefined => {
  if (negator === undefined || !scanty.has(words[negator.from] ?? "")) return negator
  return last?.from === negator.from ? { ...negator, kind: last.polarity === 1 ? "eases" : "sours" } : undefined
}

/**
 * The negator in force at the word at `at`; undefined where it has ended. Names do not use up its reach. "or", "nor" and a comma of a
 * series renew it. "and" before a verb of its own ends it.
 */
export const negatorInForce = (
  negator: Negator | undefined,
  words: ReadonlyArray<string>,
  at: number
): Negator | undefined => {
  const word = words[at] ?? ""
  if (negator === undefined || at > negator.until) return undefined
  if (word === "") return { ...negator, until: negator.until + 1 }
  if (word === "and" && anew.has(words[at + 1] ?? "")) return undefined
  return word === "or" || word === "nor" || word === "," ? { ...negator, until: at + negator.reach } : negator
}
