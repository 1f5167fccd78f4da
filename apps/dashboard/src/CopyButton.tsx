import { say } from "./Toast.tsx"

/** Puts a text on the clipboard and says so. */
export const CopyButton = ({ text, label = "Copy" }: { readonly text: string; readonly label?: string }) => {
  const copy = () =>
    globalThis.navigator.clipboard.writeText(text).then(
      () => say("Copied."),
      () => say("The browser refused to copy. Select the text instead.", "bad")
    )
  return (
    <button type="button" onClick={() => void copy()}>
      {label}
    </button>
  )
}
