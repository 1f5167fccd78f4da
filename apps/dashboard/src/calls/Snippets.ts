import type { FollowedPath } from "@sightline/contract/Progress"

/** A call written down for use outside the page. */
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

// What a terminal acts on or a reader cannot see: controls, and the marks that turn the direction of writing.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string) =>
  Array.from({ length: character.length }, (_, n) => {
    const unit = character.charCodeAt(n).toString(16)
    return String.raw`\u${unit.padStart(4, "0")}`
  }).join("")

// The only line breaks of JSON as it is written here are between its parts.
const jsonText = (body: unknown, indent = 0) =>
  JSON.stringify(body, null, indent).replaceAll(unseen, (at) => (at === "\n" ? at : escaped(at)))

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * The call as a line for a shell; the key stands in `$SIGHTLINE_API_KEY`.
 *
 * Laws: curl is handed exactly the body; the shell reads nothing of it, and nothing of it is unseen. It takes no program but those of
 * POSIX, and each time it is run it is a call of its own.
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

/** The call as a program with the contract's own client. */
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
