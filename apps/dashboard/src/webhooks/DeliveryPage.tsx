import type { DeliveryFound } from "@sightline/contract/DeliveryApi"
import { Fact, Facts } from "@sightline/dashboard/kit/Facts.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty, QueryView } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { type Column, DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { durationText, nothing } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { ShortId, shortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Link, useLocation, useParams } from "wouter"
import { type Attempt, useDelivery, useReplay } from "./Deliveries.ts"
import { reasonText } from "./DeliveryReason.ts"

const Reason = ({ reason }: { readonly reason: string | undefined }) =>
  reason === undefined ? (
    nothing
  ) : (
    <>
      <code>{reason}</code> <span className="muted">{reasonText(reason)}</span>
    </>
  )

const columns: ReadonlyArray<Column<Attempt>> = [
  { header: "Attempt", value: ({ number }) => number, figure: true },
  { header: "Started", value: (one) => one.started_at, cell: (one) => <When at={one.started_at} /> },
  {
    header: "Took",
    value: (one) => one.duration_ms,
    cell: (one) => (one.duration_ms === null ? nothing : durationText(one.duration_ms)),
    figure: true
  },
  { header: "Address", value: (one) => one.remote_address ?? null },
  { header: "Status code", value: (one) => one.status_code ?? null, figure: true },
  { header: "Error", value: ({ error }) => error ?? null, cell: ({ error }) => <Reason reason={error} /> },
  { header: "Response", value: (one) => one.response_excerpt ?? null },
  {
    header: "x-svc-delivery-id",
    value: (one) => one.delivery_id,
    cell: (one) => <ShortId id={one.delivery_id} />
  }
]

const Receiver = ({ delivery: { watch_id: watch, webhook_id: endpoint } }: { readonly delivery: DeliveryFound }) => {
  if (watch !== undefined)
    return (
      <Fact name="Watch">
        <Link href={`/watches/${watch}`}>{watch}</Link>
      </Fact>
    )
  return (
    <Fact name="Endpoint">
      {endpoint === undefined ? nothing : <Link href={`/webhooks/${endpoint}`}>{endpoint}</Link>}
    </Fact>
  )
}

const Source = ({ delivery: { run_id: run, ask_id: ask } }: { readonly delivery: DeliveryFound }) => (
  <Fact name={run === undefined ? "Ask" : "Run"}>
    <code>{run ?? ask ?? nothing}</code>
  </Fact>
)

const Found = ({ delivery }: { readonly delivery: DeliveryFound }) => (
  <>
    <Section title="This delivery">
      <Facts>
        <Fact name="Status">
          <Status tone={toneOf(delivery.status)}>{delivery.status}</Status>
        </Fact>
        <Fact name="Reason">
          <Reason reason={delivery.reason} />
        </Fact>
        <Fact name="Next attempt">
          <When at={delivery.next_attempt_at} />
        </Fact>
        <Fact name="Event">
          <code>{delivery.event}</code>
        </Fact>
        <Receiver delivery={delivery} />
        <Source delivery={delivery} />
        <Fact name="URL">
          <HostileText text={delivery.url} limit={400} />
        </Fact>
        <Fact name="Created">
          <When at={delivery.created_at} />
        </Fact>
        <Fact name="Id">
          <code>{delivery.id}</code>
        </Fact>
      </Facts>
    </Section>
    <Section title="Attempts">
      <DataTable
        caption="Attempts"
        captionHidden
        name={`delivery-${delivery.id}-attempts`}
        columns={columns}
        rows={delivery.attempts}
        keyOf={(attempt) => attempt.delivery_id}
        empty={<Empty title="It has not been attempted yet." />}
      />
    </Section>
  </>
)

const Replay = ({ id }: { readonly id: string }) => {
  const [, go] = useLocation()
  const replay = useReplay()
  const again = () =>
    replay.mutate(id, {
      onSuccess: (made) => {
        say("The same bytes go out again, as this new delivery.")
        go(`/deliveries/${made.id}`)
      },
      onError: ({ message }) => say(message, "bad")
    })
  return (
    <button type="button" disabled={useReadOnly() || replay.isPending} onClick={again}>
      Replay
    </button>
  )
}

/** One delivery and each attempt at it. */
export const DeliveryPage = () => {
  const { id = "" } = useParams()
  const found = useDelivery(id)
  const { data } = found
  return (
    <Page
      title={`Delivery ${shortId(id)}`}
      lead={<Link href="/webhooks">All deliveries</Link>}
      actions={data === undefined ? undefined : <Replay id={id} />}
    >
      <QueryView query={found} lines={8} label="Loading the delivery">
        {(delivery) => <Found delivery={delivery} />}
      </QueryView>
    </Page>
  )
}
