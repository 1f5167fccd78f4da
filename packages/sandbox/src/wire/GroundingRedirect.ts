import type { Dice } from "@sightline/sandbox/Dice"
import { Result } from "effect"
import { Base64Url } from "effect/encoding"

const prefix = "AUZIYQ"
const nonceLength = 8

/**
 * A grounding link as the vendor writes it. Links to the same page differ between answers, and the page can be read
 * back from the link, so that nothing has to be remembered.
 */
export const redirectTo = (url: string, draw: Dice): string =>
  `https://vertexaisearch.cloud.google.com/grounding-api-redirect/${prefix}${draw.hex(nonceLength)}${Base64Url.encode(new TextEncoder().encode(url))}`

/** The page behind the id of a grounding link; nothing for an id of another make. Only reserved hosts are ever named. */
export const targetOf = (id: string): string | undefined => {
  if (!id.startsWith(prefix)) return undefined
  const decoded = Base64Url.decodeString(id.slice(prefix.length + nonceLength))
  const url = Result.isSuccess(decoded) ? decoded.success : ""
  return /^https:\/\/[a-z0-9.-]+\.example\/[a-z0-9/-]*$/.test(url) ? url : undefined
}
