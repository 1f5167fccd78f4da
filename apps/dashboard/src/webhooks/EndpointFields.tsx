import { Boxes, Field } from "@sightline/dashboard/kit/Field.tsx"
import type { Values } from "@sightline/dashboard/kit/Form.tsx"
import { WebhookEvent } from "@sightline/domain/Webhook"
import type { Endpoint } from "./Webhooks.ts"

/** The values of an endpoint's fields, as a request body. */
export const endpointOf = (values: Values) => ({
  url: values.text("url"),
  description: values.optional("description") ?? null,
  events: values.ticked("events"),
  enabled: values.ticked("enabled").length > 0
})

/** The fields of an endpoint, empty for a new one. */
export const EndpointFields = ({ endpoint }: { readonly endpoint?: Endpoint }) => (
  <>
    <Field
      name="url"
      label="URL"
      type="url"
      placeholder="https://hooks.example.com/sightline"
      hint="https, on a public host."
      required
      {...(endpoint && { defaultValue: endpoint.url })}
    />
    <Field
      name="description"
      label="Description"
      hint="For yourself, up to 200 characters."
      {...(endpoint && { defaultValue: endpoint.description ?? "" })}
    />
    <Boxes
      name="events"
      legend="Events"
      options={WebhookEvent.literals.map((event) => [event, event])}
      ticked={endpoint?.events ?? ["ask.completed"]}
    />
    <Boxes
      name="enabled"
      legend="State"
      options={[["yes", "Enabled: it receives its events"]]}
      ticked={endpoint?.enabled === false ? [] : ["yes"]}
    />
  </>
)
