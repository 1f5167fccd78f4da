import { Field as BaseField } from "@base-ui/react/field"
import { type ReactElement, type ReactNode, useId } from "react"
import type { Options } from "./Options.ts"

interface FieldProps {
  /** The field's dotted path in the request, by which the API names it in its issues. */
  readonly name: string
  readonly label: string
  readonly hint?: ReactNode
  /** A `<textarea>` or `<select>` in place of the text input. */
  readonly control?: ReactElement
  readonly type?: "text" | "number" | "password" | "url"
  readonly required?: boolean
  readonly defaultValue?: string | number
  readonly placeholder?: string
  readonly autoComplete?: string
  readonly minLength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number | "any"
}

/** A labelled input with its hint and its error. Its value is read by name when the form is submitted. */
export const Field = ({ name, label, hint, control, ...input }: FieldProps) => (
  <BaseField.Root name={name} className="field">
    <BaseField.Label>{label}</BaseField.Label>
    {control === undefined ? <BaseField.Control {...input} /> : <BaseField.Control render={control} {...input} />}
    {hint !== undefined && <BaseField.Description className="muted">{hint}</BaseField.Description>}
    <BaseField.Error className="field-error" />
  </BaseField.Root>
)

interface ChoiceProps {
  readonly name: string
  readonly label: string
  readonly options: Options
  readonly defaultValue?: string
  readonly hint?: ReactNode
  /** The chosen value, for a form that depends on it. */
  readonly value?: string
  readonly onChange?: (value: string) => void
}

/** A field for one of a few values. */
export const Choice = ({ options, value, onChange, ...field }: ChoiceProps) => (
  <Field
    {...field}
    control={
      <select {...(value === undefined ? {} : { value })} onChange={(event) => onChange?.(event.currentTarget.value)}>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    }
  />
)

interface BoxesProps {
  readonly name: string
  readonly legend: string
  readonly options: Options
  /** The boxes that are ticked at first; by default all. */
  readonly ticked?: ReadonlyArray<string>
}

/** A group of checkboxes with its error. `FormData.getAll(name)` returns the ticked ones. */
export const Boxes = ({ name, legend, options, ticked }: BoxesProps) => {
  const wrong = useId()
  return (
    <BaseField.Root
      name={name}
      render={(props, { valid }) => (
        <fieldset {...props} className="boxes" aria-describedby={valid === false ? wrong : undefined} />
      )}
    >
      <legend>{legend}</legend>
      {options.map(([value, text]) => (
        <label key={value}>
          <input type="checkbox" name={name} value={value} defaultChecked={ticked?.includes(value) ?? true} /> {text}
        </label>
      ))}
      <BaseField.Error id={wrong} className="field-error" />
    </BaseField.Root>
  )
}
