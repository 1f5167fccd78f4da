import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { usePaged } from "@sightline/dashboard/Paged"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { outcomeText } from "@sightline/dashboard/text/FailureWords"
import { platformText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { ShortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { answeredOf, type Charge, calculationOf, callText, sumText } from "./Calculation.ts"
import { Money } from "./Money.tsx"

const Sum = ({ charge }: { readonly charge: Charge }) => {
  const { why, sums } = calculationOf(charge)
  return (
    <details>
      <summary>{charge.sum === null ? "not known yet" : <HostileText text={sumText(charge.sum)} />}</summary>
      <p className="muted">{why}</p>
      <ul className="sums">
        {sums.map((sum) => (
          <li key={sum}>{sum}</li>
        ))}
        {charge.outcomes.map(({ platform, side, outcome }) => (
          <li key={`${side} ${platform}`}>
            {platformText(platform)}
            {side === undefined ? "" : `, side ${side.toUpperCase()}`}: {outcomeText(outcome)}
          </li>
        ))}
      </ul>
    </details>
  )
}

const columns = [
  {
    header: "Time",
    sortable: true,
    value: ({ created_at }: Charge) => created_at,
    cell: ({ created_at }: Charge) => <When at={created_at} />
  },
  {
    header: "Call",
    sortable: true,
    value: callText,
    cell: (charge: Charge) => <span className="unbroken">{callText(charge)}</span>
  },
  {
    header: "State",
    sortable: true,
    value: ({ state }: Charge) => state,
    cell: ({ state, cached }: Charge) => (
      <span className="badges">
        <Status tone={toneOf(state)}>{state}</Status>
        {cached && <Status tone="plain">cached</Status>}
      </span>
    )
  },
  { header: "Asked", figure: true, sortable: true, value: ({ outcomes }: Charge) => outcomes.length },
  { header: "Answered", figure: true, sortable: true, value: answeredOf },
  {
    header: "Price",
    figure: true,
    sortable: true,
    value: ({ price_cents }: Charge) => price_cents,
    cell: ({ price_cents }: Charge) => <Money cents={price_cents} />
  },
  {
    header: "Charged",
    figure: true,
    sortable: true,
    value: ({ charged_cents }: Charge) => charged_cents,
    cell: ({ charged_cents }: Charge) => <Money cents={charged_cents} />
  },
  {
    header: "Given back",
    figure: true,
    sortable: true,
    value: ({ refunded_cents }: Charge) => refunded_cents,
    cell: ({ refunded_cents }: Charge) => <Money cents={refunded_cents} />
  },
  { header: "The sum", value: ({ sum }: Charge) => sum, cell: (charge: Charge) => <Sum charge={charge} /> },
  {
    header: "Charge",
    value: ({ id }: Charge) => id,
    cell: ({ id }: Charge) => <ShortId id={id} />
  }
]

/** The cost of each call, with a calculation that a person can redo. */
export const ChargeTable = () => {
  const charges = usePaged(
    ["charges"],
    (api, asked) => api.wallet.charges({ query: asked }),
    (page) => page.charges
  )
  return (
    <DataTable
      caption="Charges"
      captionHidden
      name="charges"
      columns={columns}
      keyOf={({ id }) => id}
      empty={<Empty title="No call has been charged yet." />}
      {...charges}
    />
  )
}
