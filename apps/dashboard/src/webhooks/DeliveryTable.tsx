import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { type Column, DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { nothing } from "@sightline/dashboard/text/Format"
import { shortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Link } from "wouter"
import { type Delivery, type DeliveryFilter, useDeliveries } from "./Deliveries.ts"
import { reasonText } from "./DeliveryReason.ts"

const columns: ReadonlyArray<Column<Delivery>> = [
  {
    header: "Delivery",
    value: ({ id }) => id,
    cell: ({ id }) => (
      <Link href={`/deliveries/${id}`} aria-label={`Delivery ${shortId(id)}`}>
        <code title={id}>{shortId(id)}</code>
      </Link>
    )
  },
  {
    header: "Created",
    value: (delivery) => delivery.created_at,
    cell: (delivery) => <When at={delivery.created_at} />,
    sortable: true
  },
  { header: "Event", value: ({ event }) => event, cell: ({ event }) => <code>{event}</code>, sortable: true },
  {
    header: "Status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{status}</Status>,
    sortable: true
  },
  {
    header: "Reason",
    value: ({ reason }) => reason ?? null,
    cell: ({ reason }) => (reason === undefined ? nothing : <code title={reasonText(reason)}>{reason}</code>)
  },
  {
    header: "Next attempt",
    value: (delivery) => delivery.next_attempt_at,
    cell: (delivery) => <When at={delivery.next_attempt_at} />,
    sortable: true
  },
  { header: "URL", value: ({ url }) => url }
]

/** A table of deliveries, newest first. */
export const DeliveryTable = ({ filter }: { readonly filter: DeliveryFilter }) => (
  <DataTable
    caption="Deliveries"
    captionHidden
    name="deliveries"
    columns={columns}
    keyOf={({ id }) => id}
    empty={
      <Empty title={filter.status === undefined ? "No deliveries yet." : "No such deliveries."}>
        <p>An asynchronous ask that ends, and a watch that fires, are delivered to your server.</p>
      </Empty>
    }
    {...useDeliveries(filter)}
  />
)
