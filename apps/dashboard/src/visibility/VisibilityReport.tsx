import type { Visibility } from "@sightline/contract/VisibilityApi"
import { LineChart } from "@sightline/dashboard/chart/LineChart.tsx"
import type { Point } from "@sightline/dashboard/chart/LinePlot.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { countText, percentText, platformText, shareText, tenthsText } from "@sightline/dashboard/text/Format"
import { Changes } from "./Changes.tsx"
import { ShareOfVoice } from "./ShareOfVoice.tsx"

type Series = Visibility["series"]
type Platform = Visibility["platforms"][number]
interface ReportProps {
  readonly visibility: Visibility
}

const rates = (series: Series): ReadonlyArray<Point> =>
  series.map(({ bucket, rate, low, high }) => ({ at: new Date(bucket), value: rate, low, high }))

const ranks = (series: Series): ReadonlyArray<Point> =>
  series.map(({ bucket, mean_rank }) => ({ at: new Date(bucket), value: mean_rank }))

const spanOf = ({ window }: Visibility) => [new Date(window.start), new Date(window.end)] as const

const share = [0, 1] as const

const Headline = ({ visibility: { total, checks } }: ReportProps) => (
  <dl className="headline">
    <div>
      <dt>Visibility</dt>
      <dd>{percentText(total.rate)}</dd>
      <dd className="muted">
        {total.rate === null ? "no answers" : `95 % interval ${percentText(total.low)}–${percentText(total.high)}`}
      </dd>
    </div>
    <div>
      <dt>Mean rank</dt>
      <dd>{tenthsText(total.mean_rank)}</dd>
      <dd className="muted">where it is ranked</dd>
    </div>
    <div>
      <dt>Answers</dt>
      <dd>{countText(total.answers)}</dd>
      <dd className="muted">{countText(total.mentions)} name it</dd>
    </div>
    <div>
      <dt>Checks</dt>
      <dd>{countText(checks)}</dd>
      <dd className="muted">in the range</dd>
    </div>
  </dl>
)

/** The range of a chart of ranks, with rank 1 at the top. */
const placesIn = (series: Series) =>
  [Math.max(5, ...series.map(({ mean_rank }) => Math.ceil(mean_rank ?? 0))), 1] as const

const OverTime = ({ visibility }: ReportProps) => {
  const { series } = visibility
  return (
    <div className="columns">
      <Section title="Visibility over time">
        <LineChart
          name="Share of answers that name it"
          points={rates(series)}
          span={spanOf(visibility)}
          range={share}
          format={percentText}
        />
      </Section>
      <Section title="Rank over time">
        <LineChart
          name="Mean rank, first on top"
          points={ranks(series)}
          span={spanOf(visibility)}
          range={placesIn(series)}
          format={tenthsText}
        />
      </Section>
    </div>
  )
}

const surfaceColumns = [
  { header: "Surface", value: ({ platform }: Platform) => platformText(platform), sortable: true },
  {
    header: "Visibility",
    figure: true,
    sortable: true,
    value: ({ rate }: Platform) => rate,
    cell: ({ rate, low, high }: Platform) => shareText(rate, low, high)
  },
  {
    header: "Mean rank",
    figure: true,
    sortable: true,
    value: ({ mean_rank }: Platform) => mean_rank,
    cell: ({ mean_rank }: Platform) => tenthsText(mean_rank)
  },
  { header: "Answers", figure: true, sortable: true, value: ({ answers }: Platform) => answers },
  { header: "Name it", figure: true, sortable: true, value: ({ mentions }: Platform) => mentions }
]

const BySurface = ({ visibility }: ReportProps) => (
  <Section title="By surface">
    <DataTable
      caption="Visibility by surface"
      captionHidden
      name="visibility-by-surface"
      columns={surfaceColumns}
      rows={visibility.platforms}
      keyOf={({ platform }) => platform}
      empty={<Empty title="No surface answered in this range." />}
    />
    <div className="multiples">
      {visibility.platforms.map(({ platform, series }) => (
        <div key={platform}>
          <LineChart
            name={`${platformText(platform)}, visibility`}
            points={rates(series)}
            span={spanOf(visibility)}
            range={share}
            format={percentText}
            height={96}
          />
          <LineChart
            name={`${platformText(platform)}, mean rank`}
            points={ranks(series)}
            span={spanOf(visibility)}
            range={placesIn(series)}
            format={tenthsText}
            height={96}
          />
        </div>
      ))}
    </div>
  </Section>
)

const Sources = ({ visibility: { sources } }: ReportProps) => (
  <Section title="Most cited sources">
    <DataTable
      caption="Sites by how many answers cite them"
      captionHidden
      name="cited-sources"
      rows={sources}
      keyOf={({ domain }) => domain}
      empty={<Empty title="No answer cited a source." />}
      columns={[
        { header: "Site", value: ({ domain }) => domain, sortable: true },
        { header: "Answers", figure: true, sortable: true, value: ({ answers }) => answers },
        { header: "Pages", figure: true, sortable: true, value: ({ pages }) => pages }
      ]}
    />
  </Section>
)

/** The report on the answers of a range. */
export const VisibilityReport = ({ visibility }: ReportProps) => (
  <>
    <Headline visibility={visibility} />
    <OverTime visibility={visibility} />
    <BySurface visibility={visibility} />
    <div className="columns">
      <ShareOfVoice visibility={visibility} />
      <Sources visibility={visibility} />
    </div>
    <Changes changes={visibility.changes} />
  </>
)
