import { load } from "cheerio/slim"

const sampleMaxBytes = 64 * 1024

const email = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/**
 * Runs of letters and digits too long and too mixed for words, which are identifiers of sessions, users and requests. With
 * hyphens and slashes they must mix upper and lower case too, so that the paths of links stay readable.
 */
const token = /(?=[\w~+=]*\d)(?=[\w~+=]*[A-Za-z])[\w~+=]{20,}/g
const hyphenated = /(?=[\w~+=/-]*\d)(?=[\w~+=/-]*[A-Z])(?=[\w~+=/-]*[a-z])[\w~+=/-]{24,}/g
const uuid = /\b[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b/gi

/** Attributes that tell who looked at the page, or nothing about where the answer stands; the parser has put their names in lower case. */
const telling = /^on|nonce|token|csrf|cookie|session|auth|style|srcset/

const textNode = 3
const commentNode = 8

const masked = (text: string): string =>
  [hyphenated, token, uuid].reduce((left, secret) => left.replace(secret, "[token]"), text.replace(email, "[e-mail]"))

/**
 * A page for whoever mends its profile, without what says who looked at it.
 *
 * Shape: the containers if there are any, else the body. Scripts, styles, comments, the values of inputs, e-mail addresses
 * and everything that looks like a token are gone. At most 64 KiB of UTF-8.
 */
export const redacted = (html: string, containers: ReadonlyArray<string>): string => {
  // A browser writes only the entities that it must, so they are left as they are.
  const $ = load(html, { xml: { xmlMode: false, decodeEntities: false } })
  $("script, style, noscript, template, iframe, svg, link, meta, input[type=hidden]").remove()
  $("input, textarea, option").removeAttr("value").empty()
  $("*")
    .contents()
    .each((_, node) => {
      if (node.nodeType === commentNode) $(node).remove()
      else if (node.nodeType === textNode) node.data = masked(node.data)
    })
  $("*").each((_, element) => {
    for (const [name, value] of Object.entries($(element).attr() ?? {})) {
      $(element).attr(name, telling.test(name) ? null : masked(value))
    }
  })
  const whole = $("body").length > 0 ? $("body") : $.root()
  const found = containers.map((selector) => $(selector)).find((found) => found.length > 0) ?? whole
  return Buffer.from($.html(found))
    .subarray(0, sampleMaxBytes)
    .toString()
    .replace(/\uFFFD$/, "")
}
