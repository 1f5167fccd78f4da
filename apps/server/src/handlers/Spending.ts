import type { BucketName } from "@sightline/contract/AdminApi"
import type { WebhookUnusable } from "@sightline/domain/Ask"
import type { ModelUnavailable, ModeNotConfigured } from "@sightline/domain/Check"
import { toCents } from "@sightline/domain/Credits"
import { slotOf } from "@sightline/domain/Platform"
import type { InsufficientBalance, Wallet } from "@sightline/domain/Wallet"
import type { Receipt } from "@sightline/engine/Billing"
import { refuse, refuseField } from "@sightline/server/http/Refusal"
import { type OrRefusal, withBody } from "@sightline/server/http/RequestBody"
import { RequestId } from "@sightline/server/http/RequestId"
import type { Responding } from "@sightline/server/http/Respond"
import { missed, type TurnMissed } from "@sightline/server/keys/AccountTurns"
import { owner } from "@sightline/server/keys/Owner"
import { limited } from "@sightline/server/keys/RateLimit"
import type { HoldLost } from "@sightline/store/Charges"
import { renderReply } from "@sightline/store/Replies"
import { Effect, type Option } from "effect"
import { type Call, IdempotentReplay, replyResponse, type CallResult } from "./IdempotentReplay.ts"

/** Why a call that spends failed. Nothing was charged. */
type NotDone = InsufficientBalance | ModelUnavailable | ModeNotConfigured | WebhookUnusable | HoldLost | TurnMissed

const refused = (refusal: Responding): Effect.Effect<CallResult> =>
  Effect.map(refusal, (response) => ({ response, isStored: false }))

/** The form of a 402: its code, and its fields besides the two amounts. Source: decisions M6. */
interface Shortfall {
  readonly code: "insufficient_balance" | "insufficient_credits"
  readonly beside: Readonly<Record<string, string>>
}

/** The 402 of check, compare and discover. */
export const insufficientBalance = (topupUrl: string): Shortfall => ({
  code: "insufficient_balance",
  beside: { topup_url: topupUrl }
})

/** The 402 of ask. */
export const insufficientCredits: Shortfall = { code: "insufficient_credits", beside: {} }

const refuseShortfall = ({ code, beside }: Shortfall, { balance, required }: InsufficientBalance) => {
  const [has, needs] = [toCents(balance), toCents(required)]
  const details = { balance_cents: has, required_cents: needs, ...beside }
  const message = `The balance of ${has} credits does not cover the price of ${needs}.`
  return refuse(402, code, message, { inError: { details }, beside: details })
}

const unusable = {
  unknown: "is not a webhook endpoint of this account and environment",
  disabled: "is disabled",
  not_subscribed: "is not subscribed to ask.completed"
} as const

const succeeded = ({ reply, balance }: Receipt): CallResult => ({
  response: replyResponse(renderReply(reply, balance)),
  isStored: true
})

/** The answer to a call that spends: its reply with the balance after it, or an error. */
const answering = (shortfall: Shortfall) => {
  const refusals = {
    InsufficientBalance: (lacking: InsufficientBalance) => refused(refuseShortfall(shortfall, lacking)),
    WebhookUnusable: ({ reason }: WebhookUnusable) =>
      refused(refuseField({ path: "webhook_id", message: unusable[reason] })),
    ModelUnavailable: ({ platform, model }: ModelUnavailable) => {
      const provider = slotOf(platform)
      const message = `The model is not available for ${provider}. GET /v1/models lists those that are.`
      return refused(refuse(400, "invalid_model", message, { inError: { provider, model } }))
    },
    ModeNotConfigured: ({ mode }: ModeNotConfigured) =>
      refused(refuse(501, "mode_not_yet_available", `The mode ${mode} is not available on this deployment.`)),
    TurnMissed: () => refused(missed),
    HoldLost: () =>
      refused(
        refuse(503, "service_unavailable", "The call could not be settled and was abandoned. Nothing was charged.")
      )
  }
  return (run: Effect.Effect<Receipt, NotDone>): Effect.Effect<CallResult> =>
    Effect.map(run, succeeded).pipe(Effect.catchTags(refusals))
}

/** The wallet that pays for a call, its idempotency claim, and the id of its reply. */
export interface Spender {
  readonly wallet: Wallet
  readonly claim: Option.Option<string>
  readonly requestId: string
}

/** Makes a call that spends, once per idempotency key. */
export const makeSpend = (shortfall: Shortfall) => {
  const answered = answering(shortfall)
  return Effect.map(IdempotentReplay, (replays) =>
    Effect.fnUntraced(function* (call: Call, run: (spender: Spender) => Effect.Effect<Receipt, NotDone>) {
      const wallet = yield* owner
      const requestId = yield* RequestId
      return yield* replays.run(call, (claim) => answered(run({ wallet, claim, requestId })))
    })
  )
}

/** How an endpoint with one bucket reads its body. */
interface Spending<Body> {
  readonly bucket: BucketName
  readonly decode: (json: unknown) => OrRefusal<Body>
}

/** Handles a request that spends: decodes its body, takes a token of its bucket, then runs `perform`. Each step may refuse it. */
export const spending = <Body, E, R>({ bucket, decode }: Spending<Body>, perform: (body: Body) => Responding<E, R>) =>
  withBody(decode, (body) => limited(bucket, perform(body)))
