import { isOrdinaryWord } from "@sightline/domain/text/Vocabulary"
import { type Part, rejoinAroundAsides } from "./SentimentAside.ts"
import type { Measure } from "./SentimentMeasure.ts"
import { seriesJoined } from "./SentimentSeries.ts"
import type { Word } from "./SentimentWords.ts"

/** What a clause is about: the brand, something else, or something else that is measured against the brand ("measure"). */
type Subject = "brand" | "other" | "measure"

/** A clause with its subject. `opener` is the conjunction that begins it; empty where there is none. */
export interface Clause {
  readonly words: ReadonlyArray<Word>
  readonly subject: Subject
  readonly opener: string
}

const turns = new Set(
  "but while whereas although though yet however because since so if unless when whether".split(" ")
)
const joins = new Set(["and", "or", "nor"])
const splits = new Set([",", ";", ":", "–", "—", "-", "(", ")", "[", "]", "|", "\n", "!", "?", "."])

const isNamed = (word: Word | undefined): boolean => word?.kind === "brand" || word?.kind === "name"

/** Whether a comma only separates a word from another that stresses it: "never, ever", "very, very". */
const isStress = (words: ReadonlyArray<Word>, at: number): boolean => {
  const [before, { word: mark = "" } = {}, after] = [words[at - 1], words[at], words[at + 1]]
  if (mark !== "," || before?.kind !== "word" || after?.kind !== "word") return false
  return before.told === after.told || (before.word === "never" && after.word === "ever")
}

/** The parts of a sentence, split at marks and conjunctions. "and" begins a part only before a name, and not between two names. */
const split = (words: ReadonlyArray<Word>): ReadonlyArray<Part> => {
  const clauses: Array<Part> = []
  let clause: Array<Word> = []
  const close = (end: string): void => {
    if (clause.length > 0) clauses.push({ words: clause, end })
    clause = []
  }
  for (const [at, word] of words.entries()) {
    if (word.kind === "mark") {
      if (splits.has(word.word) && !isStress(words, at)) close(word.word)
      continue
    }
    const isNegation = word.word === "but" && words[at - 1]?.word === "anything"
    const opens =
      word.kind === "word" &&
      !isNegation &&
      (turns.has(word.word) || (joins.has(word.word) && isNamed(words[at + 1]) && !isNamed(words[at - 1])))
    if (opens) close("")
    clause.push(word)
  }
  close("")
  return clauses
}

const leads = new Set(
  "and or nor but while whereas although though yet however because since so if unless when whether the a an also even then still plus overall meanwhile by contrast instead many most some other several".split(
    " "
  )
)
const rivals = new Set("others rivals rival competitors competitor alternatives alternative competing".split(" "))
const verbs = new Set(
  "is was has are were have had offers makes feels looks costs comes gets does isn't wasn't hasn't can can't will won't remains seems sells takes lacks".split(
    " "
  )
)
// Verbs that may be nouns as well, so they only help to recognise a name before them.
const deeds = new Set(
  "works delivers wins loses runs crashes freezes breaks leaks fades fails excels shines struggles lags performs provides falls stands lasts".split(
    " "
  )
)
const reports = new Set(
  "says say said calls called names named rates rated ranks ranked recommends recommend recommended praises praised likes liked loves loved prefers preferred picks picked chose considers criticises criticizes criticised criticized describes described found finds love hate dislike complain praise report".split(
    " "
  )
)

/** Whether words are a complete clause: they contain a verb, or begin with a conjunction. */
const isWhole = (words: ReadonlyArray<Word>): boolean =>
  turns.has(words[0]?.word ?? "") || joins.has(words[0]?.word ?? "") || words.some(({ word }) => verbs.has(word))

/** Whether a clause only describes the brand: "– a cheaper alternative to Bolt". */
const isApposition = (words: ReadonlyArray<Word>): boolean =>
  words.some(({ word }) => word === "alternative") && !words.some(({ word }) => verbs.has(word))

/** Whether the subject of a clause is another name, or the rivals. */
const isOfOthers = (words: ReadonlyArray<Word>): boolean => {
  const at = words.findIndex(({ kind, word }) => kind !== "word" || !leads.has(word))
  const [subject, next] = [words[at], words[at + 1]]
  if (subject === undefined) return false
  const isOfRivals = rivals.has(subject.word) || (next !== undefined && rivals.has(next.word))
  return subject.kind === "name" || (isOfRivals && !isApposition(words))
    ? !words.some(({ word }) => reports.has(word))
    : false
}

