import { destinationIn } from "@sightline/domain/Redirector"
import { isPublicPage } from "@sightline/egress/PublicUrl"

const hopsMax = 10

/**
 * Where a redirector leads, as far as its own address says, through others that stand within it; nothing is requested.
 *
 * Laws: any other address stays as it was, and so does a redirector that leads to no page of a public host name.
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
