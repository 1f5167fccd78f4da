import { Dialog } from "@sightline/dashboard/kit/Dialog.tsx"
import { Boxes, Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { SecretOnce } from "@sightline/dashboard/kit/SecretOnce.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { tenthsText, wordText } from "@sightline/dashboard/text/Format"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Mode } from "@sightline/domain/Mode"
import { Interval, Sensitivity, Trigger } from "@sightline/domain/Watch"
import { useState } from "react"
import { watchCost } from "./WatchCost.ts"
import { useCreateWatch } from "./Watches.ts"

const randomSecret = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("")

const optionsOf = (words: ReadonlyArray<string>) => words.map((word) => [word, wordText(word)] as const)

const sensitivities: Readonly<Record<Sensitivity, string>> = {
  every_change: "Every change",
  evidence: "Evidence: only changes that usual variation does not explain"
}

const bodyOf = (values: Values) => ({
  query: values.text("query"),
  brand: values.text("brand"),
  mode: values.text("mode"),
  interval: values.text("interval"),
  webhook_url: values.text("webhook_url"),
  webhook_secret: values.text("webhook_secret"),
  trigger_on: values.ticked("trigger_on"),
  sensitivity: values.text("sensitivity")
})

const Cost = ({ mode, interval }: { readonly mode: Mode; readonly interval: Interval }) => {
  const { run, runs, month } = watchCost(mode, interval)
  return (
    <p className="note" role="status">
      <span>
        A run costs up to <Money cents={run} /> credits. At this interval that is about {tenthsText(runs)} runs and{" "}
        <strong>
          <Money cents={Math.round(month)} /> credits in 30 days
        </strong>
        .
      </span>
      <span className="muted">Creating is free. Engines that fail are not charged; nothing comes from cache.</span>
    </p>
  )
}

const Schedule = () => {
  const [mode, setMode] = useState<Mode>("quick")
  const [interval, setInterval] = useState<Interval>("daily")
  const chooseMode = (value: string) => setMode(Mode.literals.find((one) => one === value) ?? "quick")
  const chooseInterval = (value: string) => setInterval(Interval.literals.find((one) => one === value) ?? "daily")
  return (
    <>
      <div className="fields">
        <Choice name="mode" label="Mode" options={optionsOf(Mode.literals)} value={mode} onChange={chooseMode} />
        <Choice
          name="interval"
          label="Interval"
          options={optionsOf(Interval.literals)}
          value={interval}
          onChange={chooseInterval}
        />
      </div>
      <Cost mode={mode} interval={interval} />
    </>
  )
}

const Fields = ({ secret }: { readonly secret: string }) => (
  <>
    <Field name="query" label="Question" hint="What the engines are asked, up to 480 characters." required />
    <Field name="brand" label="Brand" hint="The name to look for, up to 100 characters." required />
    <Schedule />
    <Boxes name="trigger_on" legend="Tell me when" options={optionsOf(Trigger.literals)} />
    <Choice
      name="sensitivity"
      label="Sensitivity"
      options={Sensitivity.literals.map((value) => [value, sensitivities[value]])}
    />
    <Field
      name="webhook_url"
      label="Webhook URL"
      type="url"
      placeholder="https://hooks.example.com/sightline"
      hint="https, on a public host."
      required
    />
    <Field
      name="webhook_secret"
      label="Webhook secret"
      defaultValue={secret}
      autoComplete="off"
      minLength={16}
      hint="The key of the signatures, 16 to 128 characters. This one is random; you may use your own."
      required
    />
  </>
)

const Creation = ({ onDone }: { readonly onDone: () => void }) => {
  const [secret, setSecret] = useState(randomSecret)
  const creation = useCreateWatch()
  const create = (values: Values) => {
    const body = bodyOf(values)
    setSecret(body.webhook_secret)
    creation.mutate(body)
  }
  if (creation.data !== undefined)
    return (
      <SecretOnce label="Webhook secret" secret={secret} onDone={onDone}>
        <p>
          The watch was created. It runs first at <When at={creation.data.next_run_at} />.
        </p>
      </SecretOnce>
    )
  return (
    <Form label="New watch" failure={creation.error} onSubmit={create}>
      <Fields secret={secret} />
      <button type="submit" className="primary" disabled={creation.isPending}>
        {creation.isPending ? "Creating…" : "Create watch"}
      </button>
    </Form>
  )
}

/** The button that creates a watch, with its form. */
export const NewWatch = () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog title="New watch" label="New watch" open={open} onOpenChange={setOpen} disabled={useReadOnly()}>
      <Creation onDone={() => setOpen(false)} />
    </Dialog>
  )
}
