import type { ReactNode } from "react"
import { CopyButton } from "./CopyButton.tsx"

interface SecretOnceProps {
  /** The name of the secret, such as "Signing secret". */
  readonly label: string
  readonly secret: string
  readonly onDone: () => void
  readonly children?: ReactNode
}

const take = (field: HTMLInputElement | null) => field?.focus()

/**
 * A secret that is shown only this once, with a button to copy it. The caller drops the secret on `onDone`. The field takes the focus,
 * so that a screen reader announces it.
 */
export const SecretOnce = ({ label, secret, onDone, children }: SecretOnceProps) => (
  <>
    {children}
    <label className="secret">
      <span>{label}</span>
      <input ref={take} readOnly value={secret} spellCheck={false} onFocus={(event) => event.currentTarget.select()} />
    </label>
    <p className="muted">Keep it now: it is not shown again.</p>
    <div className="actions">
      <CopyButton text={secret} label={`Copy ${label.toLowerCase()}`} />
      <button type="button" className="primary" onClick={onDone}>
        Done
      </button>
    </div>
  </>
)
