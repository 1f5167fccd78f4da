import { Form as BaseForm } from "@base-ui/react/form"
import type { Failure } from "@sightline/dashboard/Failure"
import { type ReactNode, useLayoutEffect, useRef } from "react"
import { FailureNote } from "./States.tsx"

/** The values of a submitted form, by field name. */
export interface Values {
  /** The field's text without white space around it; empty when there is no such field. */
  readonly text: (name: string) => string
  /** The field's text, unchanged. */
  readonly exact: (name: string) => string
  /** The text, or undefined when it is empty. */
  readonly optional: (name: string) => string | undefined
  /** The ticked boxes of a group. */
  readonly ticked: (name: string) => ReadonlyArray<string>
}

const valuesOf = (form: HTMLFormElement): Values => {
  const data = new FormData(form)
  const ticked = (name: string) => data.getAll(name).filter((value) => typeof value === "string")
  const exact = (name: string) => ticked(name)[0] ?? ""
  const text = (name: string) => exact(name).trim()
  return { text, exact, ticked, optional: (name) => text(name) || undefined }
}

// The first refused field in page order takes the focus, so that keyboard users are where a correction is needed.
const useRefusal = (failure: Failure | null) => {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    const refused = new Set(failure?.issues.map(({ path }) => path))
    const fields = Array.from(form.current?.elements ?? [])
    const first = fields.find((field) => refused.has(field.getAttribute("name") ?? ""))
    if (first instanceof HTMLElement) first.focus()
  }, [failure])
  return form
}

interface FormProps {
  readonly label: string
  readonly onSubmit: (values: Values) => void
  /** The failure of the last attempt: each issue is shown at its field, and all of them above. */
  readonly failure: Failure | null
  readonly children: ReactNode
}

/** A form that is submitted by script, and shows the API's issues at their fields. */
export const Form = ({ label, onSubmit, failure, children }: FormProps) => {
  const form = useRefusal(failure)
  return (
    <BaseForm
      ref={form}
      className="form"
      aria-label={label}
      errors={Object.fromEntries(failure?.issues.map(({ path, message }) => [path, message]) ?? [])}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(valuesOf(event.currentTarget))
      }}
    >
      {failure !== null && <FailureNote failure={failure} />}
      {children}
    </BaseForm>
  )
}