const equals = new Set(["is", "are", "was", "were", "be", "remains"])
const goes = new Set(["goes", "belongs"])

/** Whether a clause ends with its subject: "my pick is Bolt", "first place goes to Bolt". */
const endsInAnother = (words: ReadonlyArray<Word>): boolean => {
  const at = words.findLastIndex(({ kind }) => kind !== "name")
  const [before = "", last = ""] = [words[at - 1]?.word, words[at]?.word]
  return at < words.length - 1 && (equals.has(last) || (last === "to" && goes.has(before)))
}

const shuns = ["avoid", "skip", "ditch", "steer clear of", "stay away from", "don't bother with"].map((phrase) =>
  phrase.split(" ")
)

/** Whether words only continue a list of names: "Cora and Acme", not "Acme is reliable". */
const isListing = (words: ReadonlyArray<Word>): boolean =>
  !words.some(({ word }) => verbs.has(word)) &&
  (words.some(({ word }) => joins.has(word)) || words.every((word) => isNamed(word)))

/** Whether the part at `index` advises against another product, but not against the brand: "Avoid Bolt, Acme is reliable". */
const isShun = (parts: ReadonlyArray<ReadonlyArray<Word>>, index: number): boolean => {
  const words = parts[index] ?? []
  const at = words.findIndex(({ kind, word }) => kind !== "word" || !leads.has(word))
  const shun = shuns.find((phrase) => phrase.every((word, place) => words[at + place]?.word === word))
  if (shun === undefined || at < 0) return false
  const next = at + shun.length
  const whom = words[next]?.word === "the" ? words[next + 1] : words[next]
  if (whom?.kind !== "name" || words.some(({ kind }) => kind === "brand")) return false
  const own = parts.slice(index + 1).find((part) => part.some(({ kind }) => kind === "brand"))
  return own === undefined || !isListing(own)
}

/** Whether the first word of a sentence is a name although it may be an ordinary word, as the verb after it shows: "Caldera is …, but". */
const opensWithName = (words: ReadonlyArray<Word>, sentence: string): boolean => {
  const [first, second] = words
  if (first?.kind !== "word" || second === undefined || !/^\p{Lu}/u.test(sentence.slice(first.from))) return false
  const isName =
    (verbs.has(second.word) || deeds.has(second.word)) &&
    !/^(?:it|they|this|that|there|he|she|we|you|i|these|those|what|which)$/.test(first.word)
  return isName && (first.word.length > 2 || !isOrdinaryWord(first.word))
}

/** The clauses of a sentence with the subject of each. A clause without a subject of its own keeps that of the clause before it. */
export const clausesOf = (
  words: ReadonlyArray<Word>,
  sentence: string,
  measures: ReadonlyArray<Measure>,
  goesOn: boolean
): ReadonlyArray<Clause> => {
  const parts = rejoinAroundAsides(seriesJoined(split(words), isWhole), isWhole)
  let last: Subject | undefined = goesOn ? "brand" : undefined
  const measured = new Set(measures.map(({ brand }) => brand))
  const isNamedHere = words.some(({ kind }) => kind === "brand")
  return parts.map((part, index) => {
    const brandAt = part.findIndex(({ kind }) => kind === "brand")
    const others =
      isOfOthers(part) ||
      endsInAnother(part) ||
      isShun(parts, index) ||
      (index === 0 && isNamedHere && opensWithName(part, sentence))
    const isObject = others && part.slice(0, brandAt).some(({ kind }) => kind === "name")
    const isMeasure = isObject || part.some((word) => measured.has(word))
    let subject: Subject
    if (brandAt >= 0) subject = isMeasure ? "measure" : "brand"
    else if (others) subject = "other"
    else subject = last ?? "brand"
    if (brandAt >= 0 || others) last = subject === "measure" ? "other" : subject
    const opener = part[0]?.kind === "word" && turns.has(part[0].word) ? part[0].word : ""
    return { words: part, subject, opener }
  })
}
