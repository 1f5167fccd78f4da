import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Caller } from "@sightline/contract/Authorization"
import type { KeyId } from "@sightline/domain/ApiKey"
import type { Ask } from "@sightline/domain/Ask"
import type { Check } from "@sightline/domain/Check"
import { credits } from "@sightline/domain/Credits"
import type { LlmPlatform } from "@sightline/domain/Platform"
import { countryOf } from "@sightline/domain/Region"
import type { Wallet } from "@sightline/domain/Wallet"
import type { Trigger } from "@sightline/domain/Watch"
import type { WebhookId } from "@sightline/domain/Webhook"
import { AskRunner } from "@sightline/engine/AskRunner"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { runQueue } from "@sightline/engine/WatchTicker"
import { renderCheck } from "@sightline/server/handlers/CheckRendering"
import { IdempotentReplay } from "@sightline/server/handlers/IdempotentReplay"
import { insufficientBalance, insufficientCredits, makeSpend } from "@sightline/server/handlers/Spending"
import { RequestId } from "@sightline/server/http/RequestId"
import { limited } from "@sightline/server/keys/RateLimit"
import type { RateLimits } from "@sightline/store/RateLimits"
import { plainReply } from "@sightline/store/Replies"
import { Runs } from "@sightline/store/Runs"
import { Wallets } from "@sightline/store/Wallets"
import { Watches } from "@sightline/store/Watches"
import { Effect, Exit, Option, Redacted } from "effect"
import type { HttpServerResponse } from "effect/http"
import { uuidOf } from "./seededUuids.ts"
import type { Services } from "./service.ts"

/** A response as its caller receives it, with its cost where that is reported. */
export interface Told {
  readonly status: number
  readonly body: string
  readonly cost: number | undefined
  readonly balance: number | undefined
  readonly isReplay: boolean
  /** The time during which the request was under way. */
  readonly begun: number
  readonly at: number
  /** Whether it had the wish's key with another body. */
  readonly isMistake?: boolean
}

/** A customer: one wallet, and its endpoint for asks. */
export interface Customer {
  readonly wallet: Wallet
  readonly webhook: WebhookId
  readonly keyId: KeyId
}

/** Something a customer wants once. Its request contains `n`, so that its effects can be distinguished from all others. */
export interface Wish {
  readonly n: number
  readonly kind: "check" | "ask" | "job" | "topup" | "watch" | "run"
  readonly customer: Customer
  /** The idempotency key, or the reference of a top-up; unique to its customer. */
  readonly key: string | undefined
  /** One of a few questions that wishes share. */
  readonly question: string
  readonly region: "us" | "uk"
  readonly isSearching: boolean
  /** The amount of a top-up. */
  readonly credits: number
  readonly platforms: readonly [LlmPlatform, ...ReadonlyArray<LlmPlatform>]
  /** The triggers of a watch. */
  readonly triggerOn: ReadonlyArray<Trigger>
  readonly sensitivity: "every_change" | "evidence"
  /** The watch to run. */
  readonly watch: string | undefined
  readonly madeAt: number
  readonly told: Array<Told>
  /** Its requests as they ended on their machines, even if the caller did not learn of it. */
  readonly calls: Array<Pick<Told, "begun" | "at" | "status">>
  /** The claims on its key under which it was done. */
  readonly claims: Array<string>
  /** Whether its last response is the only effect it can have. */
  isAlone: boolean
  /** The longest wait before the next try, in milliseconds. */
  patience: number
  state: "open" | "done" | "refused" | "given up"
}

/** The brand that only wish `n` asks for. */
export const brandOf = (n: number): string => `Brand ${n}`

/** The amount of a small top-up: exactly one check of all platforms. */
export const topUpCredits = 150

/** A question that kills every machine that asks it. */
export const poison = "a poisonous question"

/** The burst of checks of a key, and its refill per second. */
export const checkLimit = { burst: 5, perSecond: 0.5 }

/** The secret of all webhooks. */
export const webhookSecret = "a secret"

const checkOf = ({ n, platforms, question, region }: Wish): Check => ({
  query: question,
  brand: brandOf(n),
  mode: "quick",
  platforms: [...platforms],
  region,
  models: {}
})

const askOf = ({ isSearching, kind, n, platforms, question, region }: Wish): Ask => ({
  turns: [{ role: "user", content: question }],
  platforms,
  models: {},
  brands: [brandOf(n)],
  webSearch: isSearching,
  country: countryOf(region),
  scope: "shared",
  tariff: kind === "job" ? "standard" : "live"
})

