import type { Dice } from "@sightline/sandbox/Dice"
import { Result } from "effect"
import { Base64Url } from "effect/encoding"

const prefix = "AUZIYQ"
const nonceLength = 8

/**
 * A grounding link in the vendor's form. Links to the same page differ between answers. The page is encoded in the link, so
 * nothing has to be stored.
 */
export const redirectTo = (url: string, draw: Dice): string =>
  `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${prefix}${draw.hex(nonceLength)}${Base64Url.encode(new TextEncoder().encode(url))}`

/** The page behind the id of a grounding link; undefined for any other id. Only pages on reserved hosts are returned. */
export const targetOf = (id: string): string | undefined => {
  if (!id.startsWith(prefix)) return undefined
  const decoded = Base64Url.decodeString(id.slice(prefix.length + nonceLength))
  const url = Result.isSuccess(decoded) ? decoded.success : ""
  return /^https:\/\/[a-z0-9.-]+\.example\/[a-z0-9/-]*$/.test(url) ? url : undefined
}
