import { Api } from "@sightline/contract/Api"
import type { DeliveriesQuery, DeliveryFound, DeliveryList, DeliveryReplayed } from "@sightline/contract/DeliveryApi"
import type { AccountDetached } from "@sightline/domain/Account"
import type { InactiveReason } from "@sightline/domain/Webhook"
import { announceDeliveries } from "@sightline/engine/DeliveryNotice"
import { keyInvalid, refuse } from "@sightline/server/http/Refusal"
import { respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { inTurn } from "@sightline/server/keys/ReadGate"
import { Deliveries, type Delivery, type MadeAttempt, type NotReplayed } from "@sightline/store/Deliveries"
import type { PageRequest } from "@sightline/store/Page"
import { Effect, Record } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { cursors } from "./Cursors.ts"
import { makeIdempotentChange, type IdempotentChange, orRefusing, refusing } from "./IdempotentChange.ts"
import { withPage } from "./Paging.ts"
import { withOwn } from "./PathId.ts"
import type { QueryOf } from "./QueryOf.ts"

type Query = QueryOf<typeof DeliveriesQuery>

const noSuchDelivery = refuse(404, "not_found", "There is no such delivery.")

/** Why a receiver is sent nothing, and what its owner can do. */
const inactive = {
  endpoint_disabled: "The webhook endpoint of this delivery is disabled. Enable it before you replay.",
  endpoint_deleted: "The webhook endpoint of this delivery was deleted. Its deliveries can no longer be replayed.",
  watch_paused: "The watch of this delivery is paused. Resume it before you replay."
} as const satisfies Record<InactiveReason, string>

/** The answer if a delivery is not replayed. */
const notReplayed = (reason: NotReplayed | AccountDetached) => {
  switch (reason._tag) {
    case "DeliveryPending":
      return refuse(409, "conflict", `Delivery ${reason.id} of the same event is still pending. Wait until it is over.`)
    case "ReceiverInactive":
      return refuse(409, "conflict", inactive[reason.reason])
    case "TooManyDeliveries":
      return refuse(
        409,
        "conflict",
        `There are ${reason.most} deliveries of this event already. Each is kept for 30 days.`
      )
    case "AccountDetached":
      return keyInvalid
  }
}

const present = <A>(fields: Readonly<Record<string, A | null>>) => Record.filter(fields, (field) => field !== null)

const render = (delivery: Delivery) => ({
  id: delivery.id,
  event: delivery.event,
  ...present({
    webhook_id: delivery.webhookId,
    ask_id: delivery.askId,
    watch_id: delivery.watchId,
    run_id: delivery.runId
  }),
  url: delivery.url,
  status: delivery.status,
  ...present({ reason: delivery.reason }),
  created_at: delivery.createdAt,
  next_attempt_at: delivery.nextAttemptAt
})

const renderAttempt = (made: MadeAttempt) => ({
  delivery_id: made.id,
  number: made.number,
  started_at: made.startedAt,
  duration_ms: made.durationMs,
  ...present({ remote_address: made.remoteAddress }),
  ...present({ status_code: made.statusCode }),
  ...present({ error: made.error, response_excerpt: made.responseExcerpt })
})

const page = Effect.fnUntraced(function* ({ status, watch_id, webhook_id }: Query, asked: PageRequest) {
  const filter = {
    ...(watch_id === undefined ? {} : { watchId: watch_id }),
    ...(webhook_id === undefined ? {} : { webhookId: webhook_id }),
    ...(status === undefined ? {} : { status })
  }
  const { rows, next } = yield* (yield* Deliveries).page(yield* owner, filter, asked)
  return yield* respond<DeliveryList>({
    deliveries: rows.map(render),
    next_cursor: cursors.deliveries.write(next)
  })
})

// To find the few deliveries with a status, the database may read most of the others.
const list = (query: Query, asked: PageRequest) =>
  query.status === undefined ? page(query, asked) : inTurn(page(query, asked))

const find = Effect.fnUntraced(function* (text: string) {
  const deliveries = yield* Deliveries
  return yield* withOwn(text, deliveries.find, {
    missing: noSuchDelivery,
    use: Effect.fnUntraced(function* (delivery: Delivery) {
      const attempts = yield* deliveries.attempts(delivery.id)
      return yield* respond<DeliveryFound>({ ...render(delivery), attempts: attempts.map(renderAttempt) })
    })
  })
})

const replay = Effect.fnUntraced(function* (once: IdempotentChange, text: string, key: string | undefined) {
  const deliveries = yield* Deliveries
  const wallet = yield* owner
  return yield* withOwn(text, deliveries.find, {
    missing: noSuchDelivery,
    use: ({ id: first }: Delivery) =>
      once(
        { route: "POST /v1/deliveries/:id/replay", key, body: { id: first } },
        {
          make: deliveries.replay(wallet, first).pipe(
            Effect.catch((reason) => refusing(notReplayed(reason))),
            (made) => orRefusing(made, noSuchDelivery)
          ),
          status: 202,
          body: (made): Omit<DeliveryReplayed, "request_id"> => render(made),
          after: ({ id }) =>
            Effect.andThen(
              announceDeliveries,
              Effect.annotateLogs(Effect.logInfo("A delivery was replayed"), { delivery: first, as: id })
            )
        }
      )
  })
})

/** `/v1/deliveries`. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(
  Api,
  "deliveries",
  Effect.fnUntraced(function* (handlers) {
    const once = yield* makeIdempotentChange
    return handlers
      .handle("list", ({ query }) => withPage(cursors.deliveries, query, (asked) => counted(list(query, asked))))
      .handle("find", ({ params }) => counted(find(params.id)))
      .handleRaw("replay", ({ headers, params }) => counted(replay(once, params.id, headers["idempotency-key"])))
  })
)
