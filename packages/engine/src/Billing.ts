import { Context, Effect, Layer, Option } from "effect"
import type { Credits } from "@sightline/domain/Credits"
import { type Order, priceOf } from "@sightline/domain/PriceList"
import { chargeOf, type Outcomes } from "@sightline/domain/Proration"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import { type AskRecord, Asks, type NewAskJob } from "@sightline/store/Asks"
import { Charges, type HoldLost } from "@sightline/store/Charges"
import type { CheckRecord } from "@sightline/store/Checks"
import type { ReplyTemplate } from "@sightline/store/Replies"
import { makeRowId } from "@sightline/store/RowId"
import type { RunRecord } from "@sightline/store/Runs"

/** A call to be paid: its order, the wallet, its idempotency claim, if any, and the id of its charge. */
export interface Purchase {
  readonly wallet: Wallet
  readonly order: Order
  /** The token of the call's idempotency key, if it has one: the reply is then stored under it. */
  readonly claim: Option.Option<string>
  /** By default a new id. Given if another process must be able to find the charge. */
  readonly chargeId?: string
}

/** The outcome of a call without its price; `render` takes the price and returns what is stored and answered. */
export interface Conclusion {
  readonly outcomes: Outcomes
  readonly cached: boolean
  readonly render: (charge: Credits) => {
    readonly reply: ReplyTemplate
    readonly check?: CheckRecord
    readonly ask?: AskRecord
    readonly run?: RunRecord
  }
}

/** The reply to a call, as a template without the balance, and the balance. */
export interface Receipt {
  readonly reply: ReplyTemplate
  readonly balance: Credits
}

type Refused = InsufficientBalance | HoldLost

/** A reply with the id of its charge in a header. */
const withChargeId = (chargeId: string, reply: ReplyTemplate): ReplyTemplate => ({
  ...reply,
  headers: { ...reply.headers, "x-charge-id": chargeId }
})

const endingOf = (
  id: string,
  { order, claim }: Omit<Purchase, "wallet" | "chargeId">,
  { outcomes, cached, render }: Conclusion
) => {
  const amount = chargeOf({ ...order, outcomes, cached })
  const { reply: rendered, ...records } = render(amount)
  const reply = withChargeId(id, rendered)
  const kept = Option.isSome(claim) ? { reply } : {}
  return { reply, ending: { id, amount, outcomes, cached, ...records, ...kept } }
}

const openingOf = ({ wallet, order, claim, chargeId = makeRowId() }: Purchase) => ({
  id: chargeId,
  wallet,
  ...order,
  price: priceOf(order),
  ...(Option.isSome(claim) ? { claim: claim.value } : {})
})

/**
 * The payment of every call.
 *
 * Laws: a hold is settled, or voided when the work fails or is interrupted; the amount charged is `chargeOf` the recorded
 * outcomes; money, record and reply are one transaction; a reply names its charge, even if it cost nothing. Only the work
 * itself can be interrupted.
 * Source: decisions M3, M4; decision 33.
 */
export class Billing extends Context.Service<
  Billing,
  {
    /** Holds the full price, does the work, and settles the charge by its outcomes. */
    readonly hold: <E>(purchase: Purchase, work: Effect.Effect<Conclusion, E>) => Effect.Effect<Receipt, E | Refused>
    /** Charges, without a hold, for an outcome that is already known. */
    readonly charge: (purchase: Purchase, conclusion: Conclusion) => Effect.Effect<Receipt, Refused>
    /** Holds the full price of a job, and queues it. The receipt carries the job's acknowledgment. */
    readonly queue: (purchase: Purchase, job: Omit<NewAskJob, "claim">) => Effect.Effect<Receipt, Refused>
    /** Settles the charge of a queued job. */
    readonly settle: (chargeId: string, order: Order, conclusion: Conclusion) => Effect.Effect<void, HoldLost>
  }
>()("@sightline/engine/Billing") {
  static readonly layer = Layer.effect(
    Billing,
    Effect.gen(function* () {
      const asks = yield* Asks
      const charges = yield* Charges

      const hold = Effect.fnUntraced(function* <E>(purchase: Purchase, work: Effect.Effect<Conclusion, E>) {
        const opening = openingOf(purchase)
        yield* charges.hold(opening)
        const { reply, ending } = yield* Effect.interruptible(work).pipe(
          Effect.map((conclusion) => endingOf(opening.id, purchase, conclusion)),
          Effect.onError(() => charges.void(opening.id))
        )
        const balance = yield* charges.settle(ending)
        return { reply, balance }
      }, Effect.uninterruptible)

      const charge = Effect.fnUntraced(function* (purchase: Purchase, conclusion: Conclusion) {
        const opening = openingOf(purchase)
        const { reply, ending } = endingOf(opening.id, purchase, conclusion)
        const balance = yield* charges.charge({ ...opening, ...ending })
        return { reply, balance }
      }, Effect.uninterruptible)

      const queue = Effect.fnUntraced(function* (purchase: Purchase, job: Omit<NewAskJob, "claim">) {
        // The claim ends with the acknowledgment, so the hold must not depend on it.
        const opening = openingOf({ ...purchase, claim: Option.none() })
        const reply = withChargeId(opening.id, job.reply)
        return { reply, balance: yield* asks.enqueue(opening, { ...job, reply, claim: purchase.claim }) }
      }, Effect.uninterruptible)

      const settle = (chargeId: string, order: Order, conclusion: Conclusion) =>
        charges
          .settle(endingOf(chargeId, { order, claim: Option.none() }, conclusion).ending)
          .pipe(Effect.asVoid, Effect.uninterruptible)

      return Billing.of({ hold, charge, queue, settle })
    })
  )
}
