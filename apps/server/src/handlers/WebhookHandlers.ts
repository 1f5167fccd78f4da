import { Api } from "@sightline/contract/Api"
import {
  CreateWebhook,
  noChange,
  UpdateWebhook,
  type WebhookCreated,
  type WebhookFound,
  type WebhookList,
  type WebhookUpdated
} from "@sightline/contract/WebhookApi"
import type { Wallet } from "@sightline/domain/Wallet"
import { WebhookId } from "@sightline/domain/Webhook"
import { Egress } from "@sightline/egress/Egress"
import { keyInvalid, refuse, refuseField } from "@sightline/server/http/Refusal"
import { decodeJson, isBodiless, refuseBody, withBody } from "@sightline/server/http/RequestBody"
import { type Responding, respond } from "@sightline/server/http/Respond"
import { owner } from "@sightline/server/keys/Owner"
import { limited } from "@sightline/server/keys/RateLimit"
import { RateLimits } from "@sightline/store/RateLimits"
import { type WebhookEndpoint, WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { withOwn } from "./PathId.ts"

const decodeCreate = decodeJson(CreateWebhook)
const decodeUpdate = decodeJson(UpdateWebhook)

const noSuchWebhook = refuse(404, "not_found", "There is no such webhook endpoint.")

const render = ({ id, url, description, events, enabled, createdAt, updatedAt }: WebhookEndpoint) => ({
  id,
  url,
  description,
  events,
  enabled,
  created_at: createdAt,
  updated_at: updatedAt
})

/** Goes on when a URL may be called later, or says which field names one that may not. */
const withVetted = Effect.fnUntraced(function* <E, R>(url: string | undefined, use: Responding<E, R>) {
  const vetted = url === undefined ? Effect.void : (yield* Egress).vet(url)
  return yield* Effect.matchEffect(vetted, {
    onFailure: ({ reason }) => refuseField({ path: "url", message: `may not be called: ${reason}` }),
    onSuccess: () => use
  })
})

const create = Effect.fnUntraced(
  function* (wishes: typeof CreateWebhook.Type) {
    const { endpoint, secret } = yield* (yield* WebhookEndpoints).create(yield* owner, wishes)
    const webhook = { ...render(endpoint), secret: Redacted.value(secret) }
    return yield* respond<WebhookCreated>({ webhook }, 201)
  },
  Effect.catchTags({
    TooManyWebhooks: ({ most }) =>
      refuse(409, "conflict", `There are ${most} webhook endpoints already. Delete one first.`),
    AccountDetached: () => keyInvalid
  })
)

const list = Effect.gen(function* () {
  const endpoints = yield* (yield* WebhookEndpoints).list(yield* owner)
  return yield* respond<WebhookList>({ webhooks: endpoints.map(render) })
})

const find = Effect.fnUntraced(function* (text: string) {
  const endpoints = yield* WebhookEndpoints
  return yield* withOwn(text, (wallet, id) => endpoints.find(wallet, WebhookId.make(id)), {
    missing: noSuchWebhook,
    use: (endpoint) => respond<WebhookFound>({ webhook: render(endpoint) })
  })
})

const update = Effect.fnUntraced(function* (
  text: string,
  { rotate_secret: rotateSecret = false, ...wishes }: typeof UpdateWebhook.Type
) {
  const endpoints = yield* WebhookEndpoints
  const change = { ...wishes, rotateSecret }
  return yield* withOwn(text, (wallet, id) => endpoints.update(wallet, WebhookId.make(id), change), {
    missing: noSuchWebhook,
    use: ({ endpoint, secret }) => {
      const shown = Option.match(secret, {
        onNone: () => ({}),
        onSome: (made) => ({ secret: Redacted.value(made) })
      })
      return respond<WebhookUpdated>({ webhook: { ...render(endpoint), ...shown } })
    }
  })
})

const remove = Effect.fnUntraced(function* (text: string) {
  const endpoints = yield* WebhookEndpoints
  const removed = (wallet: Wallet, id: string) =>
    Effect.map(endpoints.remove(wallet, WebhookId.make(id)), Option.liftPredicate(Boolean))
  return yield* withOwn(text, removed, {
    missing: noSuchWebhook,
    use: () => Effect.succeed(HttpServerResponse.empty())
  })
})

// A PATCH without any body is as empty as `{}`, whatever type it gives to nothing.
const patch = (id: string, request: HttpServerRequest.HttpServerRequest) =>
  isBodiless(request)
    ? refuseBody(noChange)
    : withBody(decodeUpdate, (wishes) => limited("default", withVetted(wishes.url, update(id, wishes))))(request)

/** `/v1/webhooks`: create, read, update, delete. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(
  Api,
  "webhooks",
  Effect.fnUntraced(function* (handlers) {
    const services = yield* Effect.context<Egress | RateLimits | WebhookEndpoints>()
    const post = withBody(decodeCreate, (wishes) => limited("default", withVetted(wishes.url, create(wishes))))
    return handlers
      .handleRaw("create", ({ request }) => Effect.provide(post(request), services))
      .handle("list", () => Effect.provide(limited("default", list), services))
      .handle("find", ({ params }) => Effect.provide(limited("default", find(params.id)), services))
      .handleRaw("update", ({ params, request }) => Effect.provide(patch(params.id, request), services))
      .handle("remove", ({ params }) => Effect.provide(limited("default", remove(params.id)), services))
  })
)
