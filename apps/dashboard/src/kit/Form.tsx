import { Form as BaseForm } from "@base-ui/react/form"
import type { Failure } from "@sightline/dashboard/Failure"
import { type ReactNode, useLayoutEffect, useRef } from "react"
import { FailureNote } from "./States.tsx"

/** What a form holds when it is sent, by the names of its fields. */
export interface Values {
  /** The field's text without blanks around it; empty when there is no such field. */
  readonly text: (name: string) => string
  /** The field's text to the last blank. */
  readonly exact: (name: string) => string
  /** The text, or undefined when it is empty. */
  readonly optional: (name: string) => string | undefined
  /** Which of the boxes of a name are ticked. */
  readonly ticked: (name: string) => ReadonlyArray<string>
}

const valuesOf = (form: HTMLFormElement): Values => {
  const data = new FormData(form)
  const ticked = (name: string) => data.getAll(name).filter((value) => typeof value === "string")
  const exact = (name: string) => ticked(name)[0] ?? ""
  const text = (name: string) => exact(name).trim()
  return { text, exact, ticked, optional: (name) => text(name) || undefined }
}

// The first field that the API names takes the focus, in the page's order, so that whoever goes by keys is where there is something to do.
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
  /** What the last attempt failed with: each issue is shown at its field, and all of them above. */
  readonly failure: Failure | null
  readonly children: ReactNode
}

/** A form that is sent by script, and shows the API's issues at the fields they name. */
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
