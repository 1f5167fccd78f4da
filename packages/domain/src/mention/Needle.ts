import { fold } from "@sightline/domain/text/Fold"
import { registeredName } from "./Host.ts"
import { withoutLegalForm } from "./LegalForm.ts"
import { isLetter, isUnspaced } from "@sightline/domain/text/Letters"
import { brandKey } from "./Naming.ts"
import { type Piece, piecesOf } from "@sightline/domain/text/Pieces"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord, lettersOf } from "@sightline/domain/text/Vocabulary"

/**
 * A brand prepared for a search.
 *
 * Shape: `forms` are spellings to find literally. Those in `proper` count only where they are written as names, those in `alone` only where
 * they are no part of a longer name either. `letters` is the brand without gaps; `words` counts its words.
 * Laws: `pieces` is empty or three disjoint parts of `letters`; it is empty where fuzzy matching does not apply.
 */
export interface Needle {
  readonly forms: ReadonlyArray<string>
  /** A word that every form contains, or the empty string: a text without it contains none of the forms. */
  readonly anchor: string
  readonly proper: ReadonlySet<string>
  readonly alone: ReadonlySet<string>
  readonly letters: string
  readonly words: number
  /** Offsets in `letters` where the brand itself shows a seam: a gap, a capital, a digit. */
  readonly seams: ReadonlySet<number>
  readonly pieces: ReadonlyArray<Piece>
  /** Its names as an item of a list: the whole name, with and without its legal form, and the key of the brand in it. */
  readonly called: { readonly names: ReadonlyArray<string>; readonly key: string }
}

// C4 of the decisions: fuzzy matching needs five letters.
const fuzzyLetters = 5

interface Words {
  readonly words: ReadonlyArray<string>
  readonly gaps: ReadonlyArray<string>
  /** `+` or `#` at the end of the brand, which makes it a different one: Disney+, C#. */
  readonly sign: string
}

