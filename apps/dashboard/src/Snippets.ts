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

const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The call as a line for a shell; the key stands in `$SIGHTLINE_KEY`. Laws: nothing of the body is read by the shell. */
export const curlOf = ({ path, body, origin }: Snippet): string =>
  [
    `curl -s ${quoted(origin + path)}`,
    `  -H "Authorization: Bearer $SIGHTLINE_KEY"`,
    `  -H 'Content-Type: application/json'`,
    `  -H "Idempotency-Key: $(uuidgen)"`,
    `  -d ${quoted(JSON.stringify(body))}`
  ].join(" \\\n")

const indented = (body: unknown) => JSON.stringify(body, null, 2).replaceAll("\n", "\n    ")

/** The call as a program with the contract's own client. */
export const typescriptOf = ({ path, body, origin }: Snippet): string =>
  `import { Effect } from "effect"
import { FetchHttpClient } from "effect/http"
import { bearer, make } from "@sightline/contract/Client"

const program = Effect.gen(function* () {
  const client = yield* make({
    baseUrl: ${JSON.stringify(origin)},
    headers: bearer(process.env.SIGHTLINE_KEY ?? "")
  })
  return yield* client.${groups[path]}.run({
    headers: { "idempotency-key": crypto.randomUUID() },
    payload: ${indented(body)}
  })
})

console.log(await Effect.runPromise(program.pipe(Effect.provide(FetchHttpClient.layer))))
`
