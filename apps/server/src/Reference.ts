import { Api } from "@sightline/contract/Api"
import { Effect, Layer } from "effect"
import { type HttpBody, HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import { pack, type PageFile, send } from "./http/PageFile.ts"

const script = /<script>([\s\S]*?)<\/script>/g

/**
 * What the reference may do: run the scripts that it comes with and speak to this server. It shares the dashboard's origin, and
 * with it whoever is signed in there.
 */
const policyOf = (page: string): string => {
  const hashes = Array.from(page.matchAll(script), ([, source = ""]) => hash("sha256", source, "base64"))
  return [
    "default-src 'none'",
    `script-src ${hashes.map((one) => `'sha256-${one}'`).join(" ")}`,
    "style-src 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'"
  ].join("; ")
}

/** The page with its language, which the library does not say: without it a screen reader reads it in its user's. */
const inEnglish = (page: string) => page.replace("<html>", '<html lang="en">')

/**
 * Gives out what a route answers as a file: it never changes, so it is packed once, when it is first asked for. `guards` are made
 * of its text.
 */
const unchanging = (guards: (text: string) => Readonly<Record<string, string>>, edit = (text: string) => text) => {
  const packed = new WeakMap<object, Promise<readonly [PageFile, Readonly<Record<string, string>>]>>()
  const made = async ({ body, contentType }: HttpBody.Uint8Array) => {
    const text = edit(new TextDecoder().decode(body))
    const file = await pack(new TextEncoder().encode(text), contentType)
    return [file, { ...guards(text), "cache-control": "no-cache" }] as const
  }
  return HttpRouter.middleware((app) =>
    Effect.gen(function* () {
      const response = yield* app
      const { body } = response
      if (body._tag !== "Uint8Array") return response
      const making = packed.get(body) ?? made(body)
      packed.set(body, making)
      const [file, headers] = yield* Effect.promise(() => making)
      return send(yield* HttpServerRequest.HttpServerRequest, file, headers)
    })
  ).layer
}

/** `/docs`: the interface for people, without anything from elsewhere. */
const page = HttpApiScalar.layer(Api, {
  path: "/docs",
  scalar: { authentication: { preferredSecurityScheme: "bearer" }, withDefaultFonts: false }
}).pipe(Layer.provide(unchanging((text) => ({ "content-security-policy": policyOf(text) }), inEnglish)))

/** `/openapi.json`: the interface for programs. */
const description = HttpRouter.use((router) =>
  Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(Api))).pipe(
    Effect.cached,
    Effect.flatMap((response) => router.add("GET", "/openapi.json", response))
  )
).pipe(Layer.provide(unchanging(() => ({}))))

/** The paths of the reference. */
export const paths: ReadonlyArray<string> = ["/docs", "/openapi.json"]

/** The interface, for people and for programs. */
export const layer = Layer.merge(page, description)
