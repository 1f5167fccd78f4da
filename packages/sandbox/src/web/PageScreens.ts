import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { escaped, servePage } from "./Page.ts"

/** The cookie that records a visitor's consent on a site of the sandbox. */
const consentCookie = "sandbox-consent"

/** Whether the visitor has given the consent that `consentPage` asks for. */
export const hasConsented = (request: HttpServerRequest.HttpServerRequest): boolean =>
  request.cookies[consentCookie] === "given"

/** A separate screen before the site. Its button has the id `buttonId`: it records the consent and reloads the page. */
export const consentPage = (site: string, buttonId: string): HttpServerResponse.HttpServerResponse =>
  servePage({
    title: `Before you continue to ${site}`,
    body:
      `<h1>Before you continue to ${escaped(site)}</h1><p>This simulated site would like to keep a cookie.</p>` +
      `<button id="${buttonId}">Accept all</button>`,
    scripts: [
      `document.getElementById(pageData.buttonId).addEventListener("click", () => {
  document.cookie = pageData.cookie
  location.reload()
})`
    ],
    data: { buttonId, cookie: `${consentCookie}=given; path=/` }
  })

/** A search site's captcha, for a visitor that is taken for a robot. */
export const captchaPage = (): HttpServerResponse.HttpServerResponse =>
  servePage({
    title: "Sorry",
    status: 429,
    body: `<h1>Sorry</h1><p>There is unusual traffic from this simulated network. Show that you are not a robot.</p>
<form id="captcha-form"><div class="g-recaptcha">[ ] I am not a robot</div></form>`
  })

/** The check of the visitor's browser by a network in front of a site. */
export const challengePage = (): HttpServerResponse.HttpServerResponse =>
  servePage({
    title: "Just a moment...",
    status: 403,
    headers: { "cf-mitigated": "challenge" },
    body: `<h1>Just a moment</h1><p>This simulated site is looking at your browser before it lets you in.</p>
<form id="challenge-form"><div class="cf-turnstile">[ ] I am human</div></form>`
  })

/** A site that shows nothing to visitors without an account. */
export const loginPage = (site: string): HttpServerResponse.HttpServerResponse =>
  servePage({
    title: site,
    body: `<div role="dialog" aria-modal="true"><h1>Log in to ${escaped(site)}</h1>
<form><label>Email <input type="email" name="email"></label><button type="button">Log in</button></form></div>`
  })

/** A site that is not offered in the visitor's country. */
export const regionPage = (site: string): HttpServerResponse.HttpServerResponse =>
  servePage({ title: site, body: `<h1>${escaped(site)} is not available in your country</h1>` })
