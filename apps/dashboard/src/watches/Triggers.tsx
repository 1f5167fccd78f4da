import { Status, type Tone } from "@sightline/dashboard/kit/Status.tsx"
import { wordText } from "@sightline/dashboard/text/Format"
import type { Trigger } from "@sightline/domain/Watch"

const tones = {
  mention_added: "good",
  mention_removed: "bad",
  rank_changed: "warn",
  citation_changed: "plain"
} as const satisfies Record<Trigger, Tone>

/** The kinds of change from one check to the next, as badges. */
export const Triggers = ({ triggers }: { readonly triggers: ReadonlyArray<Trigger> }) => (
  <span className="badges">
    {triggers.map((trigger) => (
      <Status key={trigger} tone={tones[trigger]}>
        {wordText(trigger)}
      </Status>
    ))}
  </span>
)
