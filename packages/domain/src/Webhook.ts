import { Schema } from "effect"
import { Uuid } from "./Uuid.ts"

/** The id of a webhook endpoint. */
export const WebhookId = Uuid.pipe(Schema.brand("WebhookId"))
export type WebhookId = typeof WebhookId.Type

/** What customers can be told of. Source: contract, "Events". */
export const WebhookEvent = Schema.Literals(["watch.fired", "ask.completed"])
export type WebhookEvent = typeof WebhookEvent.Type

/** What becomes of a delivery: still to be tried, delivered, or given up. */
export const DeliveryStatus = Schema.Literals(["pending", "delivered", "failed"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/** The wallet's owner has as many webhook endpoints as it may have. Nothing was created. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", { most: Schema.Int }) {}

/** Another delivery of the same event is yet to be made, the one with this id. Nothing was replayed. */
export class DeliveryPending extends Schema.TaggedError<DeliveryPending>()("DeliveryPending", { id: Schema.String }) {}

/** Why a receiver is sent nothing: its endpoint was disabled, or deleted for good, or its watch is paused. */
export const ReceiverState = Schema.Literals(["endpoint_disabled", "endpoint_deleted", "watch_paused"])
export type ReceiverState = typeof ReceiverState.Type

/** The receiver of the delivery is sent nothing as it is now. Nothing was replayed. */
export class ReceiverOff extends Schema.TaggedError<ReceiverOff>()("ReceiverOff", { state: ReceiverState }) {}

/** As many deliveries of the event are kept as may be. Nothing was replayed. */
export class TooManyDeliveries extends Schema.TaggedError<TooManyDeliveries>()("TooManyDeliveries", {
  most: Schema.Int
}) {}
