import type { FollowedPath } from "@sightline/contract/Progress"

/** A call to be rendered as code for use outside the page. */
interface Snippet {
  readonly path: FollowedPath
  readonly body: unknown
  readonly origin: string
}

const groups: Readonly<Record<FollowedPath, string>> = {
  "/v1/check": "check",
  "/v1/compare": "compare",
  "/v1/ask": "ask",
  "/v1/discover": "discover"
}

// Characters that a terminal interprets or a reader cannot see: controls, and marks that change the direction of text.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, n) => {
    const unit = character.charCodeAt(n).toString(16)
    return String.raw`\u${unit.padStart(4, "0")}`
  }).join("")

// The only line breaks in the output of `JSON.stringify` are those of its indentation.
const jsonText = (body: unknown, indent = 0) =>
  JSON.stringify(body, null, indent).replaceAll(unseen, (at) => (at === "\n" ? at : escaped(at)))

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The call as a shell command, with the key in `$SIGHTLINE_API_KEY`.
 *
 * Laws: curl receives exactly the body; the shell interprets nothing in it, and all of it is visible. Besides curl, the command needs
 * only POSIX programs. Each run is a call of its own.
 */
export const curlOf = ({ path, body, origin }: Snippet): string =>
  [
    `curl -s ${quoted(origin + path)}`,
    `  -H "Authorization: Bearer $SIGHTLINE_API_KEY"`,
    `  -H 'Content-Type: application/json'`,
    `  -H "Idempotency-Key: $(od -An -tx8 -N8 /dev/urandom)"`,
    `  -d ${quoted(jsonText(body))}`
  ].join(" \\\n")

const indented = (body: unknown) => jsonText(body, 2).replaceAll("\n", "\n    ")

/** The call as a TypeScript program that uses the contract's client. */
export const typescriptOf = ({ path, body, origin }: Snippet): string =>
  `import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { bearer, make } from "@sightline/contract/Client"

const program = Effect.gen(function* () {
  const client = yield* make({
    baseUrl: ${JSON.stringify(origin)},
    headers: bearer(process.env.SIGHTLINE_API_KEY ?? "")
  })
  return yield* client.${groups[path]}.run({
    headers: { "idempotency-key": crypto.randomUUID() },
    payload: ${indented(body)}
  })
})

console.log(await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer))))
`
