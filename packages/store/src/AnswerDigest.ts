import { hash } from "node:crypto"
import type { Answer, Citation } from "@sightline/domain/Answer"
import { canonicalUrl } from "@sightline/domain/CanonicalUrl"
import { siteOf } from "@sightline/domain/Site"
import { isStorable } from "@sightline/domain/Storable"

/**
 * The parts of an answer that records of checks keep, the same for every brand.
 *
 * Shape: `hash` is 64 hex digits, the key of the answer's text in `answer_texts`, or null if there is no text that can be kept. `sites`
 * are the cited sites, each once. `pages` are the cited pages, each once: sorted decimal numbers whose upper half is `numberOf` of the
 * site, followed by a 0.
 */
export interface AnswerDigest {
  readonly hash: string | null
  readonly sites: ReadonlyArray<string>
  readonly pages: ReadonlyArray<string>
  readonly citations: ReadonlyArray<Pick<Citation, "url" | "title">>
}

/** The number that stands for a site, or for a page of a site. Units: 32 bits, signed. */
export const numberOf = (text: string): number => hash("sha256", text, "buffer").readInt32BE()

const citedSite = (url: string): string => siteOf(url)?.domain ?? URL.parse(url)?.hostname ?? url

const pageNumber = (site: string, url: string): bigint =>
  (BigInt(numberOf(site)) << 32n) | BigInt.asUintN(32, BigInt(numberOf(url)))

/** The hash of everything that brands are read from: the text, and the entities that the surface marks up. */
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

/** The digest of an answer, computed once per answer object: checks that are served from memory share it. */
export const digestOf = (answer: Answer): AnswerDigest => {
  const known = made.get(answer)
  if (known !== undefined) return known
  const fresh = digest(answer)
  made.set(answer, fresh)
  return fresh
}
