import { citationsOf, type Source } from "./Citations.ts"

const enough = 5
const most = 10

/** The sources an answer points at, filled up to five with others that were found; at most ten. Source: contract, `perplexity_live`. */
export const citedFirst = (cited: ReadonlyArray<Source>, found: ReadonlyArray<Source>): ReadonlyArray<Source> => {
  const wanted = Math.min(most, Math.max(enough, citationsOf(cited).length))
  return citationsOf([...cited, ...found])
    .slice(0, wanted)
    .map(({ snippet, title, url }) => ({ url, title, snippet }))
}
