import { type Cue, cueAt, type ResolvedCue } from "./Cue.ts"
import { isTakenBack, madeAt } from "./CueObject.ts"
import { preferenceEnd } from "./CuePreference.ts"
import { isScarceAt, reverseLast } from "./CueScarce.ts"
import { hypotheticalFor } from "./CueHypothetical.ts"
import { failsFor } from "./CueFailing.ts"
import { type Negator, negatorAfter, negatorAfterAnd, negatorAt, negatorInForce } from "./CueNegator.ts"
import type { Word } from "./SentimentWords.ts"

// Words for the rivals as the object of "beats" and similar verbs.
const crowd = new Set(
  "competitors rivals alternatives competition most any other others everything anything every its their all both much many".split(
    " "
  )
)

const shuns = new Set(["skip", "ditch"])
// "Reliability issues".
const troubles = new Set(["issues", "problems", "woes"])
const gets = new Set(["get", "buy", "choose", "pick", "take", "try", "use"])
const choices = new Set(["pick", "choose", "buy"])
// "Go with Bolt", "opt for Bolt", "start with Bolt".
const takes = new Set(["go", "opt", "start"])
const adjectives = new Set("costly deadly ugly unfriendly smelly unsightly wobbly".split(" "))

const hasObject = (clause: ReadonlyArray<Word>, after: number): boolean =>
  clause.slice(after, after + 4).some(({ kind, word }) => kind === "brand" || kind === "name" || crowd.has(word))

const takesOther = (clause: ReadonlyArray<Word>, at: number, after: number): boolean =>
  takes.has(clause[at]?.word ?? "") &&
  clause.slice(after, after + 2).find(({ kind }) => kind !== "word")?.kind === "name"

/** Whether the brand comes next, with or without an article. */
const isBrandFrom = (clause: ReadonlyArray<Word>, at: number): boolean =>
  clause[/^(?:an?|the)$/.test(clause[at]?.word ?? "") ? at + 1 : at]?.kind === "brand"

/** Whether a word chooses the brand: "prefer Acme", "get Acme instead". */
const likesBrand = (clause: ReadonlyArray<Word>, at: number): boolean =>
  (gets.has(clause[at]?.word ?? "") && clause[at + 1]?.kind === "brand" && clause[at + 2]?.word === "instead") ||
  (clause[at]?.word.startsWith("prefer") === true && clause.slice(at + 1, at + 3).some(({ kind }) => kind === "brand"))

/** Whether a word reports trouble with the brand: "issues with Acme", "problems in the Acme app". */
const isTroubleWith = (clause: ReadonlyArray<Word>, at: number): boolean =>
  troubles.has(clause[at]?.word ?? "") &&
  /^(?:with|in|at)$/.test(clause[at + 1]?.word ?? "") &&
  clause.slice(at + 2, at + 4).find(({ word }) => word !== "the")?.kind === "brand"

/** The cue at a word of a clause, with the place of its last word. A preference between two things is a cue as well. */
const foundAt = (
  clause: ReadonlyArray<Word>,
  words: ReadonlyArray<string>,
  at: number,
  cue: Cue | undefined
): ResolvedCue | undefined => {
  const preferred = preferenceEnd(words, at)
  if (preferred >= 0) return { polarity: 1, from: at, to: preferred, compares: true }
  if (shuns.has(words[at] ?? "") && clause[at + 1]?.kind === "brand")
    return { polarity: -1, from: at, to: at, compares: false }
  if (likesBrand(clause, at)) return { polarity: 1, from: at, to: at, compares: false }
  if (isTroubleWith(clause, at)) return { polarity: -1, from: at, to: at, compares: false }
  const failing = failsFor(words, at)
  if (failing > 0) return { polarity: -1, from: at, to: at + failing, compares: false }
  if (cue === undefined || cue.polarity === 0 || takesOther(clause, at, at + cue.words)) return undefined
  if (cue.compares && !hasObject(clause, at + cue.words)) return undefined
  const isTroubled = cue.polarity === 1 && !cue.compares && troubles.has(words[at + cue.words] ?? "")
  if (isTroubled) return { polarity: -1, from: at, to: at + cue.words, compares: false }
  return { polarity: cue.polarity, from: at, to: at + cue.words - 1, compares: cue.compares }
}

