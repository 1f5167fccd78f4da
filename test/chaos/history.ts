import type { ArchivedAsk, AskPending } from "@sightline/contract/AskApi"
import type { CheckList } from "@sightline/contract/CheckHistoryApi"
import type { DeliveryFound } from "@sightline/contract/DeliveryApi"
import type { ChargeList, WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import type { RunList } from "@sightline/contract/WatchApi"

/** What a caller knows of its call: the answer, or nothing, when the connection broke or its patience ended. */
export type Outcome = { readonly status: number; readonly text: string; readonly isReplay: boolean } | "unknown"

/** One call as its caller saw it. `subject` is the idempotency key of a check or an ask, and the watch of a run. */
export interface Invocation {
  readonly account: string
  readonly kind: "check" | "ask" | "run"
  readonly subject: string
  readonly outcome: Outcome
}

/** A request as a receiver saw it, and the status it answered; null: it broke the connection. */
export interface Received {
  readonly attempt: string
  readonly body: string
  readonly status: number | null
}

/** What one customer's account has to show for itself in the end. */
export interface Books {
  readonly account: string
  readonly wallet: WalletFound
  readonly entries: WalletLedger["entries"]
  readonly charges: ChargeList["charges"]
  readonly checks: CheckList["checks"]
  readonly asks: ReadonlyArray<typeof ArchivedAsk.Type | typeof AskPending.Type>
  readonly runs: RunList["runs"]
  readonly deliveries: ReadonlyArray<DeliveryFound>
}

/** A process that was: what it said, and how it ended, if it was not killed. */
export interface Remains {
  readonly name: string
  readonly output: string
  readonly ended: "killed" | "drained" | "by itself"
  readonly code: number | null
}

/** Everything that is known of a storm once it is over. */
export interface Evidence {
  readonly history: ReadonlyArray<Invocation>
  readonly received: ReadonlyArray<Received>
  /** Keys that were taken away and are let in all the same once all is calm. */
  readonly letIn: ReadonlyArray<string>
  readonly books: ReadonlyArray<Books>
  readonly audit: { readonly ok: boolean; readonly differences: ReadonlyArray<object> }
  readonly processes: ReadonlyArray<Remains>
  readonly secrets: ReadonlyArray<string>
}
