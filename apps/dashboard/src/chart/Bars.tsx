import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"

/** One bar: its name, its length as a share of the longest, and its figure in words. */
export interface Bar {
  readonly name: string
  readonly value: number
  readonly text: string
  readonly strong?: boolean
}

/** A bar chart. The longest bar fills the width; texts state what the lengths show. */
export const Bars = ({ label, bars }: { readonly label: string; readonly bars: ReadonlyArray<Bar> }) => {
  const longest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE)
  return (
    <ol className="bars" aria-label={label}>
      {bars.map(({ name, value, text, strong = false }) => (
        <li key={name} data-strong={strong}>
          <span>
            <HostileText text={name} limit={80} />
          </span>
          <span className="bar-text">{text}</span>
          <span className="bar-rail" aria-hidden="true">
            <span style={{ inlineSize: `${(value / longest) * 100}%` }} />
          </span>
        </li>
      ))}
    </ol>
  )
}
