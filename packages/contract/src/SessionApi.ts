import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Environment } from "@sightline/domain/Platform"
import { instant } from "./Instant.ts"
import {
  Forbidden,
  InternalError,
  InvalidRequest,
  RateLimited,
  RequestFailed,
  TypeUnsupported,
  Unauthorized
} from "./Problem.ts"

/** The header that every change with a session needs: the `csrf_token` of the session. */
export const csrfHeader = "x-csrf-token"

/** The cookie of a session. With this prefix browsers reject it without TLS, and from any other host. Loopback counts as secure. */
export const sessionCookie = "__Host-sightline"

/** Body of `POST /session`. */
export const SignIn = Schema.Struct({ key: Schema.String }).annotate({ identifier: "SignIn" })

/** A signed-in browser: its cookie replaces the key, which the browser does not keep. */
export const SessionFound = Schema.Struct({
  request_id: Schema.String,
  key_id: Schema.String.annotate({ format: "uuid" }),
  environment: Environment,
  read_only: Schema.Boolean,
  csrf_token: Schema.String.annotate({ description: `The header \`${csrfHeader}\` of every change.` }),
  expires_at: instant
}).annotate({ identifier: "SessionFound", description: "The session, and the token that changes by cookie need." })
export type SessionFound = typeof SessionFound.Type

/** `/session`: signs a browser in with an API key, by a cookie that scripts cannot read. */
export class SessionApi extends HttpApiGroup.make("session").add(
  HttpApiEndpoint.post("signIn", "/session", {
    payload: SignIn,
    success: SessionFound.pipe(HttpApiSchema.status(201)),
    error: [InvalidRequest, Unauthorized, Forbidden, RequestFailed, TypeUnsupported, RateLimited, InternalError]
  }).annotateMerge(
    OpenApi.annotations({ summary: "Sign in", description: "Extension. Turns an API key into a session cookie." })
  ),
  HttpApiEndpoint.get("read", "/session", {
    success: SessionFound,
    error: [InvalidRequest, Unauthorized, InternalError]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Get the session",
      description: "Extension. The session that the cookie belongs to."
    })
  ),
  HttpApiEndpoint.delete("signOut", "/session", {
    success: HttpApiSchema.NoContent.annotate({ description: "The session has ended." }),
    error: [InvalidRequest, Forbidden, RequestFailed, TypeUnsupported, InternalError]
  }).annotateMerge(
    OpenApi.annotations({
      summary: "Sign out",
      description: "Extension. Ends the session, if there is one."
    })
  )
) {}

const byCookie = { session: [] }

const csrfParameter = {
  name: csrfHeader,
  in: "header",
  required: false,
  schema: { type: "string", description: "`csrf_token` of the session; needed if there is one." }
} as const

/** Describes the session's cookie, and which calls take it. Other calls of programs are described with the key alone. */
export const withSession: typeof OpenApi.Transform.Service = (description) => {
  description["components"].securitySchemes["session"] = {
    type: "apiKey",
    in: "cookie",
    name: sessionCookie,
    description: "A signed-in browser. Only the dashboard's own pages can sign in; programs send the key."
  }
  const paths: OpenApi.OpenAPISpecPaths = description["paths"]
  const { get, delete: remove } = paths["/session"] ?? {}
  if (get !== undefined) get.security = [byCookie]
  // Signing out without a session is no error.
  if (remove !== undefined) Object.assign(remove, { security: [byCookie, {}], parameters: [csrfParameter] })
  return description
}
