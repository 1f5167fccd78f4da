import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { bucketText, nothing } from "@sightline/dashboard/text/Format"
import { type PointerEvent, useState } from "react"
import { LinePlot, nearest, type Plot, type Point, plotOf } from "./LinePlot.tsx"
import { useWidth } from "./Width.ts"

interface LineChartProps {
  readonly name: string
  readonly points: ReadonlyArray<Point>
  readonly span: readonly [start: Date, end: Date]
  /** Values at the bottom and at the top; for ranks the top is 1. */
  readonly range: readonly [bottom: number, top: number]
  readonly format: (value: number) => string
  /** The length of time that each point stands for. */
  readonly length?: "day" | "hour"
  readonly height?: number
}

interface Reading {
  readonly format: (value: number) => string
  readonly length: "day" | "hour"
}

const readout = ({ at, value, low, high }: Point, { format, length }: Reading) => {
  const interval = low == null || high == null ? "" : ` (${format(low)}–${format(high)})`
  return `${bucketText(at, length)}: ${value === null ? nothing : format(value)}${interval}`
}

const Figures = ({ name, points, format, length }: Pick<LineChartProps, "name" | "points"> & Reading) => (
  <details className="figures">
    <summary>Figures</summary>
    <DataTable
      caption={`Figures of ${name}`}
      captionHidden
      name={name.toLowerCase().replaceAll(/\W+/g, "-")}
      rows={points}
      keyOf={({ at }) => at.toISOString()}
      empty={nothing}
      columns={[
        { header: "Time", value: ({ at }) => at.toISOString(), cell: ({ at }) => bucketText(at, length) },
        {
          header: "Value",
          figure: true,
          value: ({ value }) => value,
          cell: ({ value }) => (value === null ? nothing : format(value))
        },
        {
          header: "Low",
          figure: true,
          value: ({ low }) => low ?? null,
          cell: ({ low }) => (low == null ? nothing : format(low))
        },
        {
          header: "High",
          figure: true,
          value: ({ high }) => high ?? null,
          cell: ({ high }) => (high == null ? nothing : format(high))
        }
      ]}
    />
  </details>
)

/** The point whose value is shown: the one under the pointer, or the one selected with the arrow keys. */
const useReading = (points: ReadonlyArray<Point>, plot: Plot) => {
  const [index, setIndex] = useState<number>()
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left } = event.currentTarget.getBoundingClientRect()
    setIndex(nearest(points, plot, event.clientX - left))
  }
  return { index, follow, setIndex, leave: () => setIndex(undefined) }
}

/** A line chart over time with the interval as a band. It is read with the pointer or the arrow keys, and is also given as a table. */
export const LineChart = ({ name, points, span, range, format, length = "day", height = 180 }: LineChartProps) => {
  const [ref, width] = useWidth<HTMLDivElement>()
  const plot = plotOf({ width, height, span, range })
  const { index, follow, setIndex, leave } = useReading(points, plot)
  const last = points.length - 1
  const read = points[index ?? last]
  const said = read === undefined ? "" : readout(read, { format, length })
  return (
    <figure className="chart">
      <figcaption>
        <span>{name}</span>
        <output className="muted">{said}</output>
      </figcaption>
      <div ref={ref} className="chart-box" style={{ blockSize: height }}>
        {width > 0 && (
          <LinePlot
            name={name}
            points={points}
            plot={plot}
            format={format}
            read={index}
            onPointerMove={follow}
            onPointerLeave={leave}
          />
        )}
        {last > 0 && (
          <input
            type="range"
            className="chart-cursor"
            aria-label={`${name}: point in time`}
            aria-valuetext={said}
            min={0}
            max={last}
            value={index ?? last}
            onChange={(event) => setIndex(event.currentTarget.valueAsNumber)}
          />
        )}
      </div>
      <Figures name={name} points={points} format={format} length={length} />
    </figure>
  )
}
