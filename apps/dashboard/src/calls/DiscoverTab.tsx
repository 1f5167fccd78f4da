import { DiscoverRequest, DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { creditsText } from "@sightline/dashboard/text/Format"
import { toCents } from "@sightline/domain/Credits"
import { discoverOffer } from "@sightline/domain/PriceList"
import { useCall } from "./Call.ts"
import { CallPanel } from "./CallPanel.tsx"
import { DiscoverAnswer } from "./DiscoverAnswer.tsx"
import { SendButton } from "./SendButton.tsx"

const price = creditsText(toCents(discoverOffer.price))

const bodyOf = (values: Values) => {
  const industry = values.optional("industry")
  return {
    brand: values.text("brand"),
    ...(industry === undefined ? {} : { industry }),
    count: Number(values.text("count")),
    language: values.text("language")
  }
}

/** Finds the questions that people ask where a brand would want to be named. */
export const DiscoverTab = () => {
  const { call, submit, resend, refused } = useCall("/v1/discover", DiscoverResponse)
  return (
    <>
      <Section title="Discover questions">
        <Form label="Discover" failure={refused} onSubmit={(values) => submit(DiscoverRequest, bodyOf(values))}>
          <div className="fields">
            <Field name="brand" label="Brand" required hint="1–120 characters." />
            <Field name="industry" label="Industry" hint="Narrows it down; may be empty." />
            <Field name="count" label="Questions" type="number" min={1} max={100} defaultValue={50} hint="1–100." />
            <Field name="language" label="Language" defaultValue="en" hint="A code, such as en." />
          </div>
          <SendButton running={call?.running === true} label={`Discover (${price} credits)`} />
        </Form>
      </Section>
      <CallPanel path="/v1/discover" call={call} onResend={resend}>
        {(answer) => <DiscoverAnswer answer={answer} />}
      </CallPanel>
    </>
  )
}
