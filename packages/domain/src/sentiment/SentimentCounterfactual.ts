import type { Clause } from "./SentimentClauses.ts"

const contrary = new Set(["were", "weren't", "wasn't", "didn't", "hadn't"])
const contraryReach = 4
// Words that are contrary to fact only together with "would": "if Acme had a desktop app".
const supposing = new Set([...contrary, "had", "only", "did"])
const supposingReach = 6
// "If you were after a reliable tool" supposes nothing about the tool, nor does "if it were up to me".
const askers = new Set(["i", "you", "we", "your", "our", "my"])
const ofBrand = new Set(["it", "its", "they", "their"])
const would = /^would(?:n't)?$|'d$/

const isContrary = (clause: Clause | undefined): boolean =>
  clause?.opener === "if" && clause.words.slice(0, contraryReach).some(({ word }) => contrary.has(word))

/** Whether an if-clause supposes something untrue about the brand: "if Acme were reliable", "if it had an app". */
const isSupposing = ({ opener, words }: Clause): boolean =>
  opener === "if" &&
  !askers.has(words[1]?.word ?? "") &&
  !words.some(({ word }, at) => word === "up" && words[at + 1]?.word === "to") &&
  words.slice(0, supposingReach).some(({ word }) => supposing.has(word)) &&
  words.some(({ kind, word }) => kind === "brand" || ofBrand.has(word))

/**
 * The counterfactual clauses of a sentence: an if-clause with a verb such as "were", and the clause before it. Where the if-clause is about
 * the brand, also the clauses up to the one with "would", which may stand before it. After "even if" that consequence is real.
 */
export const counterfactualsIn = (clauses: ReadonlyArray<Clause>): ReadonlySet<Clause> => {
  const found = new Set<Clause>()
  const woulds = clauses.map(({ words }) => words.some(({ word }) => would.test(word)))
  for (const [at, clause] of clauses.entries()) {
    if (isContrary(clause) || isContrary(clauses[at + 1])) found.add(clause)
    if (!isSupposing(clause) || clauses[at - 1]?.words.at(-1)?.word === "even") continue
    const [from, to] = woulds[at - 1] === true ? [at - 1, at] : [at, woulds.indexOf(true, at)]
    for (const clause of clauses.slice(from, to + 1)) found.add(clause)
  }
  return found
}

/**
 * The clauses that say what somebody wants: "if you value reliability". One after "but" is left out, because it sets something against the
 * blame.
 */
export const wishesIn = (clauses: ReadonlyArray<Clause>): ReadonlySet<Clause> =>
  new Set(
    clauses.filter(
      ({ opener, words }, at) =>
        opener === "if" && askers.has(words[1]?.word ?? "") && clauses[at - 1]?.words.at(-1)?.word !== "but"
    )
  )
