import { WorkQueue } from "@sightline/actor/WorkQueue"
import { Api } from "@sightline/contract/Api"
import {
  CreateWatch,
  type RunList,
  type RunStarted,
  type WatchList,
  type WatchState
} from "@sightline/contract/WatchApi"
import { FiredEvidence } from "@sightline/contract/WebhookPayload"
import type { AccountDetached } from "@sightline/domain/Account"
import { toCents, zero } from "@sightline/domain/Credits"
import { isRoadmapMode, type Mode } from "@sightline/domain/Mode"
import { checkOffers } from "@sightline/domain/PriceList"
import type { TooManyWatches } from "@sightline/domain/Watch"
import { isOffered, type Offering } from "@sightline/engine/Subjects"
import { runQueue } from "@sightline/engine/WatchTicker"
import { keyInvalid, refuse } from "@sightline/server/http/Refusal"
import { decodeJson, withBody } from "@sightline/server/http/RequestBody"
import { respond } from "@sightline/server/http/Respond"
import { changing } from "@sightline/server/keys/ChangeGate"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import type { PageRequest } from "@sightline/store/Page"
import { type Run, Runs } from "@sightline/store/Runs"
import { type Watch, Watches } from "@sightline/store/Watches"
import { Effect, Option, Redacted, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cursors } from "./Cursors.ts"
import { makeIdempotentChange, type IdempotentChange, orRefusing, refusing } from "./IdempotentChange.ts"
import { withPage } from "./Paging.ts"
import { withOwn } from "./PathId.ts"
import { vet } from "./Receiver.ts"

const decodeCreate = decodeJson(CreateWatch)
const evidenceIn = Schema.decodeUnknownOption(FiredEvidence)

/** The dependencies of the handlers of watches. */
interface Dependencies {
  readonly offering: Offering
  readonly once: IdempotentChange
}

const paused = refuse(409, "conflict", "The watch is paused. Resume it first.")
/** The answer when a watch cannot become active. */
const notActive = (reason: TooManyWatches | AccountDetached) =>
  reason._tag === "AccountDetached"
    ? keyInvalid
    : refuse(409, "conflict", `There are ${reason.most} active watches already. Pause one first.`)
const noSuchWatch = refuse(404, "watch_not_found", "There is no such watch.")

const stateOf = ({ id, enabled, nextRunAt }: Watch): Omit<WatchState, "request_id"> => ({
  id,
  status: enabled ? "active" : "paused",
  next_run_at: nextRunAt
})

const render = (watch: Watch): WatchList["watches"][number] => ({
  ...stateOf(watch),
  query: watch.query,
  brand: watch.brand,
  mode: watch.mode,
  interval: watch.interval,
  webhook_url: watch.webhookUrl,
  trigger_on: watch.triggerOn,
  sensitivity: watch.sensitivity,
  created_at: watch.createdAt
})

const renderRun = (run: Run): RunList["runs"][number] => ({
  id: run.id,
  watch_id: run.watchId,
  scheduled_for: run.scheduledFor,
  started_at: run.startedAt,
  finished_at: run.finishedAt,
  status: run.status,
  triggers_fired: run.triggersFired,
  delivery_status: run.deliveryStatus === "failed" ? "undelivered" : run.deliveryStatus,
  cost_cents: toCents(run.cost ?? zero),
  check_id: run.checkId,
  diff_summary: run.told?.summary ?? null,
  ...Option.match(evidenceIn(run.told?.evidence), { onNone: () => ({}), onSome: (evidence) => ({ evidence }) })
})

const showing = { missing: noSuchWatch, use: (watch: Watch) => respond<WatchState>(stateOf(watch)) }

/** Creates a watch that can run and whose receiver may be called. */
const createIn = Effect.fnUntraced(function* (
  mode: Mode,
  { offering, once }: Dependencies,
  { webhook_secret, ...body }: Omit<CreateWatch, "mode">,
  key: string | undefined
) {
  const wallet = yield* owner
  const watches = yield* Watches
  const available = checkOffers[mode].platforms.some((platform) => isOffered(offering, wallet.environment, platform))
  if (!available)
    return yield* refuse(501, "mode_not_yet_available", `The mode ${mode} is not available on this deployment.`)
  const input = inputOf(mode, body)
  const secret = Redacted.make(webhook_secret)
  return yield* once(
    { route: "POST /v1/watch", key, body: { ...input, secret: yield* watches.mark(secret) } },
    {
      validate: vet("webhook_url", body.webhook_url),
      make: watches.create(wallet, input, secret).pipe(Effect.catch((reason) => refusing(notActive(reason)))),
      status: 201,
      body: stateOf
    }
  )
})

