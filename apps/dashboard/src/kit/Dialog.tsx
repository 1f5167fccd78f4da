import { Dialog as BaseDialog } from "@base-ui/react/dialog"
import type { ReactNode } from "react"

interface DialogProps {
  readonly title: string
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The button that opens it; without one it is opened by what happens on the page. */
  readonly label?: string
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** A window over the page. It is closed by its own button or Escape, not by a press beside it, which would lose what was typed. */
export const Dialog = ({ title, open, onOpenChange, label, disabled = false, children }: DialogProps) => (
  <BaseDialog.Root open={open} onOpenChange={onOpenChange} disablePointerDismissal>
    {label !== undefined && (
      <BaseDialog.Trigger className="primary" disabled={disabled}>
        {label}
      </BaseDialog.Trigger>
    )}
    <BaseDialog.Portal>
      <BaseDialog.Backdrop className="backdrop" />
      <BaseDialog.Popup className="dialog">
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
