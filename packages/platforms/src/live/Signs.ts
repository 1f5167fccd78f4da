import type { Sign } from "./Surface.ts"

/** Cloudflare's check of the browser, which it puts before a site or into it. */
export const challengeSigns: ReadonlyArray<Sign> = [
  { block: "challenge", selector: '#challenge-form, .cf-turnstile, iframe[src*="challenges.cloudflare.com"]' }
]

/** A dialog that asks for an account and cannot be closed. */
export const loginSigns: ReadonlyArray<Sign> = [
  { block: "login_wall", selector: '[role="dialog"]:not(:has(button[aria-label="Close"])) input[type="email"]' },
  { block: "login_wall", status: 401 }
]

// Where a question can be put, words about countries are the question's or the answer's.
const withoutComposer = 'body:not(:has(textarea, [contenteditable="true"]))'

/** A page that is all there is, and says that the site is not offered here. */
export const regionSigns: ReadonlyArray<Sign> = [
  "not available in your country",
  "not available in your region",
  "isn't available in your country",
  "unsupported_country_region_territory"
].map((text) => ({ block: "region", selector: withoutComposer, text, textMax: 1500 }))
