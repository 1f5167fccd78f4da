import { type ReactNode, useState } from "react"
import { cut } from "./Cut.ts"
import { countText } from "./Format.ts"

/** Characters of a stranger's text that are laid out at once. */
const step = 4000

interface HostileTextProps {
  readonly text: string
  /** Characters shown before "Show more" is pressed. */
  readonly limit?: number
  /** Draws what is shown, for instance with a mention marked; text nodes only. */
  readonly draw?: (shown: string) => ReactNode
}

/** Text that strangers wrote: text nodes only, its direction isolated from what is around it, a long one in steps. */
export const HostileText = ({ text, limit = step, draw }: HostileTextProps) => {
  const [length, setLength] = useState(limit)
  const shown = cut(text, length)
  const words = (
    <bdi dir="auto" className="hostile">
      {draw === undefined ? shown : draw(shown)}
    </bdi>
  )
  if (text.length <= limit) return words
  // What has more takes the focus when its button goes away with the last of it.
  return (
    <span className="hostile" tabIndex={-1}>
      {words}
      {shown.length < text.length && (
        <button type="button" className="quiet" onClick={() => setLength(length + step)}>
          … show more ({countText(text.length - shown.length)} characters left)
        </button>
      )}
    </span>
  )
}
