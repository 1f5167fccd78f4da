import { WorkQueue } from "@sightline/actor/WorkQueue"
import { AskResult } from "@sightline/contract/AskApi"
import type { Question } from "@sightline/domain/Answer"
import type { Ask } from "@sightline/domain/Ask"
import { ModelTable, shippedModels } from "@sightline/domain/Model"
import { LlmPlatform, type Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import type { AskRendering } from "@sightline/engine/AskOutcome"
import { type AskJobOrder, AskRunner } from "@sightline/engine/AskRunner"
import * as AskWorker from "@sightline/engine/AskWorker"
import { Auditor } from "@sightline/engine/Auditor"
import { JobLock } from "@sightline/engine/JobLock"
import { askRendering } from "@sightline/server/handlers/AskRendering"
import { type AskJob, Asks } from "@sightline/store/Asks"
import { Replies } from "@sightline/store/Replies"
import { Runs } from "@sightline/store/Runs"
import { Usage } from "@sightline/store/Usage"
import { textOf } from "@sightline/store/Utf8"
import { Wallets } from "@sightline/store/Wallets"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { assert } from "vitest"
import { accepted } from "../store/queued.ts"
import { answer, failed, layerTold, offering, tell } from "./told.ts"

const traits = { platform: "chatgpt_api", default: false, forcedSearch: false, temperature: true } as const

/** What is on offer, with a model that is no longer and one that does not search. */
const offered = {
  ...offering,
  models: ModelTable.make([
    ...shippedModels,
    { ...traits, id: "told-expired", webSearch: true, expiresAt: "2020-01-01" },
    { ...traits, id: "told-offline", webSearch: false }
  ])
}

/** The road of asks as one process has it, with a memory of its own. */
const runner = (rendering: AskRendering = askRendering) =>
  AskRunner.layer(offered, rendering).pipe(Layer.provide(AnswerSource.layer))

/** Asks over a real store, an in-process queue and platforms that do as they are told. */
export const layerAsking = runner().pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      WorkQueue.layerMemory,
      WebhookEndpoints.layer(Redacted.make(new Uint8Array(32).fill(1))),
      Replies.layer,
      Runs.layer,
      Usage.layer
    )
  ),
  Layer.provideMerge(layerTold)
)

/** The runner of another process, which remembers nothing yet. */
export const anotherRunner = Effect.map(Layer.build(Layer.fresh(runner())), Context.get(AskRunner))

/** The workers of another process. They are gone when the scope closes. */
export const workers = (rendering?: AskRendering) =>
  Layer.build(Layer.fresh(AskWorker.layer.pipe(Layer.provide([runner(rendering), JobLock.layer]))))

/** A question to the platforms, all four unless they are named. */
export const asking = (content: string, more: Partial<Ask> = {}): Ask => ({
  turns: [{ role: "user", content }],
  platforms: LlmPlatform.literals,
  models: {},
  brands: [],
  webSearch: true,
  scope: "shared",
  tariff: "live",
  ...more
})

/** What an ask is told as. */
const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(AskResult))

/** Runs an ask: what it was answered with, in bytes and in words, and the balance after it. */
export const askAs = Effect.fnUntraced(function* (wallet: Wallet, ask: Ask, by?: AskRunner["Service"]) {
  const { run } = by ?? (yield* AskRunner)
  const id = randomUUID()
  const { reply, balance } = yield* run({ id, wallet, ask, claim: Option.none() })
  const body = textOf(reply.head)
  return { id, body, result: yield* Effect.orDie(decodeResult(body)), balance }
})

/** Queues an ask. Its id, and the balance after it. */
export const queueAs = Effect.fnUntraced(function* (wallet: Wallet, ask: Ask, more: Partial<AskJobOrder> = {}) {
  const { announce, queue } = yield* AskRunner
  const order = { id: randomUUID(), wallet, ask, claim: Option.none(), webhookId: Option.none() }
  const job = { ...order, acknowledge: () => accepted, ...more }
  const { balance } = yield* queue(job)
  yield* announce(job.id)
  return { id: job.id, balance }
})

/** Takes a job, which nobody may have. */
export const take = (id: string) =>
  Asks.use((asks) => Effect.flatMap(asks.claim(id), (job) => Effect.orDie(Effect.fromOption(job))))

/** What is kept of an ask that is over. */
export const archived = Effect.fnUntraced(function* (wallet: Wallet, id: string) {
  const { status, result } = yield* Effect.orDie(Effect.fromOption(yield* (yield* Asks).find(wallet, id)))
  const body = yield* Effect.orDie(Effect.fromNullishOr(result))
  return { status, body, result: yield* Effect.orDie(decodeResult(body)) }
})

/** Does a job that was taken. */
export const workJob = (job: AskJob) => AskRunner.use(({ work }) => work(job))

/** Waits until a job is over: what is kept of it. */
export const finished = (wallet: Wallet, id: string) =>
  Asks.use((asks) =>
    Effect.repeat(asks.find(wallet, id), { until: (found) => Option.isSome(found) && found.value.result !== null })
  ).pipe(Effect.andThen(archived(wallet, id)))

/** Takes a queued job and does it. */
export const workOff = Effect.fnUntraced(function* (wallet: Wallet, id: string, by?: AskRunner["Service"]) {
  yield* (by ?? (yield* AskRunner)).work(yield* take(id))
  return yield* archived(wallet, id)
})

/** Platforms answer, save those that the question itself says will fail. */
export const tellFailures = tell((platform: Platform, { turns: [{ content }] }: Question) =>
  content.includes(`!${platform}`) ? Effect.fail(failed(platform, "provider_error")) : Effect.succeed(answer)
)

/** Makes every stored answer older, as only the stores' own tier tells. */
export const ageAnswers = (by: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE answers SET stored_at = stored_at - ${by}::interval`)

/** Where a wallet's owner wants to be told of the end of asks. */
export const webhook = Effect.fnUntraced(function* (
  wallet: Wallet,
  more: { readonly enabled?: boolean; readonly events?: ReadonlyArray<"ask.completed" | "watch.fired"> } = {}
) {
  const { create } = yield* WebhookEndpoints
  const wishes = { url: "https://hooks.acme.com/in", description: null, enabled: true }
  const { endpoint } = yield* create(wallet, { ...wishes, events: ["ask.completed"], ...more })
  return endpoint.id
})

/** The bodies of what is to be delivered of an ask. */
export const bodiesOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT convert_from(body, 'UTF8') AS body FROM deliveries WHERE ask_id = ${id}`
  return rows.map(({ body }) => String(body))
})

/** What a wallet has. */
export const balanceOf = (wallet: Wallet) => Wallets.use((wallets) => wallets.balanceOf(wallet))

/** Everything in the books follows from the rest of them. */
export const booksInOrder = Auditor.use(({ audit }) =>
  Effect.map(audit, ({ differences }) =>
    assert.deepEqual(
      // A lease that a test lets run out differs from the 150 s that the house gives.
      differences.filter(({ kind }) => kind !== "charge_lease"),
      []
    )
  )
)

/** What each platform is called where asks are told. */
export const providers = {
  chatgpt_api: "openai",
  claude_api: "anthropic",
  gemini_api: "gemini",
  perplexity_api: "perplexity"
} as const
