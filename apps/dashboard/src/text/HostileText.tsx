import { type ReactNode, useState } from "react"
import { cut } from "./Cut.ts"
import { countText } from "./Format.ts"

/** Characters of an untrusted text that are rendered at once. */
const step = 4000

interface HostileTextProps {
  readonly text: string
  /** Characters shown before "Show more" is pressed. */
  readonly limit?: number
  /** Renders the shown part, for instance with a mention marked; text nodes only. */
  readonly draw?: (shown: string) => ReactNode
}

/** Untrusted text: text nodes only, its direction isolated from the text around it, a long text in steps. */
export const HostileText = ({ text, limit = step, draw }: HostileTextProps) => {
  const [length, setLength] = useState(limit)
  const shown = cut(text, length)
  const words = (
    <bdi dir="auto" className="hostile">
      {draw === undefined ? shown : draw(shown)}
    </bdi>
  )
  if (text.length <= limit) return words
  // A long text can take the focus when its button disappears with the last step.
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
