import { Effect, Exit, Option, Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { Caller } from "@sightline/contract/Authorization"
import { KeyId } from "@sightline/domain/ApiKey"
import type { Ask } from "@sightline/domain/Ask"
import type { Check } from "@sightline/domain/Check"
import { credits } from "@sightline/domain/Credits"
import { LlmPlatform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import type { WebhookId } from "@sightline/domain/Webhook"
import { AskRunner } from "@sightline/engine/AskRunner"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { renderCheck } from "@sightline/server/CheckRendering"
import { IdempotentReplay } from "@sightline/server/IdempotentReplay"
import { RequestId } from "@sightline/server/RequestId"
import { insufficientBalance, insufficientCredits, makeSpend } from "@sightline/server/Spending"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { uuidOf } from "./chance.ts"
import type { Services } from "./service.ts"

/** What a caller hears: a status, and what it costs where that is told. */
export interface Told {
  readonly status: number
  readonly body: string
  readonly cost: number | undefined
  readonly isReplay: boolean
  /** How long the request had been under way. */
  readonly millis: number
  /** Whether it came with the wish's key and another body. */
  readonly isMistake?: boolean
}

/** A customer: one wallet, and where it wants to be told of asks. */
export interface Customer {
  readonly wallet: Wallet
  readonly webhook: WebhookId
}

/** Something a customer wants once. `n` is in what it asks, so that whatever comes of it can be told from all else. */
export interface Wish {
  readonly n: number
  readonly kind: "check" | "ask" | "job" | "topup" | "watch"
  readonly customer: Customer
  /** The idempotency key, or the reference of a top-up. */
  readonly key: string | undefined
  /** One of few questions, which wishes share. */
  readonly question: number
  readonly told: Array<Told>
  /** Whether no two of its requests were ever under way at once. */
  isAlone: boolean
  /** How long it waits at most before it tries again, in milliseconds. */
  patience: number
  state: "open" | "done" | "refused" | "given up"
}

/** The name that wish `n` alone asks for. */
export const brandOf = (n: number): string => `Brand ${n}`

/** How much one top-up brings. */
export const topUpCredits = 400

const checkOf = ({ n, question }: Wish): Check => ({
  query: `question ${question}`,
  brand: brandOf(n),
  mode: "quick",
  platforms: LlmPlatform.literals,
  region: "us",
  models: {}
})

const askOf = ({ n, question, kind }: Wish): Ask => ({
  turns: [{ role: "user", content: `question ${question}` }],
  platforms: LlmPlatform.literals,
  models: {},
  brands: [brandOf(n)],
  webSearch: true,
  scope: "shared",
  tariff: kind === "job" ? "standard" : "live"
})

/** An answer as its machine gives it. */
type Answered = Omit<Told, "millis" | "isMistake">

const tell = (response: HttpServerResponse.HttpServerResponse): Answered => {
  const { body, headers, status } = response
  const cost = headers["x-cost-cents"]
  return {
    status,
    body: body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : "",
    cost: cost === undefined ? undefined : Number(cost),
    isReplay: headers["idempotency-replay"] === "true"
  }
}

const said = (status: number, body = ""): Answered => ({ status, body, cost: undefined, isReplay: false })

/** The check as its handler does it, once the key is known and the body is read. `twist` is in the body alone. */
const check = (wish: Wish, twist: string) =>
  Effect.gen(function* () {
    const runner = yield* CheckRunner
    const spend = yield* makeSpend(insufficientBalance("https://sightline.example/billing"))
    const call = { route: "POST /v1/check", key: wish.key, body: [wish.n, twist] }
    return tell(
      yield* spend(call, ({ requestId, ...payer }) =>
        runner.run({ ...payer, check: checkOf(wish), reply: (outcome) => renderCheck(requestId, outcome, []) })
      )
    )
  })

const ask = (wish: Wish, twist: string) =>
  Effect.gen(function* () {
    const runner = yield* AskRunner
    const spend = yield* makeSpend(insufficientCredits)
    return tell(
      yield* spend({ route: "POST /v1/ask", key: wish.key, body: [wish.n, twist] }, ({ requestId: id, ...payer }) => {
        const order = { id, ...payer, ask: askOf(wish) }
        if (wish.kind === "ask") return runner.run(order)
        const reply = { status: 202, headers: {}, balanceHeader: null, head: JSON.stringify({ id }), tail: null }
        return runner.queue({ ...order, webhookId: Option.some(wish.customer.webhook), acknowledge: () => reply })
      })
    )
  })

const topUp = ({ customer: { wallet }, key }: Wish) =>
  Wallets.use(({ topUp }) =>
    topUp({ wallet, amount: credits(topUpCredits), ...(key === undefined ? {} : { reference: key }) }).pipe(
      Effect.as(said(201)),
      Effect.orDie
    )
  )

const watch = ({ customer: { wallet }, n, question }: Wish) =>
  Watches.use(({ create }) =>
    Effect.map(
      create(
        wallet,
        {
          query: `question ${question}`,
          brand: brandOf(n),
          mode: "quick",
          interval: "hourly",
          webhookUrl: `https://hooks.example/watch/${n}`,
          triggerOn: ["mention_added", "mention_removed"],
          sensitivity: "every_change"
        },
        Redacted.make("a secret")
      ),
      ({ id }) => said(201, id)
    )
  )

type Needed = AskRunner | Caller | CheckRunner | IdempotentReplay | Wallets | Watches

const perform = (wish: Wish, twist: string): Effect.Effect<Answered, never, Needed> => {
  switch (wish.kind) {
    case "check":
      return check(wish, twist)
    case "ask":
    case "job":
      return ask(wish, twist)
    case "topup":
      return topUp(wish)
    case "watch":
      return watch(wish)
  }
}

/** A wish as one request to a machine. */
export const request = (wish: Wish, twist: string, services: Services, dice: () => number) => {
  const { accountId, environment } = wish.customer.wallet
  const caller = {
    keyId: KeyId.make(uuidOf(dice)),
    accountId,
    environment,
    readOnly: false,
    rateLimits: {}
  }
  return perform(wish, twist).pipe(
    Effect.provideService(Caller, caller),
    Effect.provideService(RequestId, uuidOf(dice)),
    Effect.provideContext(services)
  )
}

/** What is answered once a request has ended on its machine: whatever went wrong there is a 500. */
export const answered = (exit: Exit.Exit<Answered>): Answered => (Exit.isSuccess(exit) ? exit.value : said(500))
