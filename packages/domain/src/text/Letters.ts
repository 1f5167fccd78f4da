const unknown = 0
const gap = 1
const letter = 2
const latin = 3
const foreign = 4
const unspaced = 5

const kinds = new Uint8Array(0x10000)

const isLetterOfAnyScript = /[\p{L}\p{Nd}\p{M}]/u
const isShared = /[\p{Nd}\p{M}]/u
const isLatin = /\p{Script=Latin}/u

// Han, kana, Thai, Lao, Tibetan, Burmese and Khmer are written without spaces; so are emoji and rare ideographs,
// which come as surrogates.
const isOfUnspacedScript =
  /[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3041-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u9fff\ud800-\udfff\uf900-\ufaff]/

/** Whether a UTF-16 unit is a diacritic that folding removes; vowel signs that carry a reading are not. */
export const isAccent = (unit: number): boolean =>
  (unit >= 0x0300 && unit <= 0x036f) ||
  (unit >= 0x0483 && unit <= 0x0489) ||
  (unit >= 0x0591 && unit <= 0x05c7 && unit !== 0x05be && unit !== 0x05c0 && unit !== 0x05c3 && unit !== 0x05c6) ||
  (unit >= 0x0610 && unit <= 0x061a) ||
  (unit >= 0x064b && unit <= 0x065f) ||
  unit === 0x0670 ||
  (unit >= 0x06d6 && unit <= 0x06ed && unit !== 0x06dd && unit !== 0x06de && unit !== 0x06e9) ||
  (unit >= 0x1ab0 && unit <= 0x1aff) ||
  (unit >= 0x1dc0 && unit <= 0x1dff) ||
  (unit >= 0x20d0 && unit <= 0x20ff) ||
  (unit >= 0xfe00 && unit <= 0xfe0f) ||
  (unit >= 0xfe20 && unit <= 0xfe2f)

const kindOfCharacter = (character: string, unit: number): number => {
  if (isOfUnspacedScript.test(character)) return unspaced
  if (!isLetterOfAnyScript.test(character) || isAccent(unit)) return gap
  return isShared.test(character) ? letter : isLatin.test(character) ? latin : foreign
}

const classify = (unit: number): number => {
  const kind = kindOfCharacter(String.fromCharCode(unit), unit)
  kinds[unit] = kind
  return kind
}

const kindOf = (unit: number): number => {
  const kind = kinds[unit] ?? gap
  return kind === unknown ? classify(unit) : kind
}

/** Whether a UTF-16 unit is part of a word: a letter or digit of any script. */
export const isLetter = (unit: number): boolean => kindOf(unit) >= letter

/** Whether a UTF-16 unit is an ASCII letter or digit. */
export const isAsciiWord = (unit: number): boolean => unit < 128 && isLetter(unit)

/** Whether a UTF-16 unit belongs to a script without spaces between words. */
export const isUnspaced = (unit: number): boolean => kindOf(unit) === unspaced

/** The UTF-16 units of some characters: a set is faster to test than a string. */
export const unitsOf = (characters: string): ReadonlySet<number> =>
  new Set(Array.from(characters, (character) => character.charCodeAt(0)))

/** The end of the stretch at `at` that a sticky pattern matches; the stretch may be empty. */
export const endOfStretch = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  pattern.test(text)
  return pattern.lastIndex
}

/** Whether a UTF-16 unit is an ASCII digit. */
export const isDigit = (unit: number): boolean => unit >= 48 && unit <= 57

/**
 * Whether a word may begin or end at `at`. A script without spaces has no boundaries to respect. Letters of another script that are
 * attached to a Latin name are no part of it: LG는, وSamsung.
 */
export const isBoundary = (text: string, at: number): boolean => {
  if (at <= 0 || at >= text.length) return true
  const before = kindOf(text.charCodeAt(at - 1))
  const after = kindOf(text.charCodeAt(at))
  if (before === after) return before === gap || before === unspaced
  if (before === letter) return after === gap || after === unspaced
  return after !== letter || before === gap || before === unspaced
}

// 로보락은, 로보락인데.
const koreanParticle =
  /(?<=[가-힣])(?:은|는|이|가|을|를|의|도|만|와|과|로|으로|에|에서|에는|인데|이고|이며|입니다|이었습니다|였습니다|처럼|보다|부터|까지|이나|나)(?![가-힣])/uy
const firstHangul = 0xac00

/** Whether a name may end at `at`: a Korean one does before a particle as well as before the end of a word. */
export const mayEndName = (text: string, at: number): boolean => {
  if (isBoundary(text, at)) return true
  koreanParticle.lastIndex = at
  return text.charCodeAt(at) >= firstHangul && koreanParticle.test(text)
}

/** The maximal run of letters around `[start, end)`, looked for no further than `reach` units either side. */
export const runAround = (text: string, start: number, end: number, reach: number): string => {
  let from = start
  let to = end
  while (from > 0 && start - from < reach && isLetter(text.charCodeAt(from - 1))) from--
  while (to < text.length && to - end < reach && isLetter(text.charCodeAt(to))) to++
  return text.slice(from, to)
}

/** The Chinese numerals, one to ten. */
export const hanNumerals = "一二三四五六七八九十"
