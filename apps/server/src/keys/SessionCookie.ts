import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHmac, timingSafeEqual } from "node:crypto"
import { csrfHeader, sessionCookie } from "@sightline/contract/SessionApi"
import { sessionLifetime } from "@sightline/store/Sessions"

const options = { path: "/", httpOnly: true, secure: true, sameSite: "strict" } as const

// Browsers protect the prefix only at the very start of a name, so the name is compared exactly. A parser that trims names would also
// accept one with a Unicode space before the prefix, which any host of the domain may set.
const pair = new RegExp(`(?:^|; *)${sessionCookie}=([A-Za-z0-9_-]{43})(?=;|$)`)

/** The session token in a request's cookie, if it has the right form. */
export const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  pair.exec(headers["cookie"] ?? "")?.[1]

/** Sets the session cookie. */
export const withCookie = (response: HttpServerResponse.HttpServerResponse, token: string) =>
  HttpServerResponse.setCookieUnsafe(response, sessionCookie, token, { ...options, maxAge: sessionLifetime })

/** Expires the session cookie. */
export const withoutCookie = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.expireCookieUnsafe(response, sessionCookie, options)

/** The CSRF token that changes with a session need in addition to the cookie. Laws: it cannot be computed without the session token. */
export const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url")

/**
 * Whether a browser sent a request from a page of this server.
 *
 * Shape: by the headers `Sec-Fetch-Site` and `Origin`. At least one must be present, and neither may name another site.
 */
export const isOwnPage = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined) return site !== undefined
  return URL.canParse(origin) && new URL(origin).host === headers["host"]
}

/** Whether a request may make changes with its cookie: it comes from the dashboard's page and has the CSRF token. */
export const mayChange = (request: HttpServerRequest.HttpServerRequest, token: string): boolean => {
  const [given, expected] = [Buffer.from(request.headers[csrfHeader] ?? ""), Buffer.from(csrfOf(token))]
  return given.length === expected.length && timingSafeEqual(given, expected) && isOwnPage(request)
}