const split = (folded: string): Words => {
  const words: Array<string> = []
  const gaps: Array<string> = []
  let at = 0
  while (at < folded.length) {
    const from = at
    const inWord = isLetter(folded.charCodeAt(at))
    while (at < folded.length && isLetter(folded.charCodeAt(at)) === inWord) at++
    if (inWord) words.push(folded.slice(from, at))
    else if (words.length > 0) gaps.push(folded.slice(from, at))
  }
  const tail = gaps.length === words.length ? (gaps.pop() ?? "") : ""
  return { words, gaps, sign: /^[+#]+/.exec(tail)?.[0] ?? "" }
}

const spellGap = (gap: string, spacing: string, ampersand: string, apostrophe: string): string => {
  if (/[&+]/.test(gap)) return ampersand !== "and" && spacing === "-" ? ampersand : spacing + ampersand + spacing
  return /^['’]$/.test(gap) ? apostrophe : spacing
}

/** The spellings people use for the same name: spaced, hyphenated, joined, `&` or "and", either apostrophe. */
const spellings = (folded: string, { words, gaps, sign }: Words): ReadonlyArray<string> => {
  if (words.length === 0) return folded === "" ? [] : [folded]
  const forms = new Set<string>()
  const first = folded.indexOf(words[0] ?? "")
  // Characters beyond the basic plane, such as emoji, count as letters, as they do where UTF-16 units are read.
  const core = folded.slice(first).replace(/[^+#\p{L}\p{Nd}\p{M}\u{10000}-\u{10FFFF}]+$/u, "")
  forms.add(core)
  if (gaps.length === 0 && sign === "") return [...forms]
  const isLong = core.length > fuzzyLetters
  const ampersands = gaps.some((gap) => /[&+]/.test(gap)) ? ["&", "and", ...(isLong ? ["+"] : [])] : ["&"]
  const spacings = isLong ? [" ", "-", ""] : [" ", "-", "", "."]
  const apostrophes = gaps.some((gap) => /^['’]$/.test(gap)) ? ["'", "’", ""] : [""]
  const signs = sign === "+" ? ["+", " plus", "plus"] : [sign]
  for (const spacing of spacings)
    for (const ampersand of ampersands)
      for (const apostrophe of apostrophes)
        for (const closing of signs) {
          const spelled = words.map((word, index) =>
            index < gaps.length ? word + spellGap(gaps[index] ?? "", spacing, ampersand, apostrophe) : word
          )
          forms.add(spelled.join("") + closing)
        }
  return [...forms]
}

/** Other names of the same brand: & for "and", + for "plus", ü as ue; Ben & Jerry's for Ben & Jerrys. */
const otherwise = (core: string, folded: string): ReadonlyArray<string> => {
  const german = core.normalize("NFC").replace(/[äöü]/giu, (vowel) => `${fold(vowel).text}e`)
  const joint = folded.replaceAll(" and ", " & ")
  const owned = joint.replace(/^(\S+ ?& ?\S*\p{L})s$/u, "$1's")
  return [
    joint,
    joint.replaceAll(" & ", "&"),
    owned,
    folded.replace(/ plus$/, "+"),
    /^\p{L}{4,}Plus$/u.test(core) ? folded.replace(/plus$/, "+") : folded,
    fold(german).text.trim()
  ]
}

/** Initials with dots, without the last one: A.P.C for APC, E.ON for EON. Two letters are left out, because they are mostly words: a.m. */
const dotted = (folded: string): ReadonlyArray<string> =>
  /^[a-z]{3,4}$/.test(folded) ? [Array.from(folded).join("."), folded.replace(/^./, "$&.")] : []

/** Initials with a number, too short for fuzzy matching: WD-40 for WD40, 7-Up for 7UP. */
const numbered = (folded: string): ReadonlyArray<string> => {
  if (folded.length >= fuzzyLetters) return []
  const [, letters, number] = /^([a-z]{2,3})(\d{1,2})$/.exec(folded) ?? []
  if (letters !== undefined) return [`${letters}-${number}`, `${letters} ${number}`]
  return /^\d{1,2}[a-z]{2,3}$/.test(folded) ? [folded.replace(/\d+/, "$&-")] : []
}

/** A short, well-known name with the apostrophe of a possessive: Lay's for Lays, but not it's for Its. */
const withApostrophe = (folded: string): ReadonlyArray<string> =>
  /^[a-z]{2,3}s$/.test(folded) && isKnownBrand(folded) ? ["'", "’"].map((sign) => folded.replace(/s$/, `${sign}s`)) : []

/** A possessive name without its apostrophe, or without its "s" as well: Lays for Lay's; Kellogg for Kellogg's, unless that is a word. */
const unowned = (folded: string): ReadonlyArray<string> => {
  const owner = /^([a-z]{3,})['’]s$/.exec(folded)?.[1]
  if (owner === undefined) return []
  const isOwner = owner.length > 3 && (isKnownBrand(owner) || !isDictionaryWord(owner))
  return [...(isOrdinaryWord(`${owner}s`) ? [`${owner}s`] : []), ...(isOwner ? [owner] : [])]
}

/**
 * The name in prose of a brand that is given as a domain: Zillow for zillow.com. A dictionary word counts only if it is a well-known brand:
 * Amazon.
 */
const ofDomain = (folded: string): ReadonlyArray<string> => {
  const name = registeredName(folded)
  if (name === undefined || name.length < 3) return []
  return isKnownBrand(lettersOf(name)) || !isDictionaryWord(name) ? [name] : []
}

/** A name of two to four words without its article: Home Depot for The Home Depot. */
const withoutArticle = (folded: string): ReadonlyArray<string> => {
  const rest = /^the (\S+(?: \S+){1,3})$/.exec(folded)?.[1]
  return rest === undefined ? [] : [rest]
}

/** The host of a brand that is given as an address; anything else unchanged. */
const withoutScheme = (brand: string): string =>
  /^(?:https?:\/\/(?:www\.)?|www\.)([^\s/]+)\/?$/i.exec(brand.trim())?.[1] ?? brand

/** The seams of a name as its owner writes it: HubSpot and Web3 may be split there. */
const seamsOf = (core: string): ReadonlySet<number> => {
  const seams = new Set<number>()
  let count = 0
  let before = ""
  for (const character of core) {
    const letters = lettersOf(fold(character).text).length
    const gapped = letters > 0 && count > 0 && lettersOf(fold(before).text).length === 0
    const camel = /\p{Ll}/u.test(before) && /\p{Lu}/u.test(character)
    const digits = /\p{Nd}/u.test(before) !== /\p{Nd}/u.test(character) && before !== ""
    if (letters > 0 && count > 0 && (gapped || camel || digits)) seams.add(count)
    count += letters
    before = character
  }
  return seams
}

const anchorOf = (words: ReadonlyArray<string>, forms: ReadonlyArray<string>): string => {
  const shared = words.filter((word) => forms.every((form) => form.includes(word)))
  return shared.reduce((longest, word) => (word.length > longest.length ? word : longest), "")
}

const compile = (brand: string): Needle => {
  const core = withoutLegalForm(withoutScheme(brand))
  const folded = fold(core).text.trim()
  const words = split(folded)
  const letters = words.words.join("")
  const ends = new Set<number>()
  let end = 0
  for (const word of words.words) ends.add((end += word.length))
  const spaced = !Array.from(letters).some((character) => isUnspaced(character.charCodeAt(0)))
  const fuzzy = spaced && words.sign === "" && Array.from(letters).length >= fuzzyLetters
  const spelled = [...new Set([folded, ...otherwise(core, folded)])].flatMap((name) => spellings(name, split(name)))
  const short = withoutArticle(folded)
  const domain = ofDomain(folded)
  const alone = unowned(folded)
  const proper = [...alone, ...short.flatMap((name) => spellings(name, split(name))), ...domain.filter(isOrdinaryWord)]
  const forms = [
    ...new Set([...spelled, ...dotted(folded), ...numbered(folded), ...withApostrophe(folded), ...domain, ...proper])
  ]
  return {
    forms,
    anchor: anchorOf(words.words, forms),
    proper: new Set(proper),
    alone: new Set(alone),
    letters,
    words: words.words.length,
    seams: seamsOf(core),
    pieces: fuzzy ? piecesOf(letters, ends) : [],
    called: { names: [fold(brand).text.trim(), folded, ...domain, ...short], key: brandKey(core) }
  }
}

const compiled = new Map<string, Needle>()
const remembered = 64

/** The needle of a brand. It is cached, because a brand is looked for in several answers at once. */
export const needleOf = (brand: string): Needle => {
  const known = compiled.get(brand)
  if (known !== undefined) return known
  const needle = compile(brand)
  if (compiled.size >= remembered) compiled.clear()
  compiled.set(brand, needle)
  return needle
}
