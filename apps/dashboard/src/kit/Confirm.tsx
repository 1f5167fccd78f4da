import { AlertDialog } from "@base-ui/react/alert-dialog"
import { type ReactNode, useState } from "react"

interface ConfirmProps {
  /** The button that asks. */
  readonly label: string
  /** What it is about, for those who hear the button and do not see what it stands beside. */
  readonly of?: string
  readonly title: string
  /** What will happen, for someone who has to decide. */
  readonly children: ReactNode
  /** The button that does it; a verb. */
  readonly action: string
  readonly onConfirm: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
}

/** A button whose deed is done only after a question. */
export const Confirm = ({
  label,
  of,
  title,
  children,
  action,
  onConfirm,
  danger = false,
  disabled = false
}: ConfirmProps) => {
  const [open, setOpen] = useState(false)
  // It can still be pressed while it goes away.
  const confirm = () => {
    if (!open) return
    setOpen(false)
    onConfirm()
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(wanted) => setOpen(wanted && !disabled)}>
      {/* It gets the focus back when the deed has begun, which one that is disabled would not. */}
      <AlertDialog.Trigger aria-disabled={disabled}>
        {label}
        {of !== undefined && <span className="hidden"> {of}</span>}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title>{title}</AlertDialog.Title>
          <AlertDialog.Description render={<div className="question" />}>{children}</AlertDialog.Description>
          <div className="actions">
            <AlertDialog.Close>Cancel</AlertDialog.Close>
            <button type="button" className={danger ? "danger" : "primary"} onClick={confirm}>
              {action}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
