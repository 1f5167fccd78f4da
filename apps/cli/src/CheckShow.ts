import type { CheckResponse } from "@sightline/contract/CheckApi"
import { type Cell, fields, parts, type Screen, table } from "./Table.ts"

const cost = ({ cost_cents, balance_after_cents, cache_hit }: CheckResponse) =>
  fields({ cost: `${cost_cents} credits${cache_hit ? ", from cache" : ""}`, balance: balance_after_cents })

/** A check: a line per platform, then what it cost. */
export const showCheck = (check: CheckResponse, screen: Screen): string => {
  const answered = Object.entries(check.providers).map(([platform, slot]): ReadonlyArray<Cell> => {
    const seen = slot.surface_present === false ? "no answer shown" : slot.mentioned
    return [platform, seen, slot.rank, slot.citations.length, slot.context]
  })
  const failed = Object.entries(check.errors ?? {}).map(([platform, { code, message }]): ReadonlyArray<Cell> => [
    platform,
    "failed",
    null,
    null,
    `${code}: ${message}`
  ])
  const rows = [...answered, ...failed]
  return parts(
    fields({ check: check.id, query: check.query, brand: check.brand, mode: check.mode }),
    table(screen, ["platform", "mentioned", "rank", "citations", "context"], rows),
    cost(check)
  )
}
