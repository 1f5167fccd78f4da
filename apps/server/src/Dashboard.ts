import { Effect, Option } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { join } from "node:path"
import { accepts } from "./http/Accepts.ts"
import { makePageFiles, send } from "./http/PageFile.ts"

/** The folder with the built dashboard and the reference. */
export const built = join(import.meta.dirname, "../../../build/dashboard")

/** The answers of engines are untrusted: the page runs only its own files, and turns no text into markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const guards = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
}

const kept = { ...guards, "cache-control": "public, max-age=31536000, immutable" }
const renewed = { ...guards, "cache-control": "no-cache" }

/** The answer in place of a page that is not built yet. */
export const unbuilt = HttpServerResponse.text(
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="2">
<title>Sightline</title>
<p>This page is being built. It looks again every two seconds. The API works already.</p>
</html>
`,
  {
    status: 503,
    contentType: "text/html; charset=utf-8",
    headers: { ...guards, "cache-control": "no-store", "retry-after": "2" }
  }
)

/** Paths that are never pages: the API answers 404 for those that it does not have. */
const notPages = /^\/+(?:v1|session|assets)(?:\/|$)/

/** The path of a file beside the page, such as its icon. */
const beside = /^\/([^/]+\.[a-z0-9]+)$/

const asset = /^\/assets\/([^/]+)$/

/**
 * The dashboard at `/` and at every path of a page: each path that a browser requests as HTML and that the API does not
 * have. The names of its files under `assets/` contain the hash of their content, so browsers cache them without limit.
 *
 * Shape: reads the folder lazily, so the page may be built while the server runs; until then a placeholder says so.
 */
export const layer = (folder: string) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const find = yield* makePageFiles(folder)
      const missing = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.die(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))

      const page = (request: HttpServerRequest.HttpServerRequest) =>
        Effect.map(find("", "index.html"), (index) =>
          Option.match(index, { onNone: () => unbuilt, onSome: (file) => send(request, file, renewed) })
        )

      const answer = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
        const [path = ""] = request.url.split("?", 1)
        const [, hashed] = asset.exec(path) ?? []
        if (hashed !== undefined) {
          const file = yield* find("assets", hashed)
          return Option.isSome(file) ? send(request, file.value, kept) : yield* missing(request)
        }
        if (notPages.test(path)) return yield* missing(request)
        const [, named] = beside.exec(path) ?? []
        const file = named === undefined ? Option.none() : yield* find("", named)
        if (Option.isSome(file)) return send(request, file.value, renewed)
        const wantsPage = path === "/" || accepts(request.headers["accept"], "text/html")
        return yield* wantsPage ? page(request) : missing(request)
      })

      yield* router.add("GET", "/*", answer)
    })
  )
