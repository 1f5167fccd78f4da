import { firstBytes, storable } from "@sightline/domain/Storable"

const textMaxBytes = 256 * 1024
const excerptMaxCodePoints = 300

/** An upstream's text, made storable and cut to 256 KiB of UTF-8, so that a reply with it fits into a message on the bus. */
export const boundedText = (text: string): string => firstBytes(storable(text), textMaxBytes)

/** A title or excerpt, storable and cut to 300 code points. Source: contract, citation `text`. */
export const excerpt = (text: string): string => {
  const head = storable(text.slice(0, 2 * excerptMaxCodePoints))
  return head.length <= excerptMaxCodePoints ? head : Array.from(head).slice(0, excerptMaxCodePoints).join("")
}
