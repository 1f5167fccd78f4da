import type { CompareResponse, CompareSide } from "@sightline/contract/CompareApi"
import { type Cell, fields, parts, type Screen, table } from "./Table.ts"

const verdict = (side: typeof CompareSide.Type | null, code: string | undefined): string => {
  if (side === null) return `failed${code === undefined ? "" : `: ${code}`}`
  if (!side.mentioned) return "no"
  return side.rank === null ? "yes" : `yes, #${side.rank}`
}

/** A comparison: both sides per platform, then the side that is named more often. */
export const showCompared = (compared: CompareResponse, screen: Screen): string => {
  const errors = Object.entries(compared.errors ?? {})
  const rows = Object.entries(compared.providers).map(([platform, { a, b }]): ReadonlyArray<Cell> => {
    const failed = errors.find(([name]) => name === platform)?.[1]
    return [platform, verdict(a, failed?.a?.code), verdict(b, failed?.b?.code)]
  })
  return parts(
    fields({
      compare: compared.id,
      a: `${compared.brand_a} in "${compared.query_a}"`,
      b: `${compared.brand_b} in "${compared.query_b}"`
    }),
    table(screen, ["platform", "a", "b"], rows),
    fields({
      winner: compared.winner,
      delta: `${compared.delta_pct} %`,
      meaning: compared.interpretation,
      cost: `${compared.cost_cents} credits`,
      balance: compared.balance_after_cents
    })
  )
}
