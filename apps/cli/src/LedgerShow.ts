import type { WalletEntry } from "@sightline/contract/WalletApi"
import { more, parts, type Screen, table } from "./Table.ts"

interface Movements {
  readonly entries: ReadonlyArray<typeof WalletEntry.Type>
  readonly next_cursor: string | null
}

/** Movements of money as a table. The id of an entry shows which wallet it belongs to. */
export const showLedger = ({ entries, next_cursor }: Movements, screen: Screen): string =>
  parts(
    table(
      screen,
      ["entry", "at", "kind", "amount", "available", "held", "charge"],
      entries.map((one) => [
        one.id,
        one.created_at,
        one.kind,
        one.amount_cents,
        one.available_after_cents,
        one.held_after_cents,
        one.charge_id
      ]),
      ["entry", "charge"]
    ),
    more(next_cursor)
  )
