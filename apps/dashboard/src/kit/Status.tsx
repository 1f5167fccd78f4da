import type { ReactNode } from "react"

/** The tone of a state. */
export type Tone = "good" | "warn" | "bad" | "plain"

const tones: Readonly<Record<string, Tone>> = {
  active: "good",
  answered: "good",
  completed: "good",
  delivered: "good",
  enabled: "good",
  mentioned: "good",
  operational: "good",
  settled: "good",
  asked: "warn",
  degraded: "warn",
  held: "warn",
  pending: "warn",
  queued: "warn",
  running: "warn",
  down: "bad",
  failed: "bad",
  undelivered: "bad"
}

/** The usual tone of one of the API's states. */
export const toneOf = (state: string): Tone => tones[state] ?? "plain"

/** A state as a small badge; the word carries the meaning, the colour only repeats it. */
export const Status = ({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) => (
  <span className="status" data-tone={tone}>
    {children}
  </span>
)
