import { SchemaAST } from "effect"
import type { OpenApi } from "effect/http-api"
import type { WebhookEvent } from "@sightline/domain/Webhook"
import { AskCompleted, WatchFired } from "./WebhookPayload.ts"

const header = (name: string, description: string, schema: object = {}) => ({
  name,
  in: "header",
  description,
  schema: { type: "string", ...schema },
  required: true
})

/** The headers of every request to a receiver. Source: contract, "Common delivery rules". */
const headers = [
  header(
    "x-svc-signature",
    "HMAC-SHA256 of the raw body in lower-case hexadecimal; its key is the secret as text. Verify it before parsing the body.",
    { pattern: "^[0-9a-f]{64}$" }
  ),
  header(
    "x-svc-signature-legacy",
    "`t=<x-svc-timestamp>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>`. Reject a `t` more than 300 seconds from your own clock: only this header protects against replayed requests.",
    { pattern: "^t=[0-9]+,v1=[0-9a-f]{64}$" }
  ),
  header("x-svc-timestamp", "The time of signing, in Unix seconds.", { pattern: "^[0-9]+$" }),
  header(
    "x-svc-delivery-id",
    "The id of this attempt; a retry has another. It is `delivery_id` in the list of attempts.",
    {
      format: "uuid"
    }
  )
]

const request = (
  event: WebhookEvent,
  { payload, more, ...said }: { payload: SchemaAST.AST; summary: string; description: string; more: typeof headers }
) => ({
  post: {
    tags: ["webhooks"],
    operationId: event,
    ...said,
    security: [],
    parameters: [header("x-svc-event", "The event.", { enum: [event] }), ...headers, ...more],
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${SchemaAST.resolveIdentifier(payload)}` } }
      }
    },
    responses: {
      "2XX": { description: "Any 2xx within 10 seconds means delivered. The body of the answer is ignored." },
      default: {
        description:
          "Anything else, including a redirect or no answer in time, is a failed attempt. There are up to three attempts: the second 60 seconds after the first has ended, the third 300 seconds after the second."
      }
    }
  }
})

const webhooks = {
  "watch.fired": request("watch.fired", {
    payload: WatchFired.ast,
    summary: "A watch fired",
    description:
      "A run of a watch fired at least one of its triggers. Sent to the watch's `webhook_url`, signed with its `webhook_secret`.",
    more: [header("x-svc-watch-id", "The watch.", { format: "uuid" })]
  }),
  "ask.completed": request("ask.completed", {
    payload: AskCompleted.ast,
    summary: "An ask completed",
    description:
      "A queued ask has ended. Sent to the webhook endpoint that the ask named, signed with the endpoint's `secret`.",
    more: []
  })
} satisfies Record<WebhookEvent, unknown>

/** Adds the requests that the service makes to webhook receivers to a description of the API. */
export const withWebhooks: typeof OpenApi.Transform.Service = (description) => ({ ...description, webhooks })
