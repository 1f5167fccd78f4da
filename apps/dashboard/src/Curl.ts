// What a terminal acts on or a reader cannot see: controls, directions of writing, breaks of lines.
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const escaped = (character: string) =>
  Array.from(
    { length: character.length },
    (_, n) => String.raw`\u${character.charCodeAt(n).toString(16).padStart(4, "0")}`
  ).join("")

const jsonText = (body: unknown): string =>
  JSON.stringify(body, null, 2).replaceAll(unseen, (at) => (at === "\n" ? at : escaped(at)))

/** A text as one word of a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

/**
 * A call of the API as a command to paste, with the key taken from the environment.
 *
 * Laws: the shell hands curl exactly the body; nothing of the body is run, and nothing of it is unseen.
 */
export const curlOf = (origin: string, path: string, body: unknown): string =>
  [
    `curl -sS ${quoted(`${origin}${path}`)}`,
    `-H "Authorization: Bearer $SIGHTLINE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d ${quoted(jsonText(body))}`
  ].join(" \\\n  ")
