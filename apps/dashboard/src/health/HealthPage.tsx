import type { PlatformHealth } from "@sightline/contract/HealthApi"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { run } from "@sightline/dashboard/Query"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { countText, durationText, nothing, percentText, platformText } from "@sightline/dashboard/text/Format"
import { When } from "@sightline/dashboard/text/When.tsx"
import { useQuery } from "@tanstack/react-query"
import { healthText, overallText, stateOf } from "./HealthWords.ts"

interface Row {
  readonly name: string
  readonly health: typeof PlatformHealth.Type
}

const columns = [
  { header: "Platform", sortable: true, value: ({ name }: Row) => platformText(name) },
  {
    header: "Status",
    sortable: true,
    value: ({ health: { status } }: Row) => stateOf(status).text,
    cell: ({ health: { status } }: Row) => <Status tone={stateOf(status).tone}>{stateOf(status).text}</Status>
  },
  {
    header: "Answered",
    figure: true,
    sortable: true,
    value: ({ health: { success_rate_7d } }: Row) => success_rate_7d,
    cell: ({ health: { success_rate_7d } }: Row) => percentText(success_rate_7d)
  },
  {
    header: "95 % within",
    figure: true,
    sortable: true,
    value: ({ health: { p95_latency_ms } }: Row) => p95_latency_ms,
    cell: ({ health: { p95_latency_ms } }: Row) => (p95_latency_ms === null ? nothing : durationText(p95_latency_ms))
  },
  {
    header: "Captures",
    figure: true,
    sortable: true,
    value: ({ health: { sample_size_7d } }: Row) => sample_size_7d,
    cell: ({ health: { sample_size_7d } }: Row) => countText(sample_size_7d)
  },
  { header: "In words", value: ({ health }: Row) => healthText(health) }
]

/** The recent reliability of each platform. */
export const HealthPage = () => {
  const { data, error, refetch, dataUpdatedAt } = useQuery({
    queryKey: ["health"],
    queryFn: () => run((api) => api.health.read()),
    refetchInterval: 30_000
  })
  return (
    <Page title="Health" lead="How each platform has answered calls with live keys over the last seven days.">
      {data !== undefined && (
        <p role="status">
          <strong>{overallText(data.platforms)}</strong>{" "}
          <span className="muted">
            As of <When at={new Date(dataUpdatedAt).toISOString()} />.
          </span>
        </p>
      )}
      <Section title="Platforms">
        <DataTable
          caption="Health of the platforms"
          captionHidden
          name="health"
          columns={columns}
          rows={
            data === undefined ? undefined : Object.entries(data.platforms).map(([name, health]) => ({ name, health }))
          }
          keyOf={({ name }) => name}
          empty={<Empty title="No platform is known." />}
          failure={error}
          onRetry={() => void refetch()}
        />
        <p className="muted">
          A page that was looked at and shows no AI answer counts as answered. The status is that of the last hours
          where enough was asked in them; the figures are always the week’s.
        </p>
      </Section>
    </Page>
  )
}
