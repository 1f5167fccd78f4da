import { Dialog as BaseDialog } from "@base-ui/react/dialog"
import { type ReactNode, useRef } from "react"

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The label of the button that opens it; without one the page opens it. */
  readonly label?: string
  readonly disabled?: boolean
  readonly children: ReactNode
}

// The first field takes the focus, and not the button that closes the dialog. After a touch it does not: the on-screen keyboard would open.
const useFirstField = () => {
  const popup = useRef<HTMLDivElement>(null)
  const find = (by: string) =>
    by === "touch" ? popup.current : (popup.current?.querySelector<HTMLElement>("input, textarea, select") ?? true)
  return { popup, find }
}

/**
 * A modal dialog, which opens with the focus in its first field. Its own button and Escape close it; a click outside does not, because
 * what was typed would be lost.
 */
export const Dialog = ({ title, open, onOpenChange, label, disabled = false, children }: DialogProps) => {
  const { popup, find } = useFirstField()
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal>
      {label !== undefined && (
        <BaseDialog.Trigger className="primary" disabled={disabled}>
          {label}
        </BaseDialog.Trigger>
      )}
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="backdrop" />
        <BaseDialog.Popup ref={popup} initialFocus={find} className="dialog">
          <div className="section-head">
            <BaseDialog.Title>{title}</BaseDialog.Title>
            <BaseDialog.Close className="quiet" aria-label="Close">
              ×
            </BaseDialog.Close>
          </div>
          {children}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  )
}