/** Creates a watch. A mode that is only announced is refused before a token of the rate limit is taken. */
const create = Effect.fnUntraced(function* (
  dependencies: Dependencies,
  { mode, ...body }: CreateWatch,
  key: string | undefined
) {
  return yield* isRoadmapMode(mode)
    ? refuse(501, "mode_roadmap", `The mode ${mode} is on the roadmap and cannot be watched yet.`)
    : counted(createIn(mode, dependencies, body, key))
})

const inputOf = (mode: Mode, body: Omit<CreateWatch, "mode" | "webhook_secret">) => ({
  query: body.query,
  brand: body.brand,
  mode,
  interval: body.interval,
  webhookUrl: body.webhook_url,
  triggerOn: body.trigger_on,
  sensitivity: body.sensitivity
})

const list = Effect.fnUntraced(function* (asked: PageRequest) {
  const { rows, next } = yield* (yield* Watches).list(yield* owner, asked)
  return yield* respond<WatchList>({ watches: rows.map(render), next_cursor: cursors.watches.write(next) })
})

const runs = Effect.fnUntraced(function* (id: string, asked: PageRequest) {
  const watches = yield* Watches
  const store = yield* Runs
  return yield* withOwn(id, watches.find, {
    missing: noSuchWatch,
    use: (watch) =>
      Effect.flatMap(store.page(watch.id, asked), ({ rows, next }) =>
        respond<RunList>({ runs: rows.map(renderRun), next_cursor: cursors.runs.write(next) })
      )
  })
})

const start = Effect.fnUntraced(function* (once: IdempotentChange, text: string, key: string | undefined) {
  const watches = yield* Watches
  const store = yield* Runs
  const queue = yield* WorkQueue
  const wallet = yield* owner
  return yield* withOwn(text, watches.find, {
    missing: noSuchWatch,
    use: ({ id }: Watch) =>
      once(
        { route: "POST /v1/watch/:id/run", key, body: { id } },
        {
          make: orRefusing(store.start(wallet, id), paused),
          status: 202,
          body: (run): Omit<RunStarted, "request_id"> => ({ run_id: run.id, status: run.status }),
          after: (run) => queue.push(runQueue, [{ id: run.id, turn: 0 }])
        }
      )
  })
})

const pause = (id: string) => Effect.flatMap(Watches, (watches) => withOwn(id, watches.pause, showing))
const resume = Effect.fnUntraced(function* (once: IdempotentChange, text: string, key: string | undefined) {
  const watches = yield* Watches
  const wallet = yield* owner
  return yield* withOwn(text, watches.find, {
    missing: noSuchWatch,
    use: ({ id }: Watch) =>
      once(
        { route: "POST /v1/watch/:id/resume", key, body: { id } },
        {
          make: orRefusing(
            watches.resume(wallet, id).pipe(Effect.catch((reason) => refusing(notActive(reason)))),
            noSuchWatch
          ),
          status: 200,
          body: stateOf
        }
      )
  })
})
const find = (id: string) => Effect.flatMap(Watches, (watches) => withOwn(id, watches.find, showing))

/** `/v1/watch`: creates, shows, pauses and resumes watches. Translates between the wire and the store. */
export const layer = (offering: Offering) =>
  HttpApiBuilder.group(
    Api,
    "watch",
    Effect.fnUntraced(function* (handlers) {
      const dependencies = { offering, once: yield* makeIdempotentChange }
      return handlers
        .handleRaw("create", ({ headers, request }) =>
          withBody(decodeCreate, (body) => create(dependencies, body, headers["idempotency-key"]))(request)
        )
        .handle("list", ({ query }) => withPage(cursors.watches, query, (asked) => counted(list(asked))))
        .handle("find", ({ params }) => counted(find(params.id)))
        .handle("pause", ({ params }) => counted(changing(pause(params.id))))
        .handleRaw("resume", ({ headers, params }) =>
          counted(resume(dependencies.once, params.id, headers["idempotency-key"]))
        )
        .handleRaw("start", ({ headers, params }) =>
          counted(start(dependencies.once, params.id, headers["idempotency-key"]))
        )
        .handle("runs", ({ params, query }) =>
          withPage(cursors.runs, query, (asked) => counted(runs(params.id, asked)))
        )
    })
  )
