import { AskAccepted, AskRequest } from "@sightline/contract/AskApi"
import { AskProvider, AskResult } from "@sightline/contract/AskResult"
import { Boxes, Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { creditsText, platformText } from "@sightline/dashboard/text/Format"
import { toCents } from "@sightline/domain/Credits"
import type { AskMode } from "@sightline/domain/Mode"
import { LlmPlatform } from "@sightline/domain/Platform"
import { priceOf } from "@sightline/domain/PriceList"
import { Schema } from "effect"
import { AskAnswer } from "./AskAnswer.tsx"
import { useCall } from "./Call.ts"
import { CallPanel } from "./CallPanel.tsx"
import { QueuedAsk } from "./QueuedAsk.tsx"
import { SendButton } from "./SendButton.tsx"

const Answered = Schema.Union([AskResult, AskAccepted])

// An answer does not repeat which brands were looked for.
const trackedIn = Schema.decodeUnknownSync(Schema.Struct({ track_brands: Schema.Array(Schema.String) }))

const providers = AskProvider.literals.map((provider) => [provider, platformText(provider)] as const)

const price = (mode: AskMode) =>
  creditsText(toCents(priceOf({ endpoint: "ask", mode, platforms: [LlmPlatform.literals[0]] })))

const modes = [
  ["live", `At once: ${price("live")} credits a provider, ${price("live_no_search")} without a search`],
  ["standard", `Queued: ${price("standard")} credits a provider, ${price("standard_no_search")} without a search`]
] as const

// Text that is not a number is passed on unchanged, so that the contract's schema reports it.
const figure = (text: string | undefined, name: string) =>
  text === undefined ? {} : { [name]: Number.isNaN(Number(text)) ? text : Number(text) }

const bodyOf = (values: Values) => {
  const [system, country] = [values.optional("system_message"), values.optional("country")]
  return {
    prompt: values.text("prompt"),
    ...(system === undefined ? {} : { system_message: system }),
    providers: values.ticked("providers"),
    track_brands: values
      .text("track_brands")
      .split(/[,\n]/)
      .map((brand) => brand.trim())
      .filter((brand) => brand !== ""),
    web_search: values.ticked("web_search").length > 0,
    ...(country === undefined ? {} : { country }),
    params: {
      ...figure(values.optional("params.temperature"), "temperature"),
      ...figure(values.optional("params.max_tokens"), "max_tokens")
    },
    mode: values.text("mode")
  }
}

const More = () => (
  <details className="part">
    <summary>System message, country and limits</summary>
    <Field name="system_message" label="System message" hint="1–480 characters." />
    <div className="fields">
      <Field name="country" label="Country" hint="Two letters, such as US." />
      <Field name="params.temperature" label="Temperature" type="number" min={0} max={2} step="any" hint="0–2." />
      <Field name="params.max_tokens" label="Tokens at most" type="number" min={1} max={8000} hint="1–8000." />
    </div>
  </details>
)

/** Sends a prompt to LLM providers, at once or queued. */
export const AskTab = () => {
  const { call, submit, resend, refused } = useCall("/v1/ask", Answered)
  return (
    <>
      <Section title="Ask the providers">
        <Form label="Ask" failure={refused} onSubmit={(values) => submit(AskRequest, bodyOf(values))}>
          <Field name="prompt" label="Prompt" required hint="1–480 characters." control={<textarea rows={3} />} />
          <div className="fields">
            <Field name="track_brands" label="Brands to look for" hint="Up to 10, with commas between." />
            <Choice name="mode" label="When" options={modes} />
          </div>
          <Boxes name="providers" legend="Providers" options={providers} />
          <Boxes name="web_search" legend="Search" options={[["yes", "Search the web first"]]} />
          <More />
          <SendButton running={call?.running === true} label="Ask" />
        </Form>
      </Section>
      <CallPanel path="/v1/ask" call={call} onResend={resend}>
        {(answer, { body }) => {
          const tracked = trackedIn(body).track_brands
          return "ask_id" in answer ? (
            <QueuedAsk accepted={answer} tracked={tracked} />
          ) : (
            <AskAnswer answer={answer} tracked={tracked} />
          )
        }}
      </CallPanel>
    </>
  )
}
