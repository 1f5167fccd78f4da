import { destinationIn } from "@sightline/domain/Redirector"
import { isPublicPage } from "@sightline/egress/PublicUrl"

const hopsMax = 10

/**
 * The target of a redirector, as far as its own address names it; redirectors nested in the address are resolved as
 * well. Nothing is requested.
 *
 * Laws: any other address is returned unchanged, and so is a redirector that does not lead to a page of a public host name.
 */
export const destinationOf = (url: string): string => {
  let found = url
  for (let hops = 0; hops <= hopsMax; hops++) {
    const address = URL.parse(found)
    const named = address === null ? undefined : destinationIn(address)
    if (named === undefined) return found
    const target = URL.parse(named)
    if (target === null || !isPublicPage(target)) return url
    found = target.href
  }
  return url
}
