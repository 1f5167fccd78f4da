import type { DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { fields, parts, type Screen, table } from "./Table.ts"

/** A discovery: its questions, best first. */
export const showDiscovered = (found: DiscoverResponse, screen: Screen): string =>
  parts(
    table(
      screen,
      ["score", "intent", "question"],
      found.candidates.map(({ score, intent, query }) => [score, intent, query])
    ),
    found.errors === undefined
      ? ""
      : table(
          screen,
          ["platform", "failed with"],
          Object.entries(found.errors).map(([platform, { code, message }]) => [platform, `${code}: ${message}`])
        ),
    fields({
      discovery: found.id,
      cost: `${found.cost_cents} credits${found.cached ? ", from cache" : ""}`,
      balance: found.balance_after_cents
    })
  )
