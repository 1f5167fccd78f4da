import { dayText } from "@sightline/dashboard/text/Format"
import { AxisBottom, AxisLeft } from "@visx/axis"
import { GridRows } from "@visx/grid"
import { Group } from "@visx/group"
import { scaleLinear, scaleUtc } from "@visx/scale"
import { Area, LinePath } from "@visx/shape"
import type { PointerEventHandler } from "react"

/** A value at a point in time, with its interval if that is known. */
export interface Point {
  readonly at: Date
  readonly value: number | null
  readonly low?: number | null
  readonly high?: number | null
}

interface Frame {
  readonly width: number
  readonly height: number
  readonly span: readonly [Date, Date]
  readonly range: readonly [number, number]
}

const margin = { top: 10, right: 10, bottom: 24, left: 44 }

/** The positions of values and times in a frame. Units: pixels of the SVG. */
export const plotOf = ({ width, height, span, range }: Frame) => {
  const inner = { width: Math.max(width - margin.left - margin.right, 1), height: height - margin.top - margin.bottom }
  return {
    width,
    height,
    inner,
    x: scaleUtc({ domain: [...span], range: [0, inner.width] }),
    y: scaleLinear({ domain: [...range], range: [inner.height, 0] })
  }
}
export type Plot = ReturnType<typeof plotOf>

/** The index of the point nearest to an x position in the SVG; undefined without points. */
export const nearest = (points: ReadonlyArray<Point>, { x }: Plot, place: number): number | undefined => {
  const distances = points.map(({ at }) => Math.abs(x(at) + margin.left - place))
  const index = distances.indexOf(Math.min(...distances))
  return index < 0 ? undefined : index
}

interface LinePlotProps {
  readonly name: string
  readonly points: ReadonlyArray<Point>
  readonly plot: Plot
  readonly format: (value: number) => string
  readonly read: number | undefined
  readonly onPointerMove: PointerEventHandler<SVGSVGElement>
  readonly onPointerLeave: () => void
}

/** The drawing of a line over time. */
export const LinePlot = ({ name, points, plot, format, read, ...pointer }: LinePlotProps) => {
  const { x, y, inner } = plot
  const known = points.flatMap(({ at, value }) => (value === null ? [] : [{ at, value }]))
  const between = points.flatMap(({ at, low, high }) => (low == null || high == null ? [] : [{ at, low, high }]))
  const lines = plot.height < 130 ? 2 : 4
  const cursor = read === undefined ? undefined : points[read]
  return (
    <svg
      width={plot.width}
      height={plot.height}
      viewBox={`0 0 ${plot.width} ${plot.height}`}
      role="img"
      aria-label={`${name}, ${points.length} points`}
      {...pointer}
    >
      <Group left={margin.left} top={margin.top}>
        <GridRows scale={y} width={inner.width} numTicks={lines} className="grid" stroke="currentColor" />
        <AxisLeft
          scale={y}
          numTicks={lines}
          hideAxisLine
          hideTicks
          tickFormat={(value) => format(Number(value))}
          tickClassName="tick"
        />
        <AxisBottom
          scale={x}
          top={inner.height}
          numTicks={Math.min(6, Math.max(2, Math.floor(inner.width / 90)))}
          tickFormat={(at) => dayText(new Date(Number(at)))}
          tickClassName="tick"
          axisClassName="axis"
        />
        <Area
          data={between}
          x={({ at }) => x(at)}
          y0={({ low }) => y(low)}
          y1={({ high }) => y(high)}
          className="band"
        />
        {between.length < 3 &&
          between.map(({ at, low, high }) => (
            <line key={at.getTime()} x1={x(at)} x2={x(at)} y1={y(low)} y2={y(high)} className="whisker" />
          ))}
        <LinePath data={known} x={({ at }) => x(at)} y={({ value }) => y(value)} className="line" />
        {known.length <= 45 &&
          known.map(({ at, value }) => <circle key={at.getTime()} cx={x(at)} cy={y(value)} r={2.5} className="dot" />)}
        {cursor !== undefined && (
          <line x1={x(cursor.at)} x2={x(cursor.at)} y1={0} y2={inner.height} className="cursor" />
        )}
      </Group>
    </svg>
  )
}
