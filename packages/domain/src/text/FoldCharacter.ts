import { isAccent } from "./Letters.ts"

// The second halves of vowels, and dots, of the scripts of India, Sri Lanka and Burma.
const laterHalves = new Set(
  "\u093c\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dca\u0dcf\u0ddf\u102e"
)

/** Whether a unit joins the character before it: a voicing mark of kana, a later part of a Hangul syllable, half a vowel. */
export const joinsBefore = (unit: number): boolean =>
  unit === 0x3099 ||
  unit === 0x309a ||
  isNarrowVoicing(unit) ||
  (unit >= 0x1160 && unit <= 0x11ff) ||
  laterHalves.has(String.fromCharCode(unit))
const isNarrowVoicing = (unit: number): boolean => unit === 0xff9e || unit === 0xff9f

/** The voicing mark that a half-width one stands for. */
export const full = (unit: number): number => (isNarrowVoicing(unit) ? unit - 0xff9e + 0x3099 : unit)

// Letters that Unicode does not decompose, though a reader without the keyboard for them types the plain ones.
const plainSpellings: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  đ: "d",
  ð: "d",
  ł: "l",
  ħ: "h",
  ı: "i",
  æ: "ae",
  œ: "oe",
  þ: "th",
  ς: "σ",
  "\u05be": "-",
  "\u2010": "-",
  "\u2212": "-"
}

// Some single characters stand for whole phrases; nobody writes a brand with them.
const longestExpansion = 4

/** A character without case, accents and width; NFC. */
export const foldCharacter = (character: string): string => {
  let folded = ""
  for (const part of character.normalize("NFKD").toLowerCase().normalize("NFKD")) {
    if (!isAccent(part.charCodeAt(0))) folded += plainSpellings[part] ?? part
  }
  const whole = folded.normalize("NFC")
  return whole.length > longestExpansion ? character : whole
}

const charactersRemembered = 4096

const charactersFolded = new Map<string, string>()

/** Folds a character outside the basic plane; the results are cached. */
export const foldRare = (character: string): string => {
  let folded = charactersFolded.get(character)
  if (folded === undefined) {
    folded = foldCharacter(character)
    if (charactersFolded.size >= charactersRemembered) charactersFolded.clear()
    charactersFolded.set(character, folded)
  }
  return folded
}

/** The one unit that is composed of two, or 0. Hangul is computed as in The Unicode Standard, section 3.12. */
export const composed = (before: number, unit: number): number => {
  if (unit >= 0x1161 && unit <= 0x1175 && before >= 0x1100 && before <= 0x1112) {
    return 0xac00 + ((before - 0x1100) * 21 + unit - 0x1161) * 28
  }
  if (unit >= 0x11a8 && unit <= 0x11c2) {
    return before >= 0xac00 && before <= 0xd7a3 && (before - 0xac00) % 28 === 0 ? before + unit - 0x11a7 : 0
  }
  const joined = String.fromCharCode(before, unit).normalize("NFC")
  return joined.length === 1 ? joined.charCodeAt(0) : 0
}
