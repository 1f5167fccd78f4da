import type { ArchivedAsk, AskPending } from "@sightline/contract/AskApi"
import type { CheckList } from "@sightline/contract/CheckHistoryApi"
import type { DeliveryFound } from "@sightline/contract/DeliveryApi"
import type { ChargeList, WalletFound, WalletLedger } from "@sightline/contract/WalletApi"
import type { RunList } from "@sightline/contract/WatchApi"

/** What a caller knows of its call: the answer, or nothing if the connection broke or the timeout passed. */
export type Outcome = { readonly status: number; readonly text: string; readonly isReplay: boolean } | "unknown"

/** One call as its caller saw it. `subject` is the idempotency key of a check or an ask, or the watch of a run. */
export interface Invocation {
  readonly account: string
  readonly kind: "check" | "ask" | "run"
  readonly subject: string
  readonly outcome: Outcome
}

/** A request as a receiver saw it, and the status it answered; null if it broke the connection. */
export interface Received {
  readonly attempt: string
  readonly body: string
  readonly status: number | null
}

/** Everything in one customer's account at the end. */
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

/** A process that has ended: its output, and how it ended. */
export interface EndedProcess {
  readonly name: string
  readonly output: string
  readonly ended: "killed" | "drained" | "by itself"
  readonly code: number | null
}

/** Everything that is known of a storm once it is over. */
export interface Evidence {
  readonly history: ReadonlyArray<Invocation>
  readonly received: ReadonlyArray<Received>
  /** Revoked keys that are still accepted once all is calm. */
  readonly letIn: ReadonlyArray<string>
  readonly books: ReadonlyArray<Books>
  readonly audit: { readonly ok: boolean; readonly differences: ReadonlyArray<object> }
  readonly processes: ReadonlyArray<EndedProcess>
  readonly secrets: ReadonlyArray<string>
}
