import { creditsText, nothing } from "@sightline/dashboard/text/Format"

/** An amount of credits; the tooltip says it in dollars, one credit being one cent. */
export const Money = ({ cents }: { readonly cents: number | null | undefined }) =>
  cents === null || cents === undefined ? (
    <>{nothing}</>
  ) : (
    <span className="money" title={`$${(cents / 100).toFixed(5).replace(/0{1,3}$/, "")}`}>
      {creditsText(cents)}
    </span>
  )
