import type { Visibility } from "@sightline/contract/VisibilityApi"
import { Bars } from "@sightline/dashboard/chart/Bars.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { countText, percentText, platformText } from "@sightline/dashboard/text/Format"
import { useState } from "react"

const all = ""

/** Share of voice: the brand and the others that answers name, on all surfaces or on one. */
export const ShareOfVoice = ({ visibility }: { readonly visibility: Visibility }) => {
  const [surface, setSurface] = useState(all)
  const { brands } = visibility.platforms.find(({ platform }) => platform === surface) ?? visibility
  const choice = (
    <select aria-label="Surface" value={surface} onChange={(event) => setSurface(event.currentTarget.value)}>
      <option value={all}>All surfaces</option>
      {visibility.platforms.map(({ platform }) => (
        <option key={platform} value={platform}>
          {platformText(platform)}
        </option>
      ))}
    </select>
  )
  return (
    <Section title="Share of voice" actions={choice}>
      {brands.length === 0 ? (
        <Empty title="No brands were seen in the answers." />
      ) : (
        <Bars
          label="Share of all brand mentions in the answers"
          bars={brands.map(({ brand, own, share, answers }) => ({
            name: brand,
            strong: own,
            value: share,
            text: `${percentText(share)} · ${countText(answers)} ${answers === 1 ? "answer" : "answers"}`
          }))}
        />
      )}
    </Section>
  )
}
