import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar } from "effect/http-api"
import { createHash } from "node:crypto"
import { Api } from "@sightline/contract/Api"

const script = /<script>([\s\S]*?)<\/script>/g

/**
 * What the reference may do: run the scripts that it comes with and speak to this server. It shares the dashboard's origin, and
 * with it whoever is signed in there.
 */
const policyOf = (page: string): string => {
  const hashes = Array.from(page.matchAll(script), ([, source = ""]) =>
    createHash("sha256").update(source).digest("base64")
  )
  return [
    "default-src 'none'",
    `script-src ${hashes.map((hash) => `'sha256-${hash}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")
}

/** The page never changes, so its policy is made once. */
const policies = new WeakMap<object, string>()

const policed = (response: HttpServerResponse.HttpServerResponse) => {
  const { body } = response
  if (body._tag !== "Uint8Array") return response
  const policy = policies.get(body) ?? policyOf(new TextDecoder().decode(body.body))
  policies.set(body, policy)
  return HttpServerResponse.setHeader(response, "content-security-policy", policy)
}

/** `/docs`: the interface for people, without anything from elsewhere. */
export const layer = HttpApiScalar.layer(Api, {
  path: "/docs",
  scalar: { withDefaultFonts: false }
}).pipe(Layer.provide(HttpRouter.middleware((app) => Effect.map(app, policed)).layer))
