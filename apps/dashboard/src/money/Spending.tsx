import type { UsageResponse } from "@sightline/contract/AccountApi"
import { LineChart } from "@sightline/dashboard/chart/LineChart.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { countText, creditsText, percentText, windowText, wordText } from "@sightline/dashboard/text/Format"
import { type Bucket, bucketsOf } from "./Buckets.ts"
import { Money } from "./Money.tsx"

interface SpendingProps {
  readonly usage: UsageResponse
  readonly now: Date
}

const Headline = ({ usage: { total, window } }: Pick<SpendingProps, "usage">) => (
  <dl className="headline">
    <div>
      <dt>Spent</dt>
      <dd>
        <Money cents={total.cost_cents} />
      </dd>
      <dd className="muted">credits, {windowText(window)} (UTC)</dd>
    </div>
    <div>
      <dt>Calls</dt>
      <dd>{countText(total.calls)}</dd>
      <dd className="muted">answered, also those that were free</dd>
    </div>
    <div>
      <dt>Per call</dt>
      <dd>
        <Money cents={total.calls === 0 ? null : Math.round((total.cost_cents / total.calls) * 10) / 10} />
      </dd>
      <dd className="muted">credits on average</dd>
    </div>
  </dl>
)

const spanOf = (buckets: ReadonlyArray<Bucket>, now: Date) =>
  [buckets[0]?.at ?? now, buckets.at(-1)?.at ?? now] as const

const OverTime = ({ usage, now }: SpendingProps) => {
  const buckets = bucketsOf(usage, now)
  const length = usage.window.granularity === "hour" ? "hour" : "day"
  if (usage.total.cost_cents === 0) return <Empty title="Nothing was spent in this range." />
  return (
    <LineChart
      name={`Credits spent by ${length}`}
      length={length}
      points={buckets.map(({ at, cents }) => ({ at, value: cents }))}
      span={spanOf(buckets, now)}
      range={[0, Math.max(...buckets.map(({ cents }) => cents), 1)]}
      format={creditsText}
    />
  )
}

interface Part {
  readonly name: string
  readonly cents: number
  readonly share: number | null
}

const partColumns = (header: string) => [
  { header, sortable: true, value: ({ name }: Part) => wordText(name) },
  {
    header: "Credits",
    figure: true,
    sortable: true,
    value: ({ cents }: Part) => cents,
    cell: ({ cents }: Part) => <Money cents={cents} />
  },
  {
    header: "Share",
    figure: true,
    sortable: true,
    value: ({ share }: Part) => share,
    cell: ({ share }: Part) => percentText(share)
  }
]

const columnsOf = { mode: partColumns("Mode"), endpoint: partColumns("Endpoint") }

interface PartsProps {
  readonly of: "mode" | "endpoint"
  readonly costs: Readonly<Record<string, number>>
  readonly total: number
}

const Parts = ({ of, costs, total }: PartsProps) => (
  <Section title={`By ${of}`}>
    <DataTable
      caption={`Spending by ${of}`}
      captionHidden
      name={`spending-by-${of}`}
      columns={columnsOf[of]}
      rows={Object.entries(costs)
        .map(([name, cents]) => ({ name, cents, share: total === 0 ? null : cents / total }))
        .toSorted((a, b) => b.cents - a.cents)}
      keyOf={({ name }) => name}
      empty={<Empty title="Nothing was spent in this range." />}
    />
  </Section>
)

/** The spending of a range: over time, by mode and by endpoint. */
export const Spending = ({ usage, now }: SpendingProps) => (
  <>
    <Headline usage={usage} />
    <Section title="Spending over time">
      <OverTime usage={usage} now={now} />
    </Section>
    <div className="columns">
      <Parts of="mode" costs={usage.total.cost_by_mode} total={usage.total.cost_cents} />
      <Parts of="endpoint" costs={usage.total.cost_by_endpoint} total={usage.total.cost_cents} />
    </div>
  </>
)