/** A cue in the scope of a negator, with the polarity that results; undefined where it no longer says anything. */
const negated = (cue: ResolvedCue, negator: Negator): ResolvedCue | undefined => {
  if (negator.kind === "deprives") return undefined
  if (negator.kind === "meets") return cue.polarity === 1 ? cue : undefined
  if (negator.kind === (cue.polarity === 1 ? "eases" : "sours")) return cue
  return { ...cue, polarity: cue.polarity === 1 ? -1 : 1, from: negator.from }
}

/** The cue that "lacks" and similar words are themselves: blame, or praise where they are negated. */
const deprivation = (at: number, last: number, denied: Negator | undefined): ResolvedCue => ({
  polarity: denied === undefined ? -1 : 1,
  from: denied?.from ?? at,
  to: Math.min(at + 1, last),
  compares: false
})

/** The cues of one clause in order, with negation applied. */
export const cuesIn = (clause: ReadonlyArray<Word>): ReadonlyArray<ResolvedCue> => {
  // No phrase reaches across a name.
  const words = clause.map(({ kind, word }) => (kind === "word" || kind === "mark" ? word : ""))
  const found: Array<ResolvedCue> = []
  let negator: Negator | undefined
  let supposedUntil = -1
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ""
    negator = negatorInForce(negator, words, at)
    if (word === "and") negator = negatorAfterAnd(negator, words, found.at(-1))
    if (word === "") continue
    supposedUntil = Math.max(supposedUntil, at + hypotheticalFor(words, at))
    const isScarce = isScarceAt(words, at)
    // A predicate such as "exaggerated" reverses the cues before it and is no cue itself.
    if (isScarce && negator === undefined && reverseLast(found, words, at)) continue
    const made = negator === undefined ? madeAt(words, at) : undefined
    if (made !== undefined) {
      if (made.polarity !== 0) found.push({ polarity: made.polarity, from: at, to: made.at, compares: false })
      at = made.polarity === 0 ? made.at - 1 : made.at
      continue
    }
    const last = found.at(-1)
    if (negator === undefined && isTakenBack(words, at, last?.polarity === -1 ? last.to : undefined)) {
      if (last?.polarity === -1) found.pop()
      found.push({ polarity: 1, from: last?.polarity === -1 ? last.from : at, to: at, compares: false })
      continue
    }
    if (negator?.kind === "flips" && negator.from === at - 1 && choices.has(word) && isBrandFrom(clause, at + 1)) {
      found.push({ polarity: -1, from: negator.from, to: at, compares: false })
      continue
    }
    const cue = cueAt(words, at)
    // A predicate such as "is low and" does not negate what follows it.
    const negates = !isScarce && (cue === undefined || cue.words === 1) ? negatorAt(words, at) : undefined
    if (negates !== undefined) {
      if (negates.kind === "deprives") found.push(deprivation(at, words.length - 1, negator))
      negator = negatorAfter(negator, negates, words)
      continue
    }
    const plain = foundAt(clause, words, at, cue)
    // "Fixes bugs slowly": the adverb describes the verb, so the negator does not apply to it.
    const isManner =
      (negator?.kind === "eases" || negator?.kind === "meets") && word.endsWith("ly") && !adjectives.has(word)
    const meant = plain === undefined || negator === undefined || isManner ? plain : negated(plain, negator)
    // A quality that the thing may or should have is no praise.
    const isSupposed = meant?.polarity === 1 && meant.from === at && at <= supposedUntil
    if (meant !== undefined && !isSupposed) found.push(meant)
    if (cue !== undefined && meant?.to !== at) at += cue.words - 1
    if (plain !== undefined && !plain.compares && plain.to > at) at = plain.to
  }
  return found
}
