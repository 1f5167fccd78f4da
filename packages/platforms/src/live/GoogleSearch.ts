import { challengeSigns, loginSigns } from "./Signs.ts"
import type { Locale } from "./Locale.ts"
import type { Sign, SurfaceProfile } from "./Surface.ts"

/** What shows that Google served its results. */
export const googleResults = ["#rso", "#search"]

/** Adverts, wherever they are on the page. */
export const googleAdverts = "[data-text-ad], #tads li, #tads > div"

/** The parts of an answer's block that do not belong to the answer. */
export const googleControls = [
  ".related-question-pair",
  '[data-xid="aim-mars-input-plate"]',
  '[data-xid="Gd7Hsc"]',
  '[aria-controls="m-x-content"]'
].join(", ")

/** Where a block lists its sources. */
export const googleSources = '[data-subtree="msc"], [data-container-id="rhs-col"], [data-src-id]'

/** The card of one source. */
export const googleCards = "[data-src-id], [data-subtree='msc'] li, [data-container-id='rhs-col'] li"

const asQuery = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Path and query of a search: language and country, without personalisation. */
export const googlePath = (query: string, { gl, language }: Locale): string =>
  `/search?q=${asQuery(query)}&hl=${language}&gl=${gl}&pws=0`

/**
 * Signs on Google's pages.
 *
 * Shape: words count only on a page without results and without any of `blocks`, so that an answer about captchas
 * or countries is no sign.
 */
export const googleSigns = (blocks: ReadonlyArray<string>): ReadonlyArray<Sign> => {
  const bare = `body:not(:has(${[...googleResults, ...blocks].join(", ")}))`
  const says = (block: Sign["block"], text: string): Sign => ({ block, selector: bare, text, textMax: 1500 })
  return [
    { block: "captcha", url: "/sorry/" },
    { block: "captcha", status: 429 },
    { block: "captcha", selector: `${bare} #captcha-form` },
    says("captcha", "unusual traffic"),
    says("captcha", "not a robot"),
    ...challengeSigns,
    says("region", "not available in your country"),
    says("region", "not available in your region"),
    { block: "login_wall", url: "//accounts.google.com/" },
    ...loginSigns
  ]
}

/** What both of Google's surfaces share. */
export const googleProfile = {
  origin: ({ googleHost }) => `https://${googleHost}`,
  dismiss: [
    "#L2AGLb",
    'form[action*="consent.google."] button[aria-label^="Accept all"]',
    'form[action*="consent.google."] button[aria-label^="Reject all"]'
  ],
  // Answers that arrive late. While one is under way, the page does not count as a page without an answer.
  streams: ["/async/folsrch", "/async/folwr", "/async/folif"],
  results: googleResults
} satisfies Partial<SurfaceProfile>
