import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import {
  CreateWebhook,
  UpdateWebhook,
  WebhookCreated,
  WebhookFound,
  WebhookList,
  WebhookUpdated
} from "@sightline/contract/WebhookApi"
import { WebhookEvent } from "@sightline/domain/Webhook"
import { answer, done } from "./Answer.ts"
import { customer } from "./Connection.ts"
import { accepted, responseMode } from "./Exchange.ts"
import { given, id, maybe, several } from "./Flags.ts"
import { fields, type Screen, table } from "./Table.ts"

const showOne = ({ webhook }: typeof WebhookUpdated.Type): string =>
  fields({
    webhook: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: webhook.events.join(" "),
    enabled: webhook.enabled,
    created: webhook.created_at,
    updated: webhook.updated_at,
    secret: webhook.secret
  })

const showAll = ({ webhooks }: WebhookList, screen: Screen): string =>
  table(
    screen,
    ["webhook", "enabled", "events", "url", "description"],
    webhooks.map((one) => [one.id, one.enabled, one.events.join(" "), one.url, one.description])
  )

const description = maybe("description", "What it is, at most 200 characters")
const events = several("event", WebhookEvent.literals, "The events it receives")

const create = Command.make(
  "create",
  { url: Argument.String("url").pipe(Argument.withDescription("https, on a public host")), description, events },
  Effect.fnUntraced(function* ({ url, ...flags }) {
    const payload = yield* accepted(CreateWebhook, { url, ...given(flags) })
    const client = yield* customer
    yield* answer(client.webhooks.create({ payload, responseMode }), WebhookCreated, showOne)
  })
).pipe(Command.withDescription("Register an endpoint; its secret is shown once"))

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* customer
    yield* answer(client.webhooks.list({ responseMode }), WebhookList, showAll)
  })
).pipe(Command.withDescription("List endpoints, newest first"))

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.webhooks.find({ params, responseMode }), WebhookFound, showOne)
  })
).pipe(Command.withDescription("Show an endpoint"))

const update = Command.make(
  "update",
  {
    id,
    url: maybe("url-to", "Its new address: https, on a public host"),
    description,
    events,
    enabled: Flag.Boolean("enabled").pipe(
      Flag.withDescription("Whether the endpoint receives events; --no-enabled fails its pending deliveries"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ id: webhook, ...flags }) {
    const payload = yield* accepted(UpdateWebhook, given(flags))
    const client = yield* customer
    const call = client.webhooks.update({ params: { id: webhook }, payload, responseMode })
    yield* answer(call, WebhookUpdated, showOne)
  })
).pipe(Command.withDescription("Change an endpoint"))

const rotate = Command.make(
  "rotate",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    const call = client.webhooks.update({ params, payload: { rotate_secret: true }, responseMode })
    yield* answer(call, WebhookUpdated, showOne)
  })
).pipe(Command.withDescription("Give an endpoint a new secret, shown once"))

const remove = Command.make(
  "delete",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* done(client.webhooks.remove({ params, responseMode }), `webhook ${params.id} is deleted`)
  })
).pipe(Command.withDescription("Delete an endpoint; its pending deliveries fail"))

/** `sightline webhooks`: the account's endpoints for finished asks. */
export const webhooks = Command.make("webhooks").pipe(
  Command.withDescription("Endpoints that receive finished asks"),
  Command.withSubcommands([create, list, show, update, rotate, remove])
)
