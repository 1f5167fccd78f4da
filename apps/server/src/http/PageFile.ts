import { Cache, Duration, Effect, Exit, Option } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { readFile, stat } from "node:fs/promises"
import { extname, join } from "node:path"
import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { accepts } from "./Accepts.ts"

/** A file for browsers, in memory, in every encoding that makes it smaller. */
export interface PageFile {
  readonly contentType: string
  readonly etag: string
  readonly plain: Uint8Array
  readonly encoded: Readonly<Partial<Record<"br" | "gzip", Uint8Array>>>
}

/** The content types of the dashboard's files, by extension. No other file of the folder is served. */
const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".txt": "text/plain; charset=utf-8"
}

const compressible = /^(?:text\/|image\/svg|application\/json)/

const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

// The first request waits for the compression. A higher quality saves a fiftieth of three megabytes, but takes three times as long.
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

const encode = async (contentType: string, plain: Uint8Array): Promise<PageFile["encoded"]> =>
  compressible.test(contentType) ? { br: await brotli(plain, quality), gzip: await gzipped(plain, { level: 9 }) } : {}

/** Compresses off the event loop; call it once for content that does not change. */
export const pack = async (plain: Uint8Array, contentType: string): Promise<PageFile> => {
  const etag = `W/"${hash("sha256", plain, "base64url").slice(0, 22)}"`
  return { contentType, etag, plain, encoded: await encode(contentType, plain) }
}

/** The encoding to send, of those that the browser accepts. */
const encodingOf = ({ encoded }: PageFile, accepted: string | undefined): "br" | "gzip" | undefined =>
  (["br", "gzip"] as const).find((encoding) => encoded[encoding] !== undefined && accepts(accepted, encoding))

/** Answers with a file, or with a 304 if the browser has it already. */
export const send = (
  { headers: asked }: HttpServerRequest.HttpServerRequest,
  file: PageFile,
  more: Readonly<Record<string, string>>
) => {
  const headers = { ...more, etag: file.etag, vary: "accept-encoding" }
  if (asked["if-none-match"] === file.etag) return HttpServerResponse.empty({ status: 304, headers })
  const encoding = encodingOf(file, asked["accept-encoding"])
  return HttpServerResponse.uint8Array(encoding === undefined ? file.plain : (file.encoded[encoding] ?? file.plain), {
    contentType: file.contentType,
    headers: encoding === undefined ? headers : { ...headers, "content-encoding": encoding }
  })
}

/** A file name of a build: without a folder or a leading dot, so that no name leads out of the folder. */
const name = /^[A-Za-z0-9_-][\w.-]*$/

const filesMax = 500

/**
 * The files below a folder, read and compressed at the first request.
 *
 * Laws: a file that was rebuilt is read again; one that does not exist yet, or could not be read, is tried each time.
 */
export const makePageFiles = Effect.fnUntraced(function* (root: string) {
  const loaded = yield* Cache.makeWith(
    // The modification time is part of the key, so that a replaced file is not served from the cache.
    (key: string) => {
      const path = key.slice(key.indexOf(" ") + 1)
      return Effect.tryPromise(async () => pack(await readFile(path), contentTypes[extname(path)] ?? "text/plain"))
    },
    { capacity: filesMax, timeToLive: (exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero) }
  )
  /** The file with this name in a folder of the root, if it exists and may be served. */
  return (folder: "" | "assets" | "reference", file: string): Effect.Effect<Option.Option<PageFile>> => {
    if (!name.test(file) || contentTypes[extname(file)] === undefined) return Effect.succeed(Option.none())
    const path = join(root, folder, file)
    return Effect.tryPromise(() => stat(path)).pipe(
      Effect.filterOrFail((found) => found.isFile()),
      Effect.flatMap(({ mtimeMs }) => Cache.get(loaded, `${mtimeMs} ${path}`)),
      Effect.option
    )
  }
})
