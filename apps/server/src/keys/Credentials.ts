import { isKeyShaped } from "@sightline/domain/ApiKey"
import type { HttpServerRequest } from "effect/http"
import { tokenOf } from "./SessionCookie.ts"

const bearer = /^bearer +([^ ]+)$/i

/** The key a request carries, if its header has the contract's shape. */
export const keyOf = ({ headers }: HttpServerRequest.HttpServerRequest): string | undefined => {
  const key = bearer.exec(headers["authorization"] ?? "")?.[1]
  return key !== undefined && isKeyShaped(key) ? key : undefined
}

/** The session of a request: that of its cookie, if it has no Authorization. */
export const sessionOf = (request: HttpServerRequest.HttpServerRequest): string | undefined =>
  request.headers["authorization"] === undefined ? tokenOf(request) : undefined
