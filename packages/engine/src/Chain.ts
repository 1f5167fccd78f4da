import { createHash } from "node:crypto"
import type { Comparison } from "@sightline/domain/Audit"

/** A row of a chain: its number and its hash. */
export interface Link {
  readonly sequence: number
  readonly hash: string
}

/** A row's place in its chain, after the previous row. `text` is what its hash covers in addition. */
export const chained = (last: Link, { sequence, hash }: Link, text: string): ReadonlyArray<Comparison> => {
  const expected = createHash("sha256").update(Buffer.from(last.hash, "hex")).update(text, "utf8").digest("hex")
  return [
    ["sequence", last.sequence + 1, sequence],
    ["hash", expected, hash]
  ]
}
