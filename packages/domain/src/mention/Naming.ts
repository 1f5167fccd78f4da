import { fold } from "@sightline/domain/text/Fold"
import { isBoundary, isLetter, mayEndName } from "@sightline/domain/text/Letters"
import { isDictionaryWord, isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

const labels = new Set(
  (
    "pros cons price prices pricing cost costs features feature overview summary verdict conclusion tip tips note notes caution " +
    "warning best budget overall value design performance display battery camera storage memory processor weight size comfort " +
    "durability quality support integration integrations security usability specs specifications highlights why who what how " +
    "where when key considerations drawbacks strengths weaknesses advantages disadvantages limitations benefits ideal rating " +
    "ratings reviews warranty material materials availability alternatives recommendation recommendations introduction final " +
    "other others also most top example examples step steps source sources website location hours address phone use uses " +
    "downsides downside upside strength weakness sound fit style type types category options option criteria tool brand brands " +
    "name company product products rank provider model models premium luxury beginners professionals important however first " +
    "second third fourth fifth lastly finally additionally yes no affordability flavor texture ingredients free paid winner " +
    "runner choice pick favorite favourite gold silver bronze score scores q a tldr " +
    "fazit vorteile nachteile preis preise tipp hinweis empfehlung zusammenfassung " +
    "avantages inconvénients prix conseil résumé ventajas desventajas precio precios conclusión consejo resumen " +
    "vantagens desvantagens preço preços conclusão dica resumo vantaggi svantaggi prezzo prezzi conclusione consiglio " +
    "voordelen nadelen prijs prijzen conclusie zalety wady cena ceny podsumowanie avantajlar dezavantajlar fiyat sonuç"
  )
    .split(" ")
    .map((label) => fold(label).text)
)

/** Whether a phrase ends in a label such as "rank" ("FT rank 2026") rather than in a name. */
export const isMeasure = (phrase: string): boolean =>
  labels.has(wordsOf(phrase).findLast((word) => !/^\d{4}$/.test(word)) ?? "")

const award =
  /\b(?:best|top|picks?|overall|runner|winner|choice|favou?rite|budget|value|premium|upgrade|alternative|mention)|^(?:gold|silver|bronze|first|second|third|fourth|fifth|option \w{1,2})$/i

/** Whether a phrase is a distinction ("Best overall") rather than the name of its holder. */
export const isAward = (phrase: string): boolean => award.test(phrase)

/** Whether a phrase says for whom or for what something is ("For small teams"). */
export const isPurpose = (phrase: string): boolean => /^(?:for|if)\s/i.test(phrase)

// With an object after the verb, so that a name of one such word does not match.
const step =
  /^(?:open|download|install|visit|go to|click|tap|select|choose|create|add|set up|sign (?:up|in)|log in|enter|connect|import|export|enable|navigate|save|register|confirm|scroll) /i

// "Unlock the domain": a phrase that continues in lower case after an article is no name.
const told = /^\p{Lu}\p{Ll}+ (?:an?|the|your|its|their) \p{Ll}/u

/** Whether a phrase is an instruction ("Open settings") rather than a name. */
export const isStep = (phrase: string): boolean => phrase.includes(" ") && (step.test(phrase) || told.test(phrase))

const labelNonEnglish = new RegExp(
  "^(?:(?:für|am besten|falls|wenn|para|si|pour|per|se|voor|als|för|dla|для)\\s|" +
    "(?:(?:der|die|das|el|la|los|las|le|les|il|lo|i|o|a|os|as|de|het) )?" +
    "(?:best(?:e[rsn]?|a)|mejor(?:es)?|meilleure?s?|miglior[ei]?|melhor(?:es)?|najleps\\p{L}+|лучш\\p{L}+)(?!\\p{L}))",
  "iu"
)

/** Whether a phrase begins like an award or a purpose in another language. Its words would otherwise be taken for a name. */
export const isLabelNonEnglish = (phrase: string): boolean => labelNonEnglish.test(phrase)

// Names are short, so this loop is faster than the call of a regular expression.
const isAscii = (phrase: string): boolean => {
  for (let at = 0; at < phrase.length; at++) if (phrase.charCodeAt(at) > 0x7f) return false
  return true
}

const asciiWords = (folded: string): ReadonlyArray<string> => {
  const words: Array<string> = []
  let from = -1
  for (let at = 0; at < folded.length; at++) {
    if (isLetter(folded.charCodeAt(at))) {
      if (from < 0) from = at
    } else if (from >= 0) {
      words.push(folded.slice(from, at))
      from = -1
    }
  }
  if (from >= 0) words.push(folded.slice(from))
  return words
}

/** The words of a phrase, folded. */
export const wordsOf = (phrase: string): ReadonlyArray<string> =>
  isAscii(phrase) ? asciiWords(phrase.toLowerCase()) : (fold(phrase).text.match(/[\p{L}\p{M}\p{Nd}]+/gu) ?? [])

const isTelling = (word: string): boolean => !isOrdinaryWord(word) && !labels.has(word) && !/^\d|^\w$/.test(word)

const longestName = 12

const initials = /^\p{Lu}{1,2}\s?&\s?\p{Lu}{1,2}(?![\p{L}\p{M}])/u
const notInitials = /^(?:Q\s?&\s?A|R\s?&\s?D|M\s?&\s?A|B\s?&\s?B|T\s?&\s?C|P\s?&\s?L)/u

// "Best Chromebook", "For Kubernetes", "Where to stay in Lisbon".
const labelOpenings = new Set("best top for if how what when where why".split(" "))

const sentenceLike = /^\p{Lu}\p{Ll}+(?:[\s-]\p{Ll}+)+$/u

// "Sky-Watcher Heritage 150P": ordinary words that end in the number of a model.
const model = /^(?:\p{Lu}[\p{L}-]+ ){2,4}\d{2,}\p{Lu}{1,2}$/u

// A word in lower case continues a sentence: "Old Spice for men".
const product = /[\s-]+[\p{Lu}\p{Nd}]/uy

/** Whether a phrase is a well-known brand of several words, followed by a product: "Oral-B Pro 1000". */
const opensWithBrand = (phrase: string, words: ReadonlyArray<string>): boolean => {
  const count = brandWords(words)
  if (count < 2 || !isKnownBrand(brandLetters(words))) return false
  product.lastIndex = wordsAt(phrase, count)[1]
  return product.test(phrase)
}

/** Nouns for a replacement, in the singular: part of a regular expression. */
export const substitute = "(?:alternative|replacement|substitute|competitor)"

const replacement = new RegExp(`^(?:\\p{L}{1,12}\\s){0,2}${substitute}s? (?:to|for)\\s|\\s${substitute}s$`, "iu")

// Most names are shorter than this, which saves the regular expression.
const shortestReplacement = " competitors".length

/** Whether a phrase is about replacing something ("Acme alternatives", "Good alternatives to Acme"). */
export const isReplacement = (phrase: string): boolean =>
  phrase.length >= shortestReplacement && replacement.test(phrase)

/** Whether a phrase names something, unlike a heading in ordinary words. */
export const isNameLike = (phrase: string): boolean => {
  if (phrase.endsWith("?") || isReplacement(phrase)) return false
  // Most heads begin with the name itself, so their first word decides.
  const opening = /^\p{Lu}\p{L}{2,}/u.exec(phrase)?.[0].toLowerCase()
  if (opening !== undefined && phrase.length <= 40 && (!isOrdinaryWord(opening) || isKnownBrand(opening)))
    return phrase.length > opening.length || !labels.has(opening)
  const words = wordsOf(phrase)
  if (words.length === 0 || words.length > longestName) return false
  const letters = words.join("")
  if (isKnownBrand(letters)) return true
  // "TL;DR".
  if (labels.has(letters)) return false
  if (phrase.includes("&") && initials.test(phrase) && !notInitials.test(phrase)) return true
  if (words.length > 1 && labelOpenings.has(words[0] ?? "") && !hasKnownBrand(phrase)) return false
  // "Key takeaway": an ordinary word with lower-case words after it begins no name.
  if (words.length > 1 && (sentenceLike.test(phrase) || told.test(phrase)) && isOrdinaryWord(words[0] ?? ""))
    return false
  // In scripts without capitals only the place of a phrase shows that it is a name.
  if (!/\p{Lu}|[^\p{Script=Latin}\P{L}]/u.test(phrase)) return false
  return words.length === 1 || words.some(isTelling) || model.test(phrase) || opensWithBrand(phrase, words)
}

/** Whether a phrase is a few capitalised words that may be a name even if they are ordinary. */
export const isTitle = (phrase: string): boolean => {
  const words = wordsOf(phrase)
  return (
    words.length > 0 &&
    words.length <= 5 &&
    !isAward(phrase) &&
    phrase.split(" ").every((word) => /^[\p{Lu}\d&]/u.test(word)) &&
    !words.some((word) => labels.has(word))
  )
}

/** Whether a bold phrase is one ordinary word, which is emphasis. */
export const isEmphasis = (phrase: string): boolean => {
  const words = wordsOf(phrase)
  const [only] = words
  return words.length === 1 && only !== undefined && isOrdinaryWord(only) && !isKnownBrand(only)
}

// "S65P", "C4".
const modelNumber = /^\p{L}{1,3}\d+\p{L}{0,2}$/u

/**
 * How many words at the start of a name are its brand: those of a well-known brand, an uncommon first word, the words before a model
 * number, or all.
 */
const brandWords = (words: ReadonlyArray<string>): number => {
  const [first = "", second = "", third = ""] = words
  if (words.length > 2 && isKnownBrand(first + second + third)) return 3
  if (words.length > 1 && isKnownBrand(first + second)) return 2
  if (isKnownBrand(first)) return 1
  if (first.length > 2 && !isDictionaryWord(first)) return 1
  const number = words.findIndex((word) => modelNumber.test(word))
  return number > 0 ? number : words.length
}

/** Where the first `count` words of an ASCII name begin and end. */
const plainWords = (name: string, count: number): readonly [from: number, to: number] => {
  let from = -1
  let words = 0
  for (let at = 0; at < name.length; at++) {
    if (!isLetter(name.charCodeAt(at))) continue
    if (from < 0) from = at
    while (at < name.length && isLetter(name.charCodeAt(at))) at++
    if (++words === count) return [from, at]
  }
  return [Math.max(0, from), name.length]
}

const wordsAt = (name: string, count: number): readonly [from: number, to: number] => {
  if (isAscii(name)) return plainWords(name, count)
  const written = Array.from(name.matchAll(/[\p{L}\p{M}\p{Nd}]+/gu))
  const last = written[count - 1] ?? written.at(-1)
  return last === undefined ? [0, name.length] : [written[0]?.index ?? 0, last.index + last[0].length]
}

// At the end of a name they make it a different one: Disney+, C++, C#.
const signs = /[+#]+(?![\p{L}\p{Nd}])/uy

/** The signs after a name whose letters end at `at`; often empty. */
const signAt = (name: string, at: number): string => {
  signs.lastIndex = at
  return signs.exec(name)?.[0] ?? ""
}

/** The letters of the brand in a name of these words. */
export const brandLetters = (words: ReadonlyArray<string>): string => words.slice(0, brandWords(words)).join("")

/** Whether the brand in a name is well known. */
export const hasKnownBrand = (name: string): boolean => isKnownBrand(brandLetters(wordsOf(name)))

/** Whether words begin with an article that is no part of a well-known name, as it is in The North Face. */
const isBehindArticle = (words: ReadonlyArray<string>): boolean =>
  words.length > 1 && words[0] === "the" && !isKnownBrand(brandLetters(words))

/**
 * The key of the brand in a name: its well-known first words, its uncommon first word, the words before a model number, or all of it, with
 * the signs at its end.
 * Laws: a name with such a sign differs from the name without it; `+` is "plus".
 */
export const brandKey = (name: string): string => {
  const words = wordsOf(name)
  const letters = brandLetters(isBehindArticle(words) ? words.slice(1) : words)
  if (!/[+#]/.test(name)) return letters
  const sign = signAt(name, wordsAt(name, brandWords(words))[1])
  return letters + (sign === "+" ? "plus" : sign)
}

/** The brand in a name as it is written there: the words and signs from which `brandKey` is made. */
export const brandNameIn = (name: string): string => {
  const [from, to] = wordsAt(name, brandWords(wordsOf(name)))
  return name.slice(from, to).trim() + signAt(name, to)
}

/** The places where a folded text contains a name as a whole, in order: "Disney+" does not contain Disney. */
export const namings = function* (text: string, name: string): Generator<number> {
  if (name === "") return
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (isBoundary(text, at) && mayEndName(text, at + name.length) && signAt(text, at + name.length) === "") yield at
}
