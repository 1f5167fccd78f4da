import { Fact, Facts } from "@sightline/dashboard/kit/Facts.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { QueryView } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { tenthsText, wordText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { DeliveryTable } from "@sightline/dashboard/webhooks/DeliveryTable.tsx"
import { Link, useParams } from "wouter"
import { Triggers } from "./Triggers.tsx"
import { WatchActions } from "./WatchActions.tsx"
import { watchCost } from "./WatchCost.ts"
import { useWatch, type Watch } from "./Watches.ts"
import { WatchRuns } from "./WatchRuns.tsx"

const Cost = ({ watch: { mode, interval } }: { readonly watch: Watch }) => {
  const { run, runs, month } = watchCost(mode, interval)
  return (
    <>
      up to <Money cents={run} /> credits a run, <Money cents={Math.round(month)} /> in 30 days of about{" "}
      {tenthsText(runs)} runs
    </>
  )
}

const WatchFacts = ({ watch }: { readonly watch: Watch }) => (
  <Facts>
    <Fact name="Status">
      <Status tone={toneOf(watch.status)}>{watch.status}</Status>
    </Fact>
    <Fact name="Next run">
      {watch.status === "active" ? <When at={watch.next_run_at} /> : "none while it is paused"}
    </Fact>
    <Fact name="Brand">
      <HostileText text={watch.brand} />
    </Fact>
    <Fact name="Mode">{wordText(watch.mode)}</Fact>
    <Fact name="Interval">{watch.interval}</Fact>
    <Fact name="Triggers">
      <Triggers triggers={watch.trigger_on} />
    </Fact>
    <Fact name="Sensitivity">{wordText(watch.sensitivity)}</Fact>
    <Fact name="Cost">
      <Cost watch={watch} />
    </Fact>
    <Fact name="Webhook">
      <HostileText text={watch.webhook_url} limit={400} />
    </Fact>
    <Fact name="Created">
      <When at={watch.created_at} />
    </Fact>
    <Fact name="Id">
      <code>{watch.id}</code>
    </Fact>
  </Facts>
)

const Found = ({ watch }: { readonly watch: Watch }) => (
  <>
    <Section title="This watch">
      <WatchFacts watch={watch} />
    </Section>
    <Section title="Runs">
      <WatchRuns watch={watch} />
    </Section>
    <Section title="Deliveries">
      <DeliveryTable filter={{ watch_id: watch.id }} />
    </Section>
  </>
)

/** One watch: its question, its runs and their deliveries. */
export const WatchPage = () => {
  const { id = "" } = useParams()
  const found = useWatch(id)
  const { data } = found
  return (
    <Page
      title={data === undefined ? "Watch" : data.query}
      lead={<Link href="/watches">All watches</Link>}
      actions={data === undefined ? undefined : <WatchActions watch={data} />}
    >
      <QueryView query={found} lines={8} label="Loading the watch">
        {(watch) => <Found watch={watch} />}
      </QueryView>
    </Page>
  )
}
