import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { type Column, DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { cut } from "@sightline/dashboard/text/Cut"
import { ShortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Link } from "wouter"
import { DeliveryLog } from "./DeliveryLog.tsx"
import { NewEndpoint } from "./NewEndpoint.tsx"
import { SignatureCheck } from "./SignatureCheck.tsx"
import { type Endpoint, useEndpoints } from "./Webhooks.ts"

const columns: ReadonlyArray<Column<Endpoint>> = [
  {
    header: "URL",
    value: ({ url }) => url,
    cell: ({ id, url }) => (
      <Link href={`/webhooks/${id}`}>
        <bdi dir="auto" className="hostile">
          {cut(url, 160)}
        </bdi>
      </Link>
    ),
    sortable: true
  },
  { header: "Description", value: ({ description }) => description, sortable: true },
  {
    header: "Events",
    value: ({ events }) => events.join(" "),
    cell: ({ events }) => <code>{events.join(", ")}</code>
  },
  {
    header: "State",
    value: ({ enabled }) => (enabled ? "enabled" : "disabled"),
    cell: ({ enabled }) => <Status tone={enabled ? "good" : "plain"}>{enabled ? "enabled" : "disabled"}</Status>,
    sortable: true
  },
  {
    header: "Created",
    value: (endpoint) => endpoint.created_at,
    cell: (endpoint) => <When at={endpoint.created_at} />,
    sortable: true
  },
  { header: "Endpoint", value: ({ id }) => id, cell: ({ id }) => <ShortId id={id} /> }
]

const Endpoints = () => {
  const { data, error, refetch } = useEndpoints()
  return (
    <DataTable
      caption="Endpoints"
      captionHidden
      name="webhook-endpoints"
      columns={columns}
      rows={data}
      keyOf={({ id }) => id}
      failure={error}
      onRetry={() => void refetch()}
      empty={
        <Empty title="No endpoints yet.">
          <p>An endpoint is notified when an asynchronous ask has ended. A watch notifies its own webhook URL.</p>
        </Empty>
      }
    />
  )
}

/** The endpoints, the deliveries to them and to the receivers of watches, and a form that verifies a signature. */
export const WebhooksPage = () => (
  <Page
    title="Webhooks"
    lead="The endpoints that receive events, and the deliveries to them."
    actions={<NewEndpoint />}
  >
    <Section title="Endpoints">
      <Endpoints />
    </Section>
    <Section title="Deliveries">
      <DeliveryLog />
    </Section>
    <Section title="Verify a signature">
      <SignatureCheck />
    </Section>
  </Page>
)
