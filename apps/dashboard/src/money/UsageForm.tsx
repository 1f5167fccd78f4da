import { ChargedEndpoint } from "@sightline/contract/AccountApi"
import { Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { wordText } from "@sightline/dashboard/text/Format"
import { AskMode, Mode } from "@sightline/domain/Mode"
import { useState } from "react"
import { lastDays, ranges, type UsageChoice } from "./UsageChoice.ts"

const all = ["", "All"] as const
const day = <input type="date" />
const optionOf = (word: string) => [word, wordText(word)] as const

interface UsageFormProps {
  readonly choice: UsageChoice
  readonly choose: (changes: Readonly<Record<string, string | undefined>>) => void
  readonly now: Date
}

const Ranges = ({ choice, choose, now }: UsageFormProps) => (
  <div className="segments" role="group" aria-label="Range">
    {ranges.map((count) => (
      <button
        key={count}
        type="button"
        aria-pressed={choice.days === count}
        onClick={() => choose(lastDays(count, now))}
      >
        {count} days
      </button>
    ))}
  </div>
)

const Granularity = ({ choice, choose }: Omit<UsageFormProps, "now">) => (
  <div className="segments" role="group" aria-label="Granularity">
    {(["day", "hour"] as const).map((granularity) => (
      <button
        key={granularity}
        type="button"
        aria-pressed={choice.granularity === granularity}
        disabled={granularity === "hour" && !choice.canBeHourly}
        title={granularity === "hour" && !choice.canBeHourly ? "For at most 31 days" : undefined}
        onClick={() => choose({ granularity })}
      >
        By {granularity}
      </button>
    ))}
  </div>
)

/** The form that chooses the spending to show. */
export const UsageForm = ({ choice, choose, now }: UsageFormProps) => {
  const { start, end = "", narrowed } = choice
  const { endpoint = "", mode = "" } = narrowed
  const [sent, setSent] = useState(0)
  const submit = ({ optional }: Values) => {
    choose({
      start: optional("start"),
      end: optional("end"),
      endpoint: optional("endpoint"),
      mode: optional("mode")
    })
    setSent(sent + 1)
  }
  return (
    <>
      <div className="actions">
        <Ranges choice={choice} choose={choose} now={now} />
        <Granularity choice={choice} choose={choose} />
      </div>
      {/* A field is reset when its own choice changes. All are reset after a submission, which may not have been accepted. */}
      <Form key={sent} label="Filter usage" failure={null} onSubmit={submit}>
        <div className="fields narrow">
          <Field key={`from ${start}`} name="start" label="From (UTC)" defaultValue={start} control={day} />
          <Field
            key={`to ${end}`}
            name="end"
            label="To (UTC)"
            hint="Empty: up to now."
            defaultValue={end}
            control={day}
          />
          <Choice
            key={`endpoint ${endpoint}`}
            name="endpoint"
            label="Endpoint"
            defaultValue={endpoint}
            options={[all, ...ChargedEndpoint.literals.map(optionOf)]}
          />
          <Choice
            key={`mode ${mode}`}
            name="mode"
            label="Mode"
            defaultValue={mode}
            options={[all, ...[...Mode.literals, ...AskMode.literals].map(optionOf)]}
          />
        </div>
        <button type="submit" className="primary">
          Show
        </button>
      </Form>
    </>
  )
}
