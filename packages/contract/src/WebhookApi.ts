import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { WebhookEvent } from "@sightline/domain/Webhook"
import { Authorization } from "./Authorization.ts"
import { instant } from "./Instant.ts"
import { Conflict, NotFound } from "./Problem.ts"
import { choices } from "./Choices.ts"
import { withDefault } from "./Default.ts"
import { text } from "./Text.ts"

const url = text(1, 2048).annotate({ description: "https, on a public host." })
const description = Schema.NullOr(text(0, 200))
const events = choices(WebhookEvent).annotate({
  description: "A watch sends to its own `webhook_url`, so `watch.fired` has no effect here."
})

/** Body of `POST /v1/webhooks`. Source: decisions D1. */
export const CreateWebhook = Schema.Struct({
  url,
  description: withDefault(description, null),
  events: withDefault(events, ["ask.completed"]),
  enabled: withDefault(Schema.Boolean, true)
}).annotate({
  identifier: "CreateWebhook",
  examples: [
    { url: "https://hooks.example.com/sightline", description: null, events: ["ask.completed"], enabled: true }
  ]
})

/** The reason for refusing an update without changes, whether its body is empty or missing. */
export const noChange = "must name at least one change"

/** Body of `PATCH /v1/webhooks/{id}`: at least one change, which `rotate_secret: false` by itself is not. */
export const UpdateWebhook = Schema.Struct({
  url: Schema.optionalKey(url),
  description: Schema.optionalKey(description),
  events: Schema.optionalKey(events),
  enabled: Schema.optionalKey(Schema.Boolean),
  rotate_secret: Schema.optionalKey(Schema.Boolean)
})
  .annotate({ examples: [{ enabled: true }] })
  .check(
    Schema.makeFilter<{ readonly rotate_secret?: boolean }>(
      ({ rotate_secret = false, ...named }) => rotate_secret || Object.keys(named).length > 0 || noChange,
      {
        toJsonSchema: () => ({
          minProperties: 1,
          dependentSchemas: {
            rotate_secret: { if: { properties: { rotate_secret: { const: true } } }, else: { minProperties: 2 } }
          }
        })
      }
    )
  )
  .annotate({ identifier: "UpdateWebhook" })

const record = {
  id: Schema.String,
  url: Schema.String,
  description: Schema.NullOr(Schema.String).annotate({ description: "Your note; null without one." }),
  events: Schema.Array(WebhookEvent),
  enabled: Schema.Boolean,
  created_at: instant,
  updated_at: instant
}

const WebhookEndpoint = Schema.Struct(record).annotate({ identifier: "WebhookEndpoint" })

const secret = Schema.String.annotate({
  description: "64 hexadecimal digits; this text is the key of the signatures. Shown only in this answer."
})

/** Answer of `POST /v1/webhooks`. */
export const WebhookCreated = Schema.Struct({
  request_id: Schema.String,
  webhook: Schema.Struct({ ...record, secret })
}).annotate({ identifier: "WebhookCreated", description: "The new endpoint; its secret is shown only in this answer." })
export type WebhookCreated = typeof WebhookCreated.Type

/** Answer of `GET /v1/webhooks/{id}`. */
export const WebhookFound = Schema.Struct({
  request_id: Schema.String,
  webhook: WebhookEndpoint
}).annotate({ identifier: "WebhookFound", description: "The endpoint, without its secret." })
export type WebhookFound = typeof WebhookFound.Type

/** Answer of `PATCH /v1/webhooks/{id}`; with the new secret where it was rotated. */
export const WebhookUpdated = Schema.Struct({
  request_id: Schema.String,
  webhook: Schema.Struct({ ...record, secret: Schema.optionalKey(secret) })
}).annotate({
  identifier: "WebhookUpdated",
  description: "The endpoint after the change; `secret` is there only if it was rotated."
})
export type WebhookUpdated = typeof WebhookUpdated.Type

/** Answer of `GET /v1/webhooks`, newest first. */
export const WebhookList = Schema.Struct({
  request_id: Schema.String,
  webhooks: Schema.Array(WebhookEndpoint)
}).annotate({ identifier: "WebhookList", description: "The endpoints, newest first." })
export type WebhookList = typeof WebhookList.Type

const params = { id: Schema.String }

/**
 * `/v1/webhooks`: the endpoints of the account that receive events, in the environment of the key.
 *
 * Shape: an Idempotency-Key is accepted but has no effect, because the answer shows a secret and is not stored.
 * Source: decisions C10, D1.
 */
export class WebhookApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("create", "/v1/webhooks", {
      payload: CreateWebhook,
      success: WebhookCreated.pipe(HttpApiSchema.status(201)),
      error: Conflict
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create an endpoint",
        description: "Registers an endpoint. Its secret is shown only in this answer."
      })
    ),
    HttpApiEndpoint.get("list", "/v1/webhooks", { success: WebhookList }).annotateMerge(
      OpenApi.annotations({ summary: "List endpoints", description: "The endpoints, newest first." })
    ),
    HttpApiEndpoint.get("find", "/v1/webhooks/:id", {
      params,
      success: WebhookFound,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({ summary: "Get an endpoint", description: "An endpoint, without its secret." })
    ),
    HttpApiEndpoint.patch("update", "/v1/webhooks/:id", {
      params,
      payload: UpdateWebhook,
      success: WebhookUpdated,
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Update an endpoint",
        description:
          "Changes the fields in the body. Disabling an endpoint fails its pending deliveries. `rotate_secret: true` creates a new secret, shown only in this answer."
      })
    ),
    HttpApiEndpoint.delete("remove", "/v1/webhooks/:id", {
      params,
      success: HttpApiSchema.NoContent.annotate({ description: "The endpoint is deleted." }),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Delete an endpoint",
        description: "Deletes an endpoint. Its pending deliveries fail."
      })
    )
  )
  .middleware(Authorization) {}