/** A response as its machine returns it. */
type Answered = Omit<Told, "begun" | "at" | "isMistake">

const tell = (response: HttpServerResponse.HttpServerResponse): Answered => {
  const { body, headers, status } = response
  const [cost, balance] = [headers["x-cost-cents"], headers["x-balance-after-cents"]]
  return {
    status,
    body: body._tag === "Uint8Array" ? Buffer.from(body.body).toString() : "",
    cost: cost === undefined ? undefined : Number(cost),
    balance: balance === undefined ? undefined : Number(balance),
    isReplay: headers["idempotency-replay"] === "true"
  }
}

const said = (status: number, body = ""): Answered => ({
  status,
  body,
  cost: undefined,
  balance: undefined,
  isReplay: false
})

/** The check as its handler runs it, after authentication and decoding. `twist` changes only the body. */
const check = (wish: Wish, twist: string) =>
  Effect.gen(function* () {
    const runner = yield* CheckRunner
    const spend = yield* makeSpend(insufficientBalance("https://sightline.example/billing"))
    const call = { route: "POST /v1/check", key: wish.key, body: [wish.n, twist] }
    return tell(
      yield* limited(
        "check:quick",
        spend(call, ({ requestId, ...payer }) => {
          wish.claims.push(...Option.toArray(payer.claim))
          return runner.run({ ...payer, check: checkOf(wish), reply: (outcome) => renderCheck(requestId, outcome, []) })
        })
      )
    )
  })

const ask = (wish: Wish, twist: string) =>
  Effect.gen(function* () {
    const runner = yield* AskRunner
    const spend = yield* makeSpend(insufficientCredits)
    return tell(
      yield* spend({ route: "POST /v1/ask", key: wish.key, body: [wish.n, twist] }, ({ requestId: id, ...payer }) => {
        wish.claims.push(...Option.toArray(payer.claim))
        const order = { id, ...payer, ask: askOf(wish) }
        if (wish.kind === "ask") return runner.run(order)
        const reply = plainReply(202, JSON.stringify({ id }))
        const job = { ...order, webhookId: Option.some(wish.customer.webhook), acknowledge: () => reply }
        return Effect.tap(runner.queue(job), () => runner.announce(id))
      })
    )
  })

const topUp = ({ credits: amount, customer: { wallet }, key }: Wish) =>
  Wallets.use(({ topUp }) =>
    topUp({ wallet, amount: credits(amount), ...(key === undefined ? {} : { reference: key }) }).pipe(
      Effect.as(said(201)),
      Effect.orDie
    )
  )

const watch = ({ customer: { wallet }, n, question, sensitivity, triggerOn }: Wish) =>
  Watches.use(({ create }) =>
    Effect.map(
      create(
        wallet,
        {
          query: question,
          brand: brandOf(n),
          mode: "quick",
          interval: "hourly",
          webhookUrl: `https://hooks.example/watch/${n}`,
          triggerOn,
          sensitivity
        },
        Redacted.make(webhookSecret)
      ).pipe(Effect.orDie),
      ({ id }) => said(201, id)
    )
  )

/** Starts a run of a watch now, as its handler does. */
const run = ({ customer: { wallet }, watch = "" }: Wish) =>
  Effect.gen(function* () {
    const started = yield* (yield* Runs).start(wallet, watch)
    if (Option.isNone(started)) return said(404)
    yield* (yield* WorkQueue).push(runQueue, [{ id: started.value.id, turn: 0 }])
    return said(202, started.value.id)
  }).pipe(Effect.uninterruptible)

type Needed = AskRunner | Caller | CheckRunner | IdempotentReplay | RateLimits | Runs | Wallets | Watches | WorkQueue

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
    case "run":
      return run(wish)
  }
}

/** A wish as one request to a machine. */
export const request = (wish: Wish, twist: string, services: Services, dice: () => number) => {
  const { keyId, wallet } = wish.customer
  const caller = { keyId, ...wallet, readOnly: false, rateLimits: { "check:quick": checkLimit } }
  return perform(wish, twist).pipe(
    Effect.provideService(Caller, caller),
    Effect.provideService(RequestId, uuidOf(dice)),
    Effect.provideContext(services)
  )
}

/** The response once a request has ended on its machine: any failure there is a 500. */
export const answered = (exit: Exit.Exit<Answered>): Answered => (Exit.isSuccess(exit) ? exit.value : said(500))
