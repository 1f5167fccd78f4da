import { CompareResponse, TwoBrands, TwoPairs, TwoQueries } from "@sightline/contract/CompareApi"
import { Failure } from "@sightline/dashboard/Failure"
import { Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { creditsText } from "@sightline/dashboard/text/Format"
import { toCents } from "@sightline/domain/Credits"
import { CompareMode } from "@sightline/domain/Mode"
import { compareOffers } from "@sightline/domain/PriceList"
import { useMemo } from "react"
import { useCall } from "./Call.ts"
import { CallPanel } from "./CallPanel.tsx"
import { CompareAnswer } from "./CompareAnswer.tsx"
import { RegionChoice } from "./RegionChoice.tsx"
import { SendButton } from "./SendButton.tsx"

const titles = { quick: "Quick", perplexity_live: "Perplexity (live)" }
const modes = CompareMode.literals.map((mode) => {
  const { price, platforms } = compareOffers[mode]
  return [mode, `${titles[mode]}: ${creditsText(toCents(price))} credits, ${platforms.length} questions`] as const
})

/** The form's fields for what both sides share. */
const fields = new Map([
  ["query", "query_a"],
  ["brand", "brand_a"]
])

const atFields = ({ code, message, issues, requestId }: Failure) =>
  new Failure({
    code,
    message,
    issues: issues.map((issue) => ({ ...issue, path: fields.get(issue.path) ?? issue.path })),
    ...(requestId === undefined ? {} : { requestId })
  })

// The empty fields decide which of the three bodies is sent.
const bodyOf = (values: Values) => {
  const [query_a, query_b, brand_a, brand_b] = ["query_a", "query_b", "brand_a", "brand_b"].map(values.text)
  const shared = { mode: values.text("mode"), region: values.text("region") }
  if (query_b === "") return { schema: TwoBrands, body: { query: query_a, brand_a, brand_b, ...shared } }
  if (brand_b === "") return { schema: TwoQueries, body: { query_a, query_b, brand: brand_a, ...shared } }
  return { schema: TwoPairs, body: { query_a, query_b, brand_a, brand_b, ...shared } }
}

/** Compares two brands, two questions, or two pairs of them. */
export const CompareTab = () => {
  const { call, submit, resend, refused } = useCall("/v1/compare", CompareResponse)
  // The same object on every render: a new one would move the focus to the refused field again.
  const failure = useMemo(() => refused && atFields(refused), [refused])
  const compare = (values: Values) => {
    const { schema, body } = bodyOf(values)
    submit<unknown, unknown>(schema, body)
  }
  return (
    <>
      <Section title="Compare two sides">
        <Form label="Compare" failure={failure} onSubmit={compare}>
          <div className="fields">
            <Field name="query_a" label="Question" required hint="1–500 characters." />
            <Field name="query_b" label="Question of B" hint="Empty: the same question." />
          </div>
          <div className="fields">
            <Field name="brand_a" label="Brand" required hint="1–120 characters." />
            <Field name="brand_b" label="Brand of B" hint="Empty: the same brand." />
          </div>
          <div className="fields">
            <Choice name="mode" label="Mode" options={modes} />
            <RegionChoice />
          </div>
          <SendButton running={call?.running === true} label="Compare" />
        </Form>
      </Section>
      <CallPanel path="/v1/compare" call={call} onResend={resend}>
        {(answer) => <CompareAnswer answer={answer} />}
      </CallPanel>
    </>
  )
}
