import { HttpServerResponse } from "effect/http"

/**
 * A document of a simulated site.
 *
 * Shape: `body` and `style` are markup of this package, which includes other text only through `escaped`. `scripts` are
 * plain JavaScript, one text each. `data` is their `pageData`.
 */
export interface Page {
  readonly title: string
  readonly body: string
  readonly status?: number
  readonly style?: string
  readonly scripts?: ReadonlyArray<string>
  readonly data?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** A text, escaped for markup and attributes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? "")

/** A value for a script: JSON in which no tag can end the script. */
export const scripted = (value: unknown): string => JSON.stringify(value ?? null).replaceAll("<", "\\u003c")

const base = "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:48rem;padding:1rem}[hidden]{display:none!important}"

/** The page as an HTTP response. */
export const servePage = (page: Page): HttpServerResponse.HttpServerResponse => {
  const { body, data, headers, scripts = [], status = 200, style = "", title } = page
  const script = scripts.length === 0 ? "" : `<script>const pageData=${scripted(data)};\n${scripts.join("\n")}</script>`
  return HttpServerResponse.text(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title>` +
      `<style>${base}${style}</style></head><body>${body}${script}</body></html>`,
    { status, contentType: "text/html; charset=utf-8", ...(headers !== undefined && { headers }) }
  )
}
