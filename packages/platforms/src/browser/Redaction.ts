import { load } from "cheerio/slim"
import { firstBytes } from "@sightline/domain/Storable"
import { drop, limitDepth, select } from "@sightline/platforms/live/Markup"

const sampleMaxBytes = 64 * 1024

// Each pattern finds whole runs, which are examined afterwards: a pattern that starts anew at each character of a
// run takes quadratic time.
const address = /[\w.+-]+(?:@[\w-]+(?:\.[\w-]+)+)?/g
const plain = /[\w~+=]{20,}/g
const hyphenated = /[\w~+=/-]{24,}/g
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** Attributes that identify the visitor, or say nothing about where the answer is. The parser gives their names in lower case. */
const telling = /^on|nonce|token|csrf|cookie|session|auth|style|srcset/

const textNode = 3
const commentNode = 8

const isMixed = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run)
const isMixedInCase = (run: string): boolean => /\d/.test(run) && /[A-Z]/.test(run) && /[a-z]/.test(run)

/**
 * A text without e-mail addresses and without identifiers of sessions, users and requests: runs of letters and digits that
 * are too long and too mixed to be words. Runs with hyphens and slashes must also mix upper and lower case, so that the
 * paths of links stay readable.
 *
 * Laws: linear in the text.
 */
const masked = (text: string): string =>
  text
    .replace(address, (run) => (run.includes("@") ? "[e-mail]" : run))
    .replace(hyphenated, (run) => (isMixedInCase(run) ? "[token]" : run))
    .replace(plain, (run) => (isMixed(run) ? "[token]" : run))
    .replace(uuid, "[token]")

/**
 * A page to mend its profile by, without anything that identifies the visitor.
 *
 * Shape: the containers if there are any, else the body. Scripts, styles, comments, the values of inputs, e-mail addresses
 * and everything that looks like a token are removed. At most 64 KiB of UTF-8.
 * Laws: linear in the page, which is cut where it nests deeper than a browser would.
 */
export const redacted = (html: string, containers: ReadonlyArray<string>): string => {
  // A browser escapes only the characters that it must, so entities are left as they are.
  const $ = load(limitDepth(html), { xml: { xmlMode: false, decodeEntities: false } })
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
