import { toCents } from "@sightline/domain/Credits"
import type { Entry } from "@sightline/domain/Ledger"

/** A ledger entry as its owner and operators see it. */
export const renderEntry = (entry: Entry) => ({
  id: `${entry.environment}-${entry.sequence}`,
  ...(entry.chargeId === null ? {} : { charge_id: entry.chargeId }),
  kind: entry.kind,
  amount_cents: toCents(entry.amount),
  available_after_cents: toCents(entry.availableAfter),
  held_after_cents: toCents(entry.heldAfter),
  ...(entry.memo === null ? {} : { memo: entry.memo }),
  created_at: entry.createdAt,
  hash: entry.hash
})
