import { Schema, SchemaTransformation } from "effect"

/** The id of a webhook endpoint: a UUID in lower case, as Postgres writes it, however its owner does. */
export const WebhookId = Schema.String.check(Schema.isUUID()).pipe(
  Schema.decodeTo(Schema.String.pipe(Schema.brand("WebhookId")), SchemaTransformation.toLowerCase())
)
export type WebhookId = typeof WebhookId.Type

/** What customers can be told of. Source: contract, "Events". */
export const WebhookEvent = Schema.Literals(["watch.fired", "ask.completed"])
export type WebhookEvent = typeof WebhookEvent.Type

/** The wallet's owner has as many webhook endpoints as it may have. Nothing was created. */
export class TooManyWebhooks extends Schema.TaggedError<TooManyWebhooks>()("TooManyWebhooks", { most: Schema.Int }) {}
