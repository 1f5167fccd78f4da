import { AlertDialog } from "@base-ui/react/alert-dialog"
import { type ReactNode, useState } from "react"

interface ConfirmProps {
  /** The label of the button that opens the question. */
  readonly label: string
  /** The object of the action, for users of a screen reader, who do not see what is beside the button. */
  readonly of?: string
  readonly title: string
  /** What will happen, so that the user can decide. */
  readonly children: ReactNode
  /** The label of the confirming button; a verb. */
  readonly action: string
  readonly onConfirm: () => void
  readonly danger?: boolean
  readonly disabled?: boolean
}

/** A button whose action needs a confirmation. */
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
  // The button can still be pressed while the dialog closes.
  const confirm = () => {
    if (!open) return
    setOpen(false)
    onConfirm()
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(wanted) => setOpen(wanted && !disabled)}>
      {/* Not `disabled`: the button gets the focus back while the action runs, and a disabled one cannot take it. */}
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
