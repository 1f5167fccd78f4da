import type { Citation } from "@sightline/domain/Answer"
import { isStorable } from "@sightline/domain/Storable"
import { excerpt } from "./Bounds.ts"
import { destinationOf } from "./Destination.ts"

const citationsMax = 100
const urlMaxLength = 2048

/** A source as a vendor names it. `text` is computed only for the first use of a URL. */
export interface Source {
  readonly url: string
  readonly title?: string | null | undefined
  readonly text?: (() => string) | undefined
  readonly snippet?: string | null | undefined
}

const engineTags = /([?&])(?:utm_source=(?:openai|chatgpt\.com)(?:&|(?=#|$)))+/g

/** The address without the tags with which engines mark their visitors. A link may also carry the tag of another engine. */
const untagged = (url: string): string =>
  url.includes("utm_source=") ? url.replace(engineTags, (tags, lead: string) => (tags.endsWith("&") ? lead : "")) : url

/** The address without the text fragment with which a link from Google points to a passage of the page. */
const withoutPassage = (url: string): string => {
  const passage = url.indexOf(":~:text=")
  return passage === -1 ? url : url.slice(0, passage).replace(/(?:#|%23)$/, "")
}

// As every URL parser does: file names on the web contain spaces, and pages wrap long addresses.
const withoutBlanks = (url: string): string =>
  /\s/.test(url)
    ? url
        .trim()
        .replace(/[\t\n\r]/g, "")
        .replace(/\s/g, encodeURIComponent)
    : url

// With a user name before the host, a page could be shown under the name of another site.
const webAddress = /^https?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/i

const isWebAddress = (url: string): boolean =>
  url.length <= urlMaxLength && webAddress.test(url) && isStorable(url) && URL.canParse(url)

const siteOf = (url: string): string => URL.parse(url)?.hostname.replace(/^www\./, "") ?? ""

/**
 * The citations of an answer.
 *
 * Laws: unique by URL, in order of first use; only http and https addresses that parse; a redirector whose address names
 * its target is replaced by that target; at most 100, each of bounded size.
 */
export const citationsOf = (sources: Iterable<Source>): ReadonlyArray<Citation> => {
  const found = new Map<string, Citation>()
  for (const { snippet, text, title, url: given } of sources) {
    const url = withoutPassage(untagged(destinationOf(withoutBlanks(given))))
    if (found.has(url) || !isWebAddress(url)) continue
    const span = text?.() ?? ""
    found.set(url, {
      url,
      title: excerpt(title?.trim() || siteOf(url)),
      ...(span !== "" && { text: span }),
      ...(snippet != null && snippet !== "" && { snippet: excerpt(snippet) })
    })
    if (found.size === citationsMax) break
  }
  return Array.from(found.values())
}
