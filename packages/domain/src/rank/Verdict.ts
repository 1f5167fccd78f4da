import { type Head, headAt } from "./Head.ts"
import { hasKnownBrand, wordsOf } from "@sightline/domain/mention/Naming"
import { withoutArticle } from "@sightline/domain/mention/SubjectsEuropean"
import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Sentences that give each brand its place: "I'd put Acme first, Bolt second and Corex third."

const name =
  "(?:\\p{Ll}{0,2}\\p{Lu}|\\d)[\\p{L}\\p{M}\\p{Nd}'’+.-]*(?:\\s(?:(?:&|of|de|et)\\s)?[\\p{Lu}\\d][\\p{L}\\p{M}\\p{Nd}'’+.-]*){0,3}"

/** Ordinals of several languages, from the first on: parts of regular expressions. */
const ordinals: ReadonlyArray<string> = [
  "first|tête|primer[oa]?|primeir[oa]|erstens|premi[eè]re?|prim[oa]|第一",
  "second|segund[oa]|zweitens|deuxi[eè]me|second[oa]|第二",
  "third|tercer[oa]|terceir[oa]|drittens|troisi[eè]me|terz[oa]|第三",
  "fourth|cuart[oa]|quart[oa]|viertens|quatri[eè]me|第四",
  "fifth|quint[oa]|fünftens|cinqui[eè]me|第五",
  "sixth|sext[oa]|第六"
]
const ordinal = ordinals.join("|")
const places = ordinals.map((words) => new RegExp(`^(?:${words})$`, "iu"))
const placeOf = (word: string): number => places.findIndex((words) => words.test(word)) + 1

// "Acme comes first, Bolt second"; "a Bolt seria a segunda opção, e a Corex, a terceira"; "Bolt en deuxième position".
const behind = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{Nd}'’+.-])(${name})[*_]{0,2},?\\s(?:(?:comes|is|as|a|seria|sería|sarebbe|serait|am|an|en|in)\\s){0,2}(${ordinal})(?=[*_]{0,2}(?:[,.;]|\\s(?:and|e|y|et|und|opción|opção|position|place)(?!\\p{L})|$))`,
  "gu"
)
// "我的排序：小米第一，沁园第二。"
const behindHan = new RegExp(
  `(?<=(?:^|[，,、；:：是])\\s?)(${name}|[\\p{Script=Han}\\p{Nd}A-Z.]{2,10})\\s?(第[一二三四五六])(?=[，,、；。]|$)`,
  "gu"
)
// "Primero Acme por el precio, segundo Bolt", "第一小米,第二沁园".
const before = new RegExp(
  `(?<!\\p{L})((?i:${ordinal}))[,:，：是]?\\s?[*_]{0,2}(${name}|[\\p{Script=Han}\\p{Nd}A-Z.]{2,12})`,
  "gu"
)

const orders = "order|ranking|orden|ordem|ordine|ordre|classement|Reihenfolge|Rangfolge"
// "So my order for you would be Acme, Bolt, Corex", "a minha ordem seria esta: Acme, Bolt e, por fim, Corex".
const orderSaid = new RegExp(
  `(?<!\\p{L})(?:${orders})(?!\\p{L})[^.:;\\n]{0,50}(?:\\s(?:is|would be|sería|seria|sarebbe|serait|wäre)|:)\\s(?=[*_]{0,2}(?:\\p{Ll}{0,2}\\p{Lu}|\\d))`,
  "u"
)
const nextLink =
  /,?\s(?:and|then|y|e|et|und|dann|luego|puis|poi|depois)(?:,? (?:finally|lastly|por último|por fim|enfin|infine|zuletzt|then|dann),?)?\s|,\s(?:(?:and|then|finally|lastly|por último|por fim|dann) )?|\svor\s/u
const opensName = /^[*_]{0,2}(?:\p{Ll}{0,2}\p{Lu}|\d)/u
const longestLink = 40

// Longer than any sentence that orders brands.
const longestSentence = 1000

const fewest = 2
const fewestInOrder = 3

/** The numbered heads of a sentence, where there are two or more, none shares a number, and at most one place is missing; else none. */
const inStep = (heads: ReadonlyArray<Head>): ReadonlyArray<Head> => {
  const numbers = new Set(heads.map(({ number }) => number))
  // "Safety first, Comfort second."
  const areNames = heads.some(({ name }) => hasKnownBrand(name) || !wordsOf(name).every(isOrdinaryWord))
  const isWhole = areNames && numbers.size === heads.length && heads.length >= fewest
  return isWhole && Math.max(...heads.map(({ number }) => number ?? 0)) <= heads.length + 1 ? heads : []
}

/** The head of the name `written` at `at` in a sentence that begins at `from`; none where it is no name or has no place. */
const headOf = (sentence: string, from: number, written: string, at: number, number: number): ReadonlyArray<Head> => {
  const to = at + written.length
  // Within a sentence, a capitalised article belongs to the name: "O Afonso".
  const own = sentence.slice(0, at).trim() === "" ? withoutArticle(written) : written
  const head = headAt(sentence, to - own.length, to, number)
  return head.name === "" || number === 0 ? [] : [{ ...head, from: from + head.from, to: from + head.to, isName: true }]
}

/** The names that a sentence lists as an order. */
const orderIn = (sentence: string, from: number): ReadonlyArray<Head> => {
  const said = orderSaid.exec(sentence)
  if (said === null) return []
  const heads: Array<Head> = []
  let at = said.index + said[0].length
  while (at < sentence.length) {
    const rest = sentence.slice(at)
    const link = nextLink.exec(rest)
    const written = link === null ? rest.replace(/[.!?。]$/u, "") : rest.slice(0, link.index)
    if (written.length > longestLink || !opensName.test(written)) break
    heads.push(...headOf(sentence, from, written, at, heads.length + 1))
    at += link === null ? rest.length : link.index + link[0].length
  }
  return heads.length >= fewestInOrder ? heads : []
}

// Most lines count nothing. Those that do have one of these at the start of a word.
const mayCount = new RegExp(`(?:^|[^a-z])(?:${ordinal}|${orders})|第[一二三四五六]`, "iu")

const sentences = /[^.!?。]+(?:[.!?](?!\s|$)[^.!?。]*)*/gu

/** The names that a sentence numbers by ordinals. */
const countedIn = (sentence: string, from: number): ReadonlyArray<Head> => {
  for (const pattern of [behind, behindHan]) {
    const after = Array.from(sentence.matchAll(pattern), (match) =>
      headOf(sentence, from, match[1] ?? "", match.index, placeOf(match[2] ?? ""))
    )
    const heads = inStep(after.flat())
    if (heads.length > 0) return heads
  }
  const ahead = Array.from(sentence.matchAll(before), ({ 0: all, 1: word = "", 2: written = "", index }) =>
    headOf(sentence, from, written, index + all.length - written.length, placeOf(word))
  )
  return inStep(ahead.flat())
}

/** The names that the first such sentence of a text numbers; empty where there is none. */
export const verdictHeads = (text: string): ReadonlyArray<Head> => {
  for (let from = 0, to = 0; from < text.length; from = to + 1) {
    const next = text.indexOf("\n", from)
    to = next < 0 ? text.length : next
    const line = text.slice(from, to)
    if (!mayCount.test(line)) continue
    for (const { 0: sentence, index } of line.matchAll(sentences)) {
      if (sentence.length > longestSentence) continue
      const counted = countedIn(sentence, from + index)
      const heads = counted.length > 0 ? counted : orderIn(sentence, from + index)
      if (heads.length > 0) return heads
    }
  }
  return []
}
