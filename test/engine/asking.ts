import { WorkQueue } from "@sightline/actor/WorkQueue"
import { AskResult } from "@sightline/contract/AskResult"
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
import { answer, failed, layerScripted, offering, scriptPlatforms } from "./scripted.ts"

const traits = { platform: "chatgpt_api", default: false, forcedSearch: false, temperature: true } as const

/** The models on offer, plus an expired model and one that does not search. */
const offered = {
  ...offering,
  models: ModelTable.make([
    ...shippedModels,
    { ...traits, id: "told-expired", webSearch: true, expiresAt: "2020-01-01" },
    { ...traits, id: "told-offline", webSearch: false }
  ])
}

/** The runner of asks of one process, with a memory of its own. */
const runner = (rendering: AskRendering = askRendering) =>
  AskRunner.layer(offered, rendering).pipe(Layer.provide(AnswerSource.layer))

/** Asks over a real store, an in-process queue and scripted platforms. */
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
  Layer.provideMerge(layerScripted)
)

/** The runner of another process, with an empty memory. */
export const anotherRunner = Effect.map(Layer.build(Layer.fresh(runner())), Context.get(AskRunner))

/** The workers of another process. They stop when the scope closes. */
export const workers = (rendering?: AskRendering) =>
  Layer.build(Layer.fresh(AskWorker.layer.pipe(Layer.provide([runner(rendering), JobLock.layer]))))

/** A question to the platforms, by default to all four. */
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

/** Decodes the result of an ask. */
const decodeResult = Schema.decodeUnknownEffect(Schema.fromJsonString(AskResult))

/** Runs an ask. Returns its response, as text and decoded, and the balance after it. */
export const askAs = Effect.fnUntraced(function* (wallet: Wallet, ask: Ask, by?: AskRunner["Service"]) {
  const { run } = by ?? (yield* AskRunner)
  const id = randomUUID()
  const { reply, balance } = yield* run({ id, wallet, ask, claim: Option.none() })
  const body = textOf(reply.head)
  return { id, body, result: yield* Effect.orDie(decodeResult(body)), balance }
})

/** Queues an ask. Returns its id and the balance after it. */
export const queueAs = Effect.fnUntraced(function* (wallet: Wallet, ask: Ask, more: Partial<AskJobOrder> = {}) {
  const { announce, queue } = yield* AskRunner
  const order = { id: randomUUID(), wallet, ask, claim: Option.none(), webhookId: Option.none() }
  const job = { ...order, acknowledge: () => accepted, ...more }
  const { balance } = yield* queue(job)
  yield* announce(job.id)
  return { id: job.id, balance }
})

/** Claims a job that is free. */
export const take = (id: string) =>
  Asks.use((asks) => Effect.flatMap(asks.claim(id), (job) => Effect.orDie(Effect.fromOption(job))))

/** The archived result of an ask. */
export const archived = Effect.fnUntraced(function* (wallet: Wallet, id: string) {
  const { status, result } = yield* Effect.orDie(Effect.fromOption(yield* (yield* Asks).find(wallet, id)))
  const body = yield* Effect.orDie(Effect.fromNullishOr(result))
  return { status, body, result: yield* Effect.orDie(decodeResult(body)) }
})

/** Does a claimed job. */
export const workJob = (job: AskJob) => AskRunner.use(({ work }) => work(job))

/** Waits until a job is over, and returns its archived result. */
export const finished = (wallet: Wallet, id: string) =>
  Asks.use((asks) =>
    Effect.repeat(asks.find(wallet, id), { until: (found) => Option.isSome(found) && found.value.result !== null })
  ).pipe(Effect.andThen(archived(wallet, id)))

/** Claims a queued job and does it. */
export const workOff = Effect.fnUntraced(function* (wallet: Wallet, id: string, by?: AskRunner["Service"]) {
  yield* (by ?? (yield* AskRunner)).work(yield* take(id))
  return yield* archived(wallet, id)
})

/** Platforms answer, except those that the question names as failing. */
export const tellFailures = scriptPlatforms((platform: Platform, { turns: [{ content }] }: Question) =>
  content.includes(`!${platform}`) ? Effect.fail(failed(platform, "provider_error")) : Effect.succeed(answer)
)

/** Makes every stored answer older, which only the stores' own tier shows. */
export const ageAnswers = (by: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE answers SET stored_at = stored_at - ${by}::interval`)

/** An endpoint of the wallet's owner for the ends of asks. */
export const webhook = Effect.fnUntraced(function* (
  wallet: Wallet,
  more: { readonly enabled?: boolean; readonly events?: ReadonlyArray<"ask.completed" | "watch.fired"> } = {}
) {
  const { create } = yield* WebhookEndpoints
  const wishes = { url: "https://hooks.acme.com/in", description: null, enabled: true }
  const { endpoint } = yield* create(wallet, { ...wishes, events: ["ask.completed"], ...more })
  return endpoint.id
})

/** The bodies of an ask's deliveries. */
export const bodiesOf = Effect.fnUntraced(function* (id: string) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql`SELECT convert_from(body, 'UTF8') AS body FROM deliveries WHERE ask_id = ${id}`
  return rows.map(({ body }) => String(body))
})

/** The balance of a wallet. */
export const balanceOf = (wallet: Wallet) => Wallets.use((wallets) => wallets.balanceOf(wallet))

/** The audit finds no difference. */
export const booksInOrder = Auditor.use(({ audit }) =>
  Effect.map(audit, ({ differences }) => assert.deepEqual(differences, []))
)

/** The name of each platform in the results of asks. */
export const providers = {
  chatgpt_api: "openai",
  claude_api: "anthropic",
  gemini_api: "gemini",
  perplexity_api: "perplexity"
} as const
