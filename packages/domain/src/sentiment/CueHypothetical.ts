import { comparative } from "./Cue.ts"

const modals = new Set(["may", "might", "could"])
const claims = new Set("need needs tries try trying claims claimed pretends pretended".split(" "))
const withheld = new Set("expected promised lost loses losing".split(" "))
const owners = new Set("my our your their its his her the all these specific".split(" "))
const near = 4
const everywhere = 99

/** For how many words after the one at `at` praise does not count, because it is hypothetical, missing or wished for; -1 for none. */
export const hypotheticalFor = (words: ReadonlyArray<string>, at: number): number => {
  const [before = "", word = "", next = "", third = ""] = [words[at - 1], words[at], words[at + 1], words[at + 2]]
  if (modals.has(word) || withheld.has(word)) return near
  if (word === "wish") return everywhere
  if (word === "short" && next === "on") return near
  if (word === "should" && next === "be" && comparative.test(third)) return near
  if (claims.has(word) && next === "to" && third === "be") return near
  // "Needs better support"; not "meets our needs better".
  const isNeed = (word === "need" || word === "needs") && comparative.test(next) && !owners.has(before)
  return isNeed ? near : -1
}
