import type { HealthResponse, PlatformHealth } from "@sightline/contract/HealthApi"
import { countText, durationText, percentText, platformText } from "@sightline/dashboard/text/Format"

type Health = typeof PlatformHealth.Type
type State = Health["status"]

const states = {
  ok: { text: "working", tone: "good" },
  degraded: { text: "partly working", tone: "warn" },
  down: { text: "down", tone: "bad" },
  unknown: { text: "too little known", tone: "plain" }
} as const satisfies Record<State, unknown>

/** The text and the tone of a platform's state. */
export const stateOf = (status: State) => states[status]

const unbroken = (text: string) => text.replaceAll(" ", "\u00a0")

/** The health of a platform, in a sentence. */
export const healthText = ({
  status,
  success_rate_7d: rate,
  p95_latency_ms: p95,
  sample_size_7d: count
}: Health): string => {
  if (rate === null) return `Too few captures in seven days to judge by: ${countText(count)}, and 20 are needed.`
  const latest = status === "down" && rate >= 0.5 ? " In the last hours most captures failed." : ""
  const within = p95 === null ? "" : `; 95 in 100 of those took at most ${unbroken(durationText(p95))}`
  return `${percentText(rate)} of ${countText(count)} captures in seven days were answered${within}.${latest}`
}

/** The health of all platforms in a sentence, which names those that do not work. */
export const overallText = (platforms: HealthResponse["platforms"]): string => {
  const of = (wanted: State) =>
    Object.entries(platforms).flatMap(([name, { status }]) => (status === wanted ? [platformText(name)] : []))
  const [down, degraded, unknown] = [of("down"), of("degraded"), of("unknown")]
  const said = [
    ...(down.length === 0 ? [] : [`Down: ${down.join(", ")}.`]),
    ...(degraded.length === 0 ? [] : [`Partly working: ${degraded.join(", ")}.`])
  ]
  const all = Object.keys(platforms).length
  if (unknown.length === all) return "Too few captures in the last seven days to judge by."
  if (said.length === 0)
    said.push(unknown.length === 0 ? "Every platform is working." : "Every platform with enough captures is working.")
  if (unknown.length > 0) said.push(`Platforms with too few captures: ${countText(unknown.length)}.`)
  return said.join(" ")
}
