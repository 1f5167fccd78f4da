import type { Sign } from "./Surface.ts"

/** Cloudflare's check of the browser, which it shows before a site or inside it. */
export const challengeSigns: ReadonlyArray<Sign> = [
  { block: "challenge", selector: '#challenge-form, .cf-turnstile, iframe[src*="challenges.cloudflare.com"]' }
]

/** A dialog that asks for an account and cannot be closed. */
export const loginSigns: ReadonlyArray<Sign> = [
  { block: "login_wall", selector: '[role="dialog"]:not(:has(button[aria-label="Close"])) input[type="email"]' },
  { block: "login_wall", status: 401 }
]

// On a page with a box for questions, words about countries belong to a question or an answer.
const withoutComposer = 'body:not(:has(textarea, [contenteditable="true"]))'

/** A page that only says that the site is not offered here. */
export const regionSigns: ReadonlyArray<Sign> = [
  "not available in your country",
  "not available in your region",
  "isn't available in your country",
  "unsupported_country_region_territory"
].map((text) => ({ block: "region", selector: withoutComposer, text, textMax: 1500 }))
