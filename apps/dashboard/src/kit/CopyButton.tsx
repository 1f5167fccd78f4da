import { say } from "./Toast.tsx"

interface CopyButtonProps {
  readonly text: string
  readonly label?: string
  /** What is copied, for users of a screen reader, who do not see what is beside the button. */
  readonly of?: string
  /** Whether it is small enough for a table. */
  readonly quiet?: boolean
}

/** Copies a text to the clipboard and confirms it. */
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
