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
import { keyInvalid, refuse } from "@sightline/server/http/Refusal"
import { decodeJson, isBodiless, refuseBody, withBody } from "@sightline/server/http/RequestBody"
import { type Responding, respond } from "@sightline/server/http/Respond"
import { changing } from "@sightline/server/keys/ChangeGate"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { type WebhookEndpoint, WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { Effect, Option, Redacted } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { withOwn } from "./PathId.ts"
import { vet } from "./Receiver.ts"

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

const create = Effect.fnUntraced(
  function* (input: typeof CreateWebhook.Type) {
    const { endpoint, secret } = yield* (yield* WebhookEndpoints).create(yield* owner, input)
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
  { rotate_secret: rotateSecret = false, ...input }: typeof UpdateWebhook.Type
) {
  const endpoints = yield* WebhookEndpoints
  const change = { ...input, rotateSecret }
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

/** Vets the receiver's URL, then answers in the account's turn. Vetting may be slow, so it runs before the turn. */
const vetted = <E, R>(url: string | undefined, answer: Responding<E, R>) =>
  (url === undefined ? Effect.void : vet("url", url)).pipe(
    Effect.matchEffect({ onFailure: Effect.succeed, onSuccess: () => changing(answer) })
  )

const remove = Effect.fnUntraced(function* (text: string) {
  const endpoints = yield* WebhookEndpoints
  const removed = (wallet: Wallet, id: string) =>
    Effect.map(endpoints.remove(wallet, WebhookId.make(id)), Option.liftPredicate(Boolean))
  return yield* withOwn(text, removed, {
    missing: noSuchWebhook,
    use: () => Effect.succeed(HttpServerResponse.empty())
  })
})

/** `/v1/webhooks`: create, read, update, delete. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(Api, "webhooks", (handlers) => {
  const post = withBody(decodeCreate, (input) => counted(vetted(input.url, create(input))))
  // A PATCH without a body is treated like `{}`, whatever its content type.
  const patch = (id: string, request: HttpServerRequest.HttpServerRequest) =>
    Effect.flatMap(isBodiless(request), (nothing) =>
      nothing
        ? refuseBody(noChange)
        : withBody(decodeUpdate, (input) => counted(vetted(input.url, update(id, input))))(request)
    )
  return handlers
    .handleRaw("create", ({ request }) => post(request))
    .handle("list", () => counted(list))
    .handle("find", ({ params }) => counted(find(params.id)))
    .handleRaw("update", ({ params, request }) => patch(params.id, request))
    .handle("remove", ({ params }) => counted(changing(remove(params.id))))
})
