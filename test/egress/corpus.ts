import { readFileSync } from "node:fs"

/** A URL from an untrusted source, and the expected decision. Shape: `dns` has the results of a name's look-ups, in order. */
export interface Case {
  readonly id: string
  readonly sink: "webhook" | "citation"
  readonly url: string
  readonly expect: "allow" | "deny"
  readonly stage: "register" | "connect" | "redirect"
  readonly why: string
  readonly dns?: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>>
  readonly must_connect_only_to?: ReadonlyArray<string>
}

/** The cases of `test/fixtures/egress/ssrf-urls.json`. */
export const corpus: { readonly count: number; readonly cases: ReadonlyArray<Case> } = JSON.parse(
  readFileSync(new URL("../fixtures/egress/ssrf-urls.json", import.meta.url), "utf8")
)
