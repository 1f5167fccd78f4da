import { DateTime, Result } from "effect"
import type { Citation } from "@sightline/domain/Answer"
import { interpret, tally, compare } from "@sightline/domain/Compare"
import { toCents } from "@sightline/domain/Credits"
import { slotOf } from "@sightline/domain/Platform"
import type { CompareOutcome, SideSighting } from "@sightline/engine/CompareRunner"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { membersOf, withBalance } from "./BalanceAfter.ts"
import { brandingOf, renderFailure } from "./CheckRendering.ts"

const seenOn = (sightings: ReadonlyArray<SideSighting>, side: "a" | "b") =>
  sightings.flatMap((one) => (one.side === side && Result.isSuccess(one.result) ? [one.result.success] : []))

const renderSide = ({ result }: SideSighting) => {
  if (Result.isFailure(result)) return null
  const { mentioned, rank, context } = result.success.visibility
  return { mentioned, rank, context }
}

/** The values of `field`, by slot and then by side. */
const bySlot = <A>(sightings: ReadonlyArray<SideSighting>, field: (sighting: SideSighting) => A | undefined) => {
  const slots: Record<string, Record<string, A>> = {}
  for (const sighting of sightings) {
    const value = field(sighting)
    if (value !== undefined) (slots[slotOf(sighting.platform)] ??= {})[sighting.side] = value
  }
  return slots
}

const failureOf = ({ result }: SideSighting) => (Result.isFailure(result) ? renderFailure(result.failure) : undefined)

/** The citations of all answers, each once, in order of first appearance. */
const citationsOf = (sightings: ReadonlyArray<SideSighting>): ReadonlyArray<Citation> => {
  const byUrl = new Map<string, Citation>()
  for (const { answer } of [...seenOn(sightings, "a"), ...seenOn(sightings, "b")]) {
    for (const citation of answer.citations) if (!byUrl.has(citation.url)) byUrl.set(citation.url, citation)
  }
  return [...byUrl.values()]
}

/** The 200 of a comparison without the balance, which only the settling statement knows. */
export const renderCompare = (requestId: string, outcome: CompareOutcome): ReplyTemplate => {
  const { id, comparison, sightings, createdAt, durationMillis, charge } = outcome
  const { a, b } = comparison
  const tallies = [
    tally(seenOn(sightings, "a").map(({ visibility }) => visibility)),
    tally(seenOn(sightings, "b").map(({ visibility }) => visibility))
  ] as const
  const { deltaPct, winner } = compare(...tallies)
  const errors = bySlot(sightings, failureOf)
  const body = {
    request_id: requestId,
    id,
    mode: "compare",
    query_a: a.query,
    query_b: b.query,
    brand_a: a.brand,
    brand_b: b.brand,
    providers: bySlot(sightings, renderSide),
    ...(Object.keys(errors).length === 0 ? {} : { errors }),
    delta_pct: deltaPct,
    winner,
    interpretation: interpret(comparison, ...tallies),
    citations: citationsOf(sightings).map(({ url, title }) => ({ url, title, branding: brandingOf(url) })),
    created_at: DateTime.formatIso(createdAt),
    duration_ms: durationMillis,
    cost_cents: toCents(charge)
  }
  return withBalance(membersOf(body))
}
