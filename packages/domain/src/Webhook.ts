import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a webhook endpoint. */
export const WebhookId = Uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

/** The events that customers can receive. Source: contract, "Events". */
export const WebhookEvent = Schema.Literals(["watch.fired", "ask.completed"])
export type WebhookEvent = typeof WebhookEvent.Type

/** The state of a delivery: still to be tried, delivered, or given up. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The wallet's owner has as many webhook endpoints as it may have. Nothing was created. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", { most: Schema.Int }) {}

/** Another delivery of the same event, the one with this id, is still pending. Nothing was replayed. */
export class DeliveryPending extends Schema.TaggedError<DeliveryPending>()("DeliveryPending", { id: Schema.String }) {}

/** Why nothing is sent to a receiver: its endpoint was disabled, or deleted permanently, or its watch is paused. */
export const InactiveReason = Schema.Literals(["endpoint_disabled", "endpoint_deleted", "watch_paused"])
export type InactiveReason = typeof InactiveReason.Type

/** Nothing is sent to the receiver of the delivery in its present state. Nothing was replayed. */
export class ReceiverInactive extends Schema.TaggedError<ReceiverInactive>()("ReceiverInactive", {
  reason: InactiveReason
}) {}

/** The event already has as many deliveries as are kept. Nothing was replayed. */
export class TooManyDeliveries extends Schema.TaggedError<TooManyDeliveries>()("TooManyDeliveries", {
  most: Schema.Int
}) {}
