import type { Folded } from "@sightline/domain/text/Fold"
import { nearest, type Window } from "./Fuzzy.ts"
import { hostPart } from "./Host.ts"
import { countsAsSubstring, isAmount, isBriefOtherwise } from "./Substring.ts"
import { isBoundary } from "@sightline/domain/text/Letters"
import { Judge } from "./Judge.ts"
import { isMisspelling, isPossessive, isRespelling, wordsOf } from "./SpellingVariant.ts"
import { isNamedAlone, isWrittenAsName } from "./Names.ts"
import type { Needle } from "./Needle.ts"
import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

/** How surely a hit is the brand, best first: whole word, its domain, inside another word, misspelt. */
export type Tier = "word" | "domain" | "substring" | "fuzzy"

/** One counted hit. Units: offsets in the folded text. */
export interface Mention {
  readonly tier: Tier
  readonly start: number
  readonly end: number
}

// A brand of several words has so many spellings that checking a few anchors is faster than a search for each.
const mostAnchors = 4

/** The first places of the anchor, which all spellings of a brand share. They are searched on demand. */
class Anchors {
  private readonly text: string
  private readonly anchor: string
  private readonly places: Array<number> = []

  constructor(text: string, anchor: string) {
    this.text = text
    this.anchor = anchor
  }

  /** The place of the `nth` anchor, counted from 0; -1 where there are fewer. */
  at(nth: number): number {
    while (this.places.length <= nth) {
      const last = this.places.at(-1)
      if (last === -1) return -1
      this.places.push(this.text.indexOf(this.anchor, last === undefined ? 0 : last + 1))
    }
    return this.places[nth] ?? -1
  }
}

/** A search for the spellings of a brand. It keeps the first hit of each kind. `hypothetical` counts unless another hit denies it. */
interface Search {
  readonly folded: Folded
  readonly original: string
  readonly needle: Needle
  readonly judge: Judge
  readonly anchors: Anchors
  strong: Mention | undefined
  inside: Mention | undefined
  hypothetical: Mention | undefined
}

/** The first place of a spelling from `from` on; -1 where there is none, or none before the best hit so far. */
const placeOf = (form: string, from: number, { anchors, folded, needle, strong }: Search): number => {
  const { text } = folded
  const before = form.indexOf(needle.anchor)
  const end = strong?.start ?? text.length
  let place = -1
  for (let nth = 0; nth < mostAnchors && place < end; nth++) {
    const anchor = anchors.at(nth)
    if (anchor < 0) return -1
    place = anchor - before
    if (place >= from && text.startsWith(form, place)) return place
  }
  if (place + 1 >= end) return -1
  return text.slice(0, end + form.length - 1).indexOf(form, Math.max(from, place + 1))
}

/** Goes through the literal hits of one spelling. */
const searchForm = (search: Search, form: string): void => {
  const { anchors, folded, judge, needle, original } = search
  const { text } = folded
  const written = (at: number): string => original.charAt(folded.origin(at))
  const proper = needle.proper.has(form)
  const ordinary = proper && isOrdinaryWord(form)
  const alone = needle.alone.has(form)
  // DARE stands for D.A.R.E., and EON for E.ON.
  const isAcronym = (at: number): boolean =>
    (needle.words === form.length || form.length < 4) &&
    /^\p{Lu}+$/u.test(original.slice(folded.origin(at), folded.origin(at + form.length)))
  // A word in lower case is skipped at once, because a text may be full of them.
  const isSmall = (hit: number): boolean => proper && hit >= 0 && !/\p{Lu}/u.test(written(hit))
  const nextHit = (from: number): number => {
    let hit = placeOf(form, from, search)
    while (isSmall(hit)) hit = placeOf(form, hit + 1, search)
    return hit
  }
  let at = nextHit(0)
  while (at >= 0 && (search.strong === undefined || at < search.strong.start)) {
    const start = at
    const end = at + form.length
    let next = start + 1
    const whole = isBoundary(text, start) && isBoundary(text, end)
    const joined =
      whole && !proper && needle.words > 1 && form === needle.letters && isOrdinaryWord(form) && !isAcronym(at)
    const brief = whole && (isBriefOtherwise(text, start, end) || isAmount(text, start, end))
    const host = whole && !brief ? hostPart(text, start, end, written) : undefined
    const tier: Tier = !whole || host?.part === "part" ? "substring" : host?.part === "name" ? "domain" : "word"
    const wanted =
      host?.part !== "address" &&
      !joined &&
      (!alone || (whole && isNamedAlone(original, folded.origin(start), folded.origin(end)))) &&
      (!ordinary || (whole && isWrittenAsName(original, folded.origin(start), folded.origin(end)))) &&
      (tier === "substring"
        ? (search.inside === undefined || start < search.inside.start) &&
          countsAsSubstring(text, needle, start, end, written)
        : !brief)
    if (host?.part === "address") next = host.until
    if (wanted) {
      const verdict = judge.judge(start, end, anchors.at(1) < 0)
      next = verdict.next
      const hit: Mention = { tier, start, end }
      if (verdict.kind !== "none" && tier === "substring") {
        if (verdict.kind === "says" || !judge.denied) search.inside = hit
      } else if (verdict.kind === "says") search.strong = hit
      else if (verdict.kind === "hypothetical" && start < (search.hypothetical?.start ?? end)) search.hypothetical = hit
    }
    at = nextHit(Math.max(next, start + 1))
  }
}

