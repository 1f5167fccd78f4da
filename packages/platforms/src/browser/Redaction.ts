import { load } from "cheerio/slim"
import { firstBytes } from "@sightline/domain/Storable"
import { drop, select, shallow } from "@sightline/platforms/live/Markup"

const sampleMaxBytes = 64 * 1024

// Each finds runs whole and looks at them then: a search that tries anew at every character of a run takes quadratic time.
const address = /[\w.+-]+(?:@[\w-]+(?:\.[\w-]+)+)?/g
const plain = /[\w~+=]{20,}/g
const hyphenated = /[\w~+=/-]{24,}/g
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** Attributes that tell who looked at the page, or nothing about where the answer stands; the parser has put their names in lower case. */
const telling = /^on|nonce|token|csrf|cookie|session|auth|style|srcset/

const textNode = 3
const commentNode = 8

const isMixed = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run)
const isMixedInCase = (run: string): boolean => /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)

/**
 * A text without mailboxes and without identifiers of sessions, users and requests, which are runs of letters and digits too
 * long and too mixed for words. With hyphens and slashes they must mix upper and lower case too, so that the paths of links stay
 * readable. Laws: linear in the text.
 */
const masked = (text: string): string =>
  text
    .replace(address, (run) => (run.includes("@") ? "[e-mail]" : run))
    .replace(hyphenated, (run) => (isMixedInCase(run) ? "[token]" : run))
    .replace(plain, (run) => (isMixed(run) ? "[token]" : run))
    .replace(uuid, "[token]")

/**
 * A page for whoever mends its profile, without what says who looked at it.
 *
 * Shape: the containers if there are any, else the body. Scripts, styles, comments, the values of inputs, e-mail addresses
 * and everything that looks like a token are gone. At most 64 KiB of UTF-8. Laws: linear in the page; what nests deeper than a
 * browser would is not in it.
 */
export const redacted = (html: string, containers: ReadonlyArray<string>): string => {
  // A browser writes only the entities that it must, so they are left as they are.
  const $ = load(shallow(html), { xml: { xmlMode: false, decodeEntities: false } })
  drop(select($, "script, style, noscript, template, iframe, svg, link, meta, input[type=hidden]"))
  for (const field of select($, "input, textarea, option")) {
    delete field.attribs["value"]
    field.children = []
  }
  for (const element of select($, "*")) {
    element.children = element.children.filter(({ nodeType }) => nodeType !== commentNode)
    for (const child of element.children) if (child.nodeType === textNode) child.data = masked(child.data)
    for (const [name, value] of Object.entries(element.attribs)) {
      if (telling.test(name)) delete element.attribs[name]
      else element.attribs[name] = masked(value)
    }
  }
  const whole = $("body").length > 0 ? $("body") : $.root()
  const found = containers.map((selector) => $(selector)).find((found) => found.length > 0) ?? whole
  return firstBytes($.html(found), sampleMaxBytes)
}
