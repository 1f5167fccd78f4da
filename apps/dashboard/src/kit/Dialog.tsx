import { Dialog as BaseDialog } from "@base-ui/react/dialog"
import { type ReactNode, useRef } from "react"

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The button that opens it; without one it is opened by what happens on the page. */
  readonly label?: string
  readonly disabled?: boolean
  readonly children: ReactNode
}

// Whoever opens a window means to fill it in, not to close it. A touch would bring up the keyboard that is on the screen.
const useFirstField = () => {
  const popup = useRef<HTMLDivElement>(null)
  const find = (by: string) =>
    by === "touch" ? popup.current : (popup.current?.querySelector<HTMLElement>("input, textarea, select") ?? true)
  return { popup, find }
}

/**
 * A window over the page, which opens at its first field. It is closed by its own button or Escape, not by a press beside it, which
 * would lose what was typed.
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
