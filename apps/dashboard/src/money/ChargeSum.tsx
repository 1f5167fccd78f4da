import { QueryView } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { run } from "@sightline/dashboard/Query"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { outcomeText } from "@sightline/dashboard/text/FailureWords"
import { platformText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { useQuery } from "@tanstack/react-query"
import { type Charge, calculationOf, callText } from "./Calculation.ts"
import { Money } from "./Money.tsx"

type Outcome = Charge["outcomes"][number]

const columns = [
  { header: "Platform", value: ({ platform }: Outcome) => platformText(platform) },
  { header: "Side", value: ({ side }: Outcome) => side ?? null },
  { header: "What came of it", value: ({ outcome }: Outcome) => outcomeText(outcome) },
  {
    header: "Code",
    value: ({ outcome }: Outcome) => outcome,
    cell: ({ outcome }: Outcome) => (outcome === null ? null : <code>{outcome}</code>)
  }
]

const Sums = ({ charge }: { readonly charge: Charge }) => {
  const { why, sums } = calculationOf(charge)
  const sided = charge.outcomes.some(({ side }) => side !== undefined)
  return (
    <>
      <p>
        Price of <strong>{callText(charge)}</strong>: <Money cents={charge.price_cents} /> credits.{" "}
        {charge.state !== "settled" && (
          <Status tone={charge.state === "held" ? "warn" : "plain"}>{charge.state}</Status>
        )}{" "}
        {charge.cached && <Status tone="plain">from cache</Status>}
      </p>
      <p>{why}</p>
      {sums.map((sum) => (
        <p key={sum} className="sum">
          <HostileText text={sum} />
        </p>
      ))}
      <DataTable
        caption="Questions of this call"
        captionHidden
        name={`charge-${charge.id}`}
        columns={sided ? columns : columns.filter(({ header }) => header !== "Side")}
        rows={charge.outcomes}
        keyOf={({ platform, side }) => `${side} ${platform}`}
        empty="No question was put."
      />
    </>
  )
}

/** The cost of a call and its reason, so that a person can redo the calculation. */
export const ChargeSum = ({ id }: { readonly id: string }) => {
  const found = useQuery({
    queryKey: ["charge", id],
    queryFn: () => run((api) => api.wallet.charge({ params: { id } }))
  })
  return (
    <QueryView query={found} label="Loading the charge">
      {({ charge }) => <Sums charge={charge} />}
    </QueryView>
  )
}
