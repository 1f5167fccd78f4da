import { glossOfPhrase, glossOfWord, languageOf } from "./Gloss.ts"
import type { Word } from "./SentimentWords.ts"

const longestPhrase = 4
const longestRun = 10
// How many words before "than" the comparative may stand.
const thanReach = 4
// The gloss of a word that the rules do not know.
const nothing = "~"
const spaceless = new Set(["ja", "zh"])
// Languages in which a negation may end its clause.
const deniesLate = new Set(["de", "nl"])
const turns = new Set(["but", "while", "although", "if", "and"])
const more = new Set(["more", "less", "better", "worse"])
const turned = new Map([
  ["good", "bad"],
  ["better", "bad"],
  ["recommend", "bad"],
  ["bad", "good"],
  ["worse", "good"]
])

const isCapital = (sentence: string, word: Word | undefined): boolean =>
  word !== undefined && /^\p{Lu}/u.test(sentence.slice(word.from, word.from + 2))

const isMade = (word: Word | undefined): boolean => word?.kind === "word" || word?.kind === "name"

/** The glossed words of a run that is written without spaces: the longest known phrase at each place. */
const unspaced = (run: Word, language: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  for (let at = 0; at < run.word.length;) {
    const latin = /^[\p{Script=Latin}\d]+/u.exec(run.word.slice(at))?.[0]
    if (latin !== undefined) {
      found.push({ kind: "name", word: latin, told: latin, from: run.from + at, to: run.from + at + latin.length })
      at += latin.length
      continue
    }
    let size = Math.min(longestRun, run.word.length - at)
    while (size > 1 && glossOfPhrase(run.word.slice(at, at + size), language) === undefined) size--
    const told = run.word.slice(at, at + size)
    const from = run.from + at
    for (const word of (glossOfPhrase(told, language) ?? nothing).split(" "))
      found.push({ kind: "word", word, told, from, to: from + size })
    at += size
  }
  return found
}

/** Whether the capital of a word shows that it is a name. At the head of a clause any word has a capital, so a verb has to follow there. */
const isName = (
  words: ReadonlyArray<Word>,
  at: number,
  language: string,
  sentence: string,
  last: Word | undefined
): boolean => {
  if (!isCapital(sentence, words[at])) return false
  const isHead = last === undefined || last.kind === "mark" || turns.has(last.word)
  if (!isHead) return true
  let verb = at + 1
  while (isMade(words[verb]) && isCapital(sentence, words[verb])) verb++
  return isMade(words[verb]) && glossOfWord(words[verb]?.word ?? "", language) === "is"
}

/** The words of a sentence with their English glosses. */
const glossed = (words: ReadonlyArray<Word>, language: string, sentence: string): ReadonlyArray<Word> => {
  const found: Array<Word> = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    if (word === undefined || !isMade(word)) {
      if (word !== undefined) found.push(word)
      continue
    }
    if (spaceless.has(language) && /\p{Lo}/u.test(word.word)) {
      found.push(...unspaced(word, language))
      continue
    }
    const stretch = words.slice(at, at + longestPhrase)
    const end = stretch.findIndex((one) => !isMade(one))
    let size = end < 0 ? stretch.length : end
    const told = (): string =>
      stretch
        .slice(0, size)
        .map((one) => one.told)
        .join(" ")
    while (size > 1 && glossOfPhrase(told(), language) === undefined) size--
    const meant = size > 1 ? glossOfPhrase(told(), language) : glossOfWord(word.word, language)
    const named = meant === undefined && isName(words, at, language, sentence, found.at(-1))
    const to = stretch[size - 1]?.to ?? word.to
    found.push({
      kind: named ? "name" : "word",
      word: named ? word.word : (meant ?? nothing),
      told: told(),
      from: word.from,
      to
    })
    at += size - 1
  }
  return found
}

/** Drops the second half of a negation that has two: "ne … pas", "no … nada". */
const withOneNegation = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  words.map((word, at) => {
    const before = words.slice(Math.max(0, at - thanReach), at)
    const since = before.findLastIndex(({ kind, word: said }) => kind === "mark" || turns.has(said))
    const isSecond = word.word === "not" && before.slice(since + 1).some((one) => one.word === "not")
    return isSecond ? { ...word, word: nothing } : word
  })

/**
 * Keeps "than" only where something is compared, because "que" and "als" have other meanings too. Drops the comma before "than" and "as".
 */
const withThan = (words: ReadonlyArray<Word>): ReadonlyArray<Word> =>
  words.flatMap((word, at): ReadonlyArray<Word> => {
    const next = words[at + 1]?.word
    if (word.kind === "mark" && word.word === "," && (next === "than" || next === "as")) return []
    if (word.word !== "than" && word.word !== "?than") return [word]
    const before = words.slice(Math.max(0, at - thanReach), at).map((one) => one.word)
    if (before.includes("as")) return [{ ...word, word: "as" }]
    const isMeasure = before.some((one) => more.has(one) || (word.word === "than" && turned.has(one)))
    return [{ ...word, word: isMeasure ? "than" : nothing }]
  })

/** Applies a negation that ends its clause to the cue before it: "Ich empfehle Acme nicht". */
const withLateNegation = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const read = [...words]
  const isEnd = ({ kind, word }: Word): boolean => kind === "mark" || turns.has(word)
  for (const [at, word] of words.entries()) {
    if (word.word !== "not") continue
    const rest = read.slice(at + 1)
    const until = rest.findIndex(isEnd)
    if (rest.slice(0, until < 0 ? rest.length : until).some((one) => turned.has(one.word))) continue
    const since = read.slice(0, at).findLastIndex(isEnd)
    const denied = read.findLastIndex((one, place) => place > since && place < at && turned.has(one.word))
    const cue = read[denied]
    if (cue === undefined) continue
    read[denied] = { ...cue, word: turned.get(cue.word) ?? cue.word, told: `${cue.told} … ${word.told}` }
    read[at] = { ...word, word: nothing }
  }
  return read
}

/** Moves a word of comparison that follows its object to the place before it: "AcmeよりBolt". */
const withMeasureFirst = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => {
  const read: Array<Word> = []
  for (const word of words) {
    const last = word.word === "unlike<" ? read.pop() : undefined
    read.push(word.word === "unlike<" ? { ...word, word: "unlike" } : word)
    if (last !== undefined) read.push(last, { ...word, kind: "mark", word: "," })
  }
  return read
}

/** The words of a sentence as the rules know them: words of another language are replaced by their English glosses. */
export const inEnglish = (words: ReadonlyArray<Word>, sentence: string): ReadonlyArray<Word> => {
  // A capitalised word inside the sentence may be a foreign name, so it does not identify the language.
  const telling = words.filter((word, at) => isMade(word) && (at === 0 || !isCapital(sentence, word)))
  const language = languageOf(telling.map(({ word }) => word))
  if (language === undefined) return words
  const read = withMeasureFirst(withThan(withOneNegation(glossed(words, language, sentence))))
  return deniesLate.has(language) ? withLateNegation(read) : read
}
