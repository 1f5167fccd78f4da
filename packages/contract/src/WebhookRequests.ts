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

/** What every request to a receiver carries. Source: contract, "Common delivery rules". */
const headers = [
  header(
    "x-svc-signature",
    "HMAC-SHA256 of the body as it arrives, keyed by the secret as text, in lower-case hexadecimal. Compare it before anything parses the body.",
    { pattern: "^[0-9a-f]{64}$" }
  ),
  header(
    "x-svc-signature-legacy",
    "`t=<x-svc-timestamp>,v1=<hex>`: HMAC-SHA256 of `<t>.<body>`. Refuse a `t` more than 300 seconds away: this header alone protects against a request that somebody sends again.",
    { pattern: "^t=[0-9]+,v1=[0-9a-f]{64}$" }
  ),
  header("x-svc-timestamp", "The moment of signing, in Unix seconds.", { pattern: "^[0-9]+$" }),
  header("x-svc-delivery-id", "This attempt's: a retry has another. It is the `delivery_id` in the history.", {
    format: "uuid"
  })
]

const request = (
  event: WebhookEvent,
  { payload, description, more }: { payload: SchemaAST.AST; description: string; more: typeof headers }
) => ({
  post: {
    tags: ["webhooks"],
    operationId: event,
    description,
    security: [],
    parameters: [header("x-svc-event", "The event.", { enum: [event] }), ...headers, ...more],
    requestBody: {
      required: true,
      content: {
        "application/json": { schema: { $ref: `#/components/schemas/${SchemaAST.resolveIdentifier(payload)}` } }
      }
    },
    responses: {
      "2XX": { description: "Any 2xx within 10 seconds: it is delivered. What the answer says is of no consequence." },
      default: {
        description:
          "Anything else, redirects too, and no answer in time: the attempt has failed. There are three, the second 60 seconds after the first, the third 300 seconds after the second."
      }
    }
  }
})

const webhooks = {
  "watch.fired": request("watch.fired", {
    payload: WatchFired.ast,
    description:
      "A run of a watch saw what the watch is to tell of. Sent to its `webhook_url`, signed with its `webhook_secret`.",
    more: [header("x-svc-watch-id", "The watch.", { format: "uuid" })]
  }),
  "ask.completed": request("ask.completed", {
    payload: AskCompleted.ast,
    description:
      "A queued ask is over. Sent to the webhook endpoint that it named, signed with the endpoint's `secret`.",
    more: []
  })
} satisfies Record<WebhookEvent, unknown>

/** A description of the API with the requests that the service itself makes, to receivers of webhooks. */
export const withWebhooks: typeof OpenApi.Transform.Service = (description) => ({ ...description, webhooks })