/**
 * The mention of a brand in an answer: the first of the best kind, or undefined.
 * `others` are the letters of brands the answer is known to name.
 */
export const mentionIn = (
  folded: Folded,
  original: string,
  needle: Needle,
  others: ReadonlySet<string>
): Mention | undefined => {
  const judge = new Judge(folded.text)
  const anchors = new Anchors(folded.text, needle.anchor)
  if (anchors.at(0) >= 0) {
    const search: Search = {
      folded,
      original,
      needle,
      judge,
      anchors,
      strong: undefined,
      inside: undefined,
      hypothetical: undefined
    }
    for (const form of needle.forms) searchForm(search, form)
    const { inside, strong, hypothetical } = search
    if (hypothetical !== undefined && !judge.denied && (strong === undefined || hypothetical.start <= strong.start))
      return hypothetical
    if (strong !== undefined || inside !== undefined) return strong ?? inside
  }
  // A similar name in an answer that denies the brand is another brand.
  const isDenied = judge.denied
  const writtenIn = (start: number, end: number): string => original.slice(folded.origin(start), folded.origin(end))
  const charAt = (at: number): string => original.charAt(folded.origin(at))
  let owned = false
  const accept = ({ start, end, edits }: Window): boolean => {
    if (edits > 0 && isDenied) return false
    const found = folded.text.slice(start, end)
    // A window that contains a spelling of the brand has been judged already.
    if (edits > 0 && needle.forms.some((form) => found.includes(form))) return false
    const written = writtenIn(start, end)
    const isOwn = edits > 0 && isPossessive(written, needle)
    const fits =
      edits === 0
        ? isRespelling(written, needle)
        : !/[\n!]/.test(written) && (isOwn || isMisspelling(wordsOf(found), written, needle, others))
    if (!fits || isAmount(folded.text, start, end)) return false
    if (hostPart(folded.text, start, end, charAt)?.part === "address") return false
    if (judge.judge(start, end, !isDenied).kind !== "says") return false
    if (edits > 0) owned = isOwn
    return true
  }
  const { respelt, edited } = nearest(folded.text, needle, accept)
  if (respelt !== undefined) return { tier: "word", start: respelt.start, end: respelt.end }
  if (edited === undefined) return undefined
  return { tier: owned ? "word" : "fuzzy", start: edited.start, end: edited.end }
}

/** The places of the brand as a whole word, in the spelling of its first mention and from there on; at most `most`. */
export const occurrences = (text: string, first: Mention, most: number): ReadonlyArray<Mention> => {
  const found: Array<Mention> = [first]
  const form = text.slice(first.start, first.end)
  for (
    let at = text.indexOf(form, first.end);
    at >= 0 && found.length < most;
    at = text.indexOf(form, at + form.length)
  ) {
    if (isBoundary(text, at) && isBoundary(text, at + form.length)) {
      found.push({ tier: "word", start: at, end: at + form.length })
    }
  }
  return found
}
