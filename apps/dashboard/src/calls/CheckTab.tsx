import { CheckRequest, CheckResponse } from "@sightline/contract/CheckApi"
import { Provider } from "@sightline/contract/PlatformName"
import { Boxes, Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { MissingDataNote } from "@sightline/dashboard/kit/States.tsx"
import { run } from "@sightline/dashboard/Query"
import { creditsText, platformText } from "@sightline/dashboard/text/Format"
import { toCents } from "@sightline/domain/Credits"
import { Mode } from "@sightline/domain/Mode"
import { checkOffers } from "@sightline/domain/PriceList"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useCall } from "./Call.ts"
import { CallPanel } from "./CallPanel.tsx"
import { CheckAnswer } from "./CheckAnswer.tsx"
import { RegionChoice } from "./RegionChoice.tsx"
import { SendButton } from "./SendButton.tsx"

const providers = Provider.literals.map((provider) => [provider, platformText(provider)] as const)

const titles: Readonly<Record<string, string>> = { quick: "Quick", all_live: "All live surfaces" }

const modes = Mode.literals.map((mode) => {
  const { price, platforms } = checkOffers[mode]
  const many = platforms.length === 1 ? "" : `, ${platforms.length} platforms`
  return [mode, `${titles[mode] ?? platformText(mode)}: ${creditsText(toCents(price))} credits${many}`] as const
})

const chosenModels = (values: Values) => {
  const chosen = Provider.literals.flatMap((provider) => {
    const model = values.optional(`models.${provider}`)
    return model === undefined ? [] : [[provider, model] as const]
  })
  return chosen.length === 0 ? {} : { models: Object.fromEntries(chosen) }
}

const quickOnly = (values: Values) => {
  const city = values.optional("city")
  return { providers: values.ticked("providers"), ...(city === undefined ? {} : { city }), ...chosenModels(values) }
}

const bodyOf = (values: Values) => ({
  query: values.text("query"),
  brand: values.text("brand"),
  mode: values.text("mode"),
  region: values.text("region"),
  include: ["raw"],
  ...(values.text("mode") === "quick" ? quickOnly(values) : {})
})

const Models = () => {
  const found = useQuery({ queryKey: ["models"], queryFn: () => run((api) => api.account.models()) })
  const { data } = found
  if (data === undefined) return <MissingDataNote what="The models" query={found} />
  return (
    <div className="fields">
      {Provider.literals.map((provider) => (
        <Choice
          key={provider}
          name={`models.${provider}`}
          label={`Model of ${platformText(provider)}`}
          options={[["", "default"], ...data.models[provider].map(({ id }) => [id, id] as const)]}
        />
      ))}
    </div>
  )
}

// Hidden and not removed, so that the choices stay while another mode is selected.
const QuickOptions = ({ hidden }: { readonly hidden: boolean }) => (
  <div className="stack" hidden={hidden}>
    <Boxes name="providers" legend="Providers" options={providers} />
    <details className="part">
      <summary>City and models</summary>
      <Field name="city" label="City" hint="For ChatGPT and Claude; 1–80 characters." />
      <Models />
    </details>
  </div>
)

/** Runs a check: whether, where and in what words engines name a brand. */
export const CheckTab = () => {
  const { call, submit, resend, refused } = useCall("/v1/check", CheckResponse)
  const [mode, setMode] = useState("quick")
  return (
    <>
      <Section title="Check a brand">
        <Form label="Check" failure={refused} onSubmit={(values) => submit(CheckRequest, bodyOf(values))}>
          <Field
            name="query"
            label="Question"
            required
            hint="1–500 characters, as a person would ask."
            control={<textarea rows={2} />}
          />
          <div className="fields">
            <Field name="brand" label="Brand" required hint="1–100 characters." />
            <Choice name="mode" label="Mode" options={modes} value={mode} onChange={setMode} />
            <RegionChoice />
          </div>
          <QuickOptions hidden={mode !== "quick"} />
          <SendButton running={call?.running === true} label="Run the check" />
        </Form>
      </Section>
      <CallPanel path="/v1/check" call={call} onResend={resend}>
        {(answer, { headers }) => <CheckAnswer answer={answer} cache={headers["x-cache-status"]} />}
      </CallPanel>
    </>
  )
}
