import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { createHmac, timingSafeEqual } from "node:crypto"
import { csrfHeader } from "@sightline/contract/SessionApi"
import { sessionLifetime } from "@sightline/store/Sessions"

/** The prefix makes browsers refuse it from a page without TLS, and from any other host; loopback counts as safe. */
const name = "__Host-sightline"

const options = { path: "/", httpOnly: true, secure: true, sameSite: "strict" } as const

// Browsers guard the prefix at the very start of a name, so the name is compared to the letter: to a parser that trims it, a blank
// of another alphabet before it makes a cookie ours that any host of the domain may have set.
const pair = new RegExp(`(?:^|; *)${name}=([A-Za-z0-9_-]{43})(?=;|$)`)

/** The session that a request's cookie names, if it looks like one of ours. */
export const tokenOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined =>
  pair.exec(headers["cookie"] ?? "")?.[1]

/** Gives the browser its session. */
export const withCookie = (response: HttpServerResponse.HttpServerResponse, token: string) =>
  HttpServerResponse.setCookieUnsafe(response, name, token, { ...options, maxAge: sessionLifetime })

/** Takes the browser's session away. */
export const withoutCookie = (response: HttpServerResponse.HttpServerResponse) =>
  HttpServerResponse.expireCookieUnsafe(response, name, options)

/** The token that changes with a session need beside the cookie. Laws: it cannot be made without knowing the session. */
export const csrfOf = (token: string): string => createHmac("sha256", token).update("csrf").digest("base64url")

/**
 * Whether a browser sent a request from a page of this server.
 *
 * Shape: by the headers `Sec-Fetch-Site` and `Origin`: at least one must be present, and none may disagree.
 */
export const isOwnPage = ({ headers }: HttpServerRequest.HttpServerRequest): boolean => {
  const site = headers["sec-fetch-site"]
  const origin = headers["origin"]
  if (site !== undefined && site !== "same-origin") return false
  if (origin === undefined) return site !== undefined
  return URL.canParse(origin) && new URL(origin).host === headers["host"]
}

/** Whether a request may make changes with its cookie: it comes from our page and has the token. */
export const mayChange = (request: HttpServerRequest.HttpServerRequest, token: string): boolean => {
  const [given, expected] = [Buffer.from(request.headers[csrfHeader] ?? ""), Buffer.from(csrfOf(token))]
  return given.length === expected.length && timingSafeEqual(given, expected) && isOwnPage(request)
}
