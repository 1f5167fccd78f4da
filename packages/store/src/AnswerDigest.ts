import { hash } from "node:crypto"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { siteOf } from "@sightline/domain/Site"
import { isStorable } from "@sightline/domain/Storable"

/**
 * What records of checks keep of an answer, the same for every brand.
 *
 * Shape: `hash` is 64 hex digits, the name of its text among the kept ones, null where there is none that can be kept. `sites`
 * are the sites it cites, each once; `pages` the pages likewise, in order, as decimal numbers whose upper half is `numberOf`
 * of the site, and a 0 behind them.
 */
export interface AnswerDigest {
  readonly hash: string | null
  readonly sites: ReadonlyArray<string>
  readonly pages: ReadonlyArray<string>
  readonly citations: ReadonlyArray<Pick<Citation, "url" | "title">>
}

/** The number by which a site, or a page of it, goes. Units: 32 bits, signed. */
export const numberOf = (text: string): number => hash("sha256", text, "buffer").readInt32BE()

const citedSite = (url: string): string => siteOf(url)?.domain ?? URL.parse(url)?.hostname ?? url

const pageNumber = (site: string, url: string): bigint =>
  (BigInt(numberOf(site)) << 32n) | BigInt.asUintN(32, BigInt(numberOf(url)))

/** What the brands of an answer are read from decides its hash: the text, and the entities the surface marks up. */
const hashOf = ({ text, brandEntities }: Answer): string | null => {
  const read = [text, ...brandEntities.map(({ name }) => name)]
  return text !== "" && read.every(isStorable) ? hash("sha256", read.join("\0"), "hex") : null
}

const digest = (answer: Answer): AnswerDigest => {
  const cited = new Map(
    answer.citations.map(({ url }) => {
      const page = canonicalUrl(url) ?? url
      return [page, citedSite(page)] as const
    })
  )
  const pages = Array.from(cited, ([page, site]) => pageNumber(site, page))
  return {
    hash: hashOf(answer),
    sites: [...new Set(cited.values())],
    pages: [...pages.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String), "0"],
    citations: answer.citations.map(({ url, title }) => ({ url, title }))
  }
}

const made = new WeakMap<Answer, AnswerDigest>()

/** The digest of an answer, made once for each: a check that is served from memory finds it there. */
export const digestOf = (answer: Answer): AnswerDigest => {
  const known = made.get(answer)
  if (known !== undefined) return known
  const fresh = digest(answer)
  made.set(answer, fresh)
  return fresh
}
