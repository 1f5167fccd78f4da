import { Api } from "@sightline/contract/Api"
import { Effect, Layer, Option } from "effect"
import { HttpRouter } from "effect/http"
import { OpenApi } from "effect/http-api"
import { hash } from "node:crypto"
import * as Dashboard from "./Dashboard.ts"
import { makePageFiles, pack, type PageFile, send } from "./http/PageFile.ts"

const script = /<script>([\s\S]*?)<\/script>/g

/**
 * What the reference page may do: run its own scripts and call this server. It shares the dashboard's origin, and therefore its
 * session.
 */
const policyOf = ({ plain }: PageFile): string => {
  const page = new TextDecoder().decode(plain)
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

const renewed = { "cache-control": "no-cache" }

/** `/docs`: the reference for people, without external resources. It is built with the dashboard; its policy comes from its own text. */
const page = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const find = yield* makePageFiles(Dashboard.built)
    const policies = new WeakMap<PageFile, string>()
    const guarded = (file: PageFile) => {
      const policy = policies.get(file) ?? policyOf(file)
      policies.set(file, policy)
      return { ...renewed, "content-security-policy": policy }
    }
    yield* router.add("GET", "/docs", (request) =>
      Effect.map(
        find("reference", "index.html"),
        Option.match({ onNone: () => Dashboard.unbuilt, onSome: (file) => send(request, file, guarded(file)) })
      )
    )
  })
)

/** `/openapi.json`: the description for programs. It is rendered and compressed once, at the first request. */
const description = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const written = Effect.sync(() => new TextEncoder().encode(JSON.stringify(OpenApi.fromApi(Api))))
    const packed = written.pipe(Effect.flatMap((bytes) => Effect.promise(() => pack(bytes, "application/json"))))
    const file = yield* Effect.cached(packed)
    yield* router.add("GET", "/openapi.json", (request) => Effect.map(file, (found) => send(request, found, renewed)))
  })
)

/** The paths of the reference. */
export const paths: ReadonlyArray<string> = ["/docs", "/openapi.json"]

/** The descriptions of the API, for people and for programs. */
export const layer = Layer.merge(page, description)
