import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { DeliveryStatus, WebhookEvent } from "@sightline/domain/Webhook"
import { Authorization } from "./Authorization.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { instant } from "./Instant.ts"
import { nextCursor, pageQueryUpTo } from "./Page.ts"
import { NotFound, onceProblems } from "./Problem.ts"

const uuid = Schema.String.check(Schema.isUUID())

/** Query of `GET /v1/deliveries`. Source: decisions D5. */
export const DeliveriesQuery = {
  watch_id: Schema.optionalKey(uuid),
  webhook_id: Schema.optionalKey(uuid),
  status: Schema.optionalKey(DeliveryStatus),
  ...pageQueryUpTo(100)
}

const delivery = {
  id: Schema.String,
  event: WebhookEvent,
  webhook_id: Schema.optionalKey(Schema.String.annotate({ description: "Of `ask.completed`: the endpoint." })),
  ask_id: Schema.optionalKey(Schema.String.annotate({ description: "Of `ask.completed`: the ask." })),
  watch_id: Schema.optionalKey(Schema.String.annotate({ description: "Of `watch.fired`: the watch." })),
  run_id: Schema.optionalKey(Schema.String.annotate({ description: "Of `watch.fired`: the run that fired." })),
  url: Schema.String.annotate({ description: "Where it was last sent, or will be sent." }),
  status: DeliveryStatus,
  reason: Schema.optionalKey(
    Schema.String.annotate({
      description: "Why it failed: the error of the last attempt, or why no further attempt was made."
    })
  ),
  created_at: instant,
  next_attempt_at: Schema.NullOr(instant).annotate({ description: "null unless it is pending." })
}

const attempt = Schema.Struct({
  delivery_id: Schema.String.annotate({ description: "The attempt's `x-svc-delivery-id`." }),
  number: Schema.Int.annotate({ description: "1 to 3." }),
  started_at: instant,
  duration_ms: Schema.NullOr(Schema.Int).annotate({
    description: "Milliseconds; null while the attempt is open, and when its end is unknown."
  }),
  remote_address: Schema.optionalKey(
    Schema.String.annotate({ description: "The IP address that the connection was made to; absent without one." })
  ),
  status_code: Schema.optionalKey(
    Schema.Int.annotate({ description: "The status of the receiver's answer; absent without an answer." })
  ),
  error: Schema.optionalKey(Schema.String.annotate({ description: "Why the attempt failed; absent if it did not." })),
  response_excerpt: Schema.optionalKey(
    Schema.String.annotate({ description: "The first 8 KiB of the receiver's answer; absent without any." })
  )
}).annotate({ identifier: "DeliveryAttempt" })

/** Answer of `GET /v1/deliveries`, newest first. */
export const DeliveryList = Schema.Struct({
  request_id: Schema.String,
  deliveries: Schema.Array(Schema.Struct(delivery).annotate({ identifier: "Delivery" })),
  next_cursor: nextCursor
}).annotate({ identifier: "DeliveryList", description: "A page of deliveries, newest first." })
export type DeliveryList = typeof DeliveryList.Type

/** Answer of `GET /v1/deliveries/{id}`. */
export const DeliveryFound = Schema.Struct({
  request_id: Schema.String,
  ...delivery,
  attempts: Schema.Array(attempt)
}).annotate({ identifier: "DeliveryFound", description: "The delivery and all its attempts." })
export type DeliveryFound = typeof DeliveryFound.Type

/** Answer of a replay: the new delivery. */
export const DeliveryReplayed = Schema.Struct({ request_id: Schema.String, ...delivery }).annotate({
  identifier: "DeliveryReplayed",
  description: "A new delivery of the same event is pending."
})
export type DeliveryReplayed = typeof DeliveryReplayed.Type

const params = { id: Schema.String }

/** `/v1/deliveries`: webhook deliveries, their attempts, and replays. Source: decisions D5. */
export class DeliveryApi extends HttpApiGroup.make("deliveries")
  .add(
    HttpApiEndpoint.get("list", "/v1/deliveries", {
      query: DeliveriesQuery,
      success: DeliveryList
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List deliveries",
        description: "Extension. The account's webhook deliveries, newest first."
      })
    ),
    HttpApiEndpoint.get("find", "/v1/deliveries/:id", {
      params,
      success: DeliveryFound,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get a delivery", description: "Extension. A delivery with all its attempts." })
    ),
    HttpApiEndpoint.post("replay", "/v1/deliveries/:id/replay", {
      headers: idempotencyKey,
      params,
      success: DeliveryReplayed.pipe(HttpApiSchema.status(202)),
      error: [NotFound, ...onceProblems]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Replay a delivery",
        description:
          "Extension. Delivers the same bytes again, to the receiver's current URL. " +
          "409 while another delivery of the same event is pending, once 100 of them are kept, " +
          "or if the endpoint is disabled or deleted or the watch is paused."
      })
    )
  )
  .middleware(Authorization) {}
