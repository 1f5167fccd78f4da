import type { WalletLedger } from "@sightline/contract/WalletApi"
import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { usePaged } from "@sightline/dashboard/Paged"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { nothing, wordText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { ShortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { memoText } from "./Memo.ts"
import { Money } from "./Money.tsx"

type Entry = WalletLedger["entries"][number]

const kinds: Readonly<Record<Entry["kind"], string>> = {
  topup: "money came in",
  hold: "set aside for a call",
  capture: "charged from what was set aside",
  release: "given back from what was set aside",
  charge: "charged at once"
}

const columns = [
  {
    header: "Time",
    value: ({ created_at }: Entry) => created_at,
    cell: ({ created_at }: Entry) => <When at={created_at} />
  },
  {
    header: "Movement",
    value: ({ kind }: Entry) => kind,
    cell: ({ kind }: Entry) => (
      <>
        {wordText(kind)} <span className="muted">{kinds[kind]}</span>
      </>
    )
  },
  {
    header: "Amount",
    figure: true,
    value: ({ amount_cents }: Entry) => amount_cents,
    cell: ({ amount_cents }: Entry) => <Money cents={amount_cents} />
  },
  {
    header: "To spend after",
    figure: true,
    value: ({ available_after_cents }: Entry) => available_after_cents,
    cell: ({ available_after_cents }: Entry) => <Money cents={available_after_cents} />
  },
  {
    header: "Held after",
    figure: true,
    value: ({ held_after_cents }: Entry) => held_after_cents,
    cell: ({ held_after_cents }: Entry) => <Money cents={held_after_cents} />
  },
  {
    header: "Memo",
    // Exported unchanged, because the entry's hash covers this text.
    value: ({ memo }: Entry) => memo ?? null,
    cell: (entry: Entry) => {
      const words = memoText(entry)
      return words === null ? nothing : <HostileText text={words} limit={400} />
    }
  },
  {
    header: "Charge",
    value: ({ charge_id }: Entry) => charge_id ?? null,
    cell: ({ charge_id }: Entry) => (charge_id === undefined ? nothing : <ShortId id={charge_id} />)
  },
  {
    header: "Hash",
    value: ({ hash }: Entry) => hash,
    cell: ({ hash }: Entry) => (
      <span className="unbroken">
        <code title={hash}>{hash.slice(0, 10)}…</code> <CopyButton text={hash} of={`hash ${hash.slice(0, 10)}`} quiet />
      </span>
    )
  }
]

/** Every movement of the wallet. Each hash covers the previous one, so that a changed entry is detected. */
export const LedgerTable = () => {
  const entries = usePaged(
    ["ledger"],
    (api, asked) => api.wallet.ledger({ query: asked }),
    (page) => page.entries
  )
  return (
    <DataTable
      caption="Ledger"
      captionHidden
      name="ledger"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title="No money has moved yet." />}
      {...entries}
    />
  )
}
