import { say } from "./Toast.tsx"

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** What is copied, for those who hear the button and do not see what it stands beside. */
  readonly of?: string
  /** Small enough to stand in a table. */
  readonly quiet?: boolean
}

/** Puts a text on the clipboard and says so. */
export const CopyButton = ({ text, label = "Copy", of, quiet = false }: CopyButtonProps) => {
  const copy = () =>
    globalThis.navigator.clipboard.writeText(text).then(
      () => say("Copied."),
      () => say("The browser refused to copy. Select the text instead.", "bad")
    )
  return (
    <button type="button" className={quiet ? "quiet" : undefined} onClick={() => void copy()}>
      {label}
      {of !== undefined && <span className="hidden"> {of}</span>}
    </button>
  )
}
