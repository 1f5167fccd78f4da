import type { CheckResponse } from "@sightline/contract/CheckApi"
import { type Cell, fields, parts, type Screen, spoken, table } from "./Table.ts"

const cost = ({ cost_cents, balance_after_cents, cache_hit }: CheckResponse) =>
  fields({ cost: `${cost_cents} credits${cache_hit ? ", from cache" : ""}`, balance: balance_after_cents })

/** The sites behind the citations and the platforms that cite each of them; nothing unless the check included branding. */
const sites = ({ providers }: CheckResponse, screen: Screen): string => {
  const cited = Object.entries(providers).flatMap(([platform, { citations }]) =>
    citations.flatMap(({ branding }) => (branding ? [{ platform, ...branding }] : []))
  )
  const rows = Array.from(
    Map.groupBy(cited, ({ domain }) => domain),
    ([domain, all]): ReadonlyArray<Cell> => {
      const by = new Set(all.map(({ platform }) => platform))
      return [domain, all[0]?.name, Array.from(by).join(" "), all[0]?.icon_url]
    }
  )
  return rows.length === 0 ? "" : table(screen, ["site", "name", "cited by", "icon"], rows)
}

/** A check: one line per platform, then the parts that it included, then its cost. */
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
    sites(check, screen),
    ...Object.entries(check.providers).map(([platform, { raw }]) => (raw ? spoken({ platform }, raw) : "")),
    cost(check)
  )
}
