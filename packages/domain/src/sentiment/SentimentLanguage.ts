import type { Word } from "./SentimentWords.ts"

// Small words of German, French, Spanish, Portuguese, Italian and Dutch that English does not have.
const foreign = new Set(
  (
    "ist und nicht nie kein keine keinen eine einen einer für auf sind wird sehr aber leider zu " +
    "est n'est n'a c'est une les des dans avec pour pas très sont qui que " +
    "es una los las muy pero también menos más ni nunca " +
    "é não uma muito mais nem " +
    "è una sono non molto più gli della " +
    "een het niet zijn maar voor"
  ).split(" ")
)
// Of this many words one tells.
const share = 6

/** Whether a sentence is in another language, of which a cue that English shares says nothing: "fast nie" is "hardly ever". */
export const isForeign = (words: ReadonlyArray<Word>): boolean => {
  const told = words.filter(({ kind }) => kind !== "mark")
  return (
    told.filter(({ kind, word }) => kind === "word" && foreign.has(word)).length * share >= Math.max(1, told.length)
  )
}
