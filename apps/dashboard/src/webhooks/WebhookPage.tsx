import { Fact, Facts } from "@sightline/dashboard/kit/Facts.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { QueryView } from "@sightline/dashboard/kit/States.tsx"
import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { When } from "@sightline/dashboard/text/When.tsx"
import { useState } from "react"
import { Link, useParams } from "wouter"
import { DeliveryTable } from "./DeliveryTable.tsx"
import { EndpointActions } from "./EndpointActions.tsx"
import { EndpointFields, endpointOf } from "./EndpointFields.tsx"
import { endpointName } from "./EndpointName.ts"
import { type Endpoint, useEndpoint, useUpdateEndpoint } from "./Webhooks.ts"

// How often the endpoint was changed elsewhere. The form's own changes do not count, because it already shows them.
const useChangedElsewhere = (now: string, saved: string | undefined): number => {
  const [seen, see] = useState({ now, times: 0 })
  if (seen.now === now) return seen.times
  const times = now === saved ? seen.times : seen.times + 1
  see({ now, times })
  return times
}

const fieldsOf = ({ url, description, events, enabled }: Endpoint) =>
  JSON.stringify([url, description, events, enabled])

const Edit = ({ endpoint }: { readonly endpoint: Endpoint }) => {
  const update = useUpdateEndpoint(endpoint.id)
  const times = useChangedElsewhere(fieldsOf(endpoint), update.data && fieldsOf(update.data.webhook))
  const save = (values: Values) => update.mutate(endpointOf(values), { onSuccess: () => say("Saved.", "good") })
  return (
    // Reset after a change elsewhere, so that an old form does not undo it.
    <Form key={times} label="Edit endpoint" failure={update.error} onSubmit={save}>
      <EndpointFields endpoint={endpoint} />
      <button type="submit" className="primary" disabled={useReadOnly() || update.isPending}>
        {update.isPending ? "Saving…" : "Save"}
      </button>
    </Form>
  )
}

const Found = ({ endpoint }: { readonly endpoint: Endpoint }) => (
  <>
    <Section title="This endpoint">
      <Facts>
        <Fact name="Created">
          <When at={endpoint.created_at} />
        </Fact>
        <Fact name="Changed">
          <When at={endpoint.updated_at} />
        </Fact>
        <Fact name="Id">
          <code>{endpoint.id}</code>
        </Fact>
      </Facts>
      <Edit endpoint={endpoint} />
    </Section>
    <Section title="Deliveries">
      <DeliveryTable filter={{ webhook_id: endpoint.id }} />
    </Section>
  </>
)

/** One endpoint: its events, its secret and its deliveries. */
export const WebhookPage = () => {
  const { id = "" } = useParams()
  const found = useEndpoint(id)
  const { data } = found
  return (
    <Page
      title={data === undefined ? "Endpoint" : endpointName(data)}
      lead={<Link href="/webhooks">All endpoints</Link>}
      actions={data === undefined ? undefined : <EndpointActions id={id} />}
    >
      <QueryView query={found} lines={8} label="Loading the endpoint">
        {(endpoint) => <Found endpoint={endpoint} />}
      </QueryView>
    </Page>
  )
}
