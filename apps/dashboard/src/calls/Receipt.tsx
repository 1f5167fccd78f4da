import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { durationText } from "@sightline/dashboard/text/Format"

interface ReceiptProps {
  readonly cost: number
  readonly balance?: number | undefined
  readonly durationMs?: number | undefined
  readonly cached: boolean
  /** The cache status, such as `hit-l1`. */
  readonly cache?: string | undefined
  readonly requestId: string
}

/** The cost of a call, the remaining balance, and the source of the answer. */
export const Receipt = ({ cost, balance, durationMs, cached, cache, requestId }: ReceiptProps) => (
  <p className="receipt">
    <span>
      Cost <Money cents={cost} /> credits
    </span>
    {balance !== undefined && (
      <span>
        Balance <Money cents={balance} />
      </span>
    )}
    {durationMs !== undefined && <span>{durationText(durationMs)}</span>}
    <Status tone={cached ? "good" : "plain"}>
      {cached ? `from cache${cache === undefined ? "" : ` (${cache})`}` : "asked afresh"}
    </Status>
    <span className="muted">request {requestId}</span>
  </p>
)
