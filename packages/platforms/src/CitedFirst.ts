import { citationsOf, type Source } from "./Citations.ts"

const enough = 5
const most = 10

/**
 * The sources that an answer cites, at most ten. Fewer than five are filled up to five with other sources that were found.
 * Source: contract, `perplexity_live`.
 */
export const citedFirst = (cited: ReadonlyArray<Source>, found: ReadonlyArray<Source>): ReadonlyArray<Source> => {
  const wanted = Math.min(most, Math.max(enough, citationsOf(cited).length))
  return citationsOf([...cited, ...found])
    .slice(0, wanted)
    .map(({ snippet, title, url }) => ({ url, title, snippet }))
}
