import { Effect } from "effect"
import { Command } from "effect/cli"
import { DeliveryFound, DeliveryList, DeliveryReplayed } from "@sightline/contract/DeliveryApi"
import { DeliveryStatus } from "@sightline/domain/Webhook"
import { answer } from "./Answer.ts"
import { customer } from "./Connection.ts"
import { responseMode } from "./Exchange.ts"
import { given, id, idempotencyKey, maybe, maybeOneOf, page } from "./Flags.ts"
import { fields, more, parts, type Screen, table } from "./Table.ts"

const showAll = ({ deliveries, next_cursor }: DeliveryList, screen: Screen): string =>
  parts(
    table(
      screen,
      ["delivery", "event", "status", "created", "next attempt", "url"],
      deliveries.map((one) => [one.id, one.event, one.status, one.created_at, one.next_attempt_at, one.url])
    ),
    more(next_cursor)
  )

const showOne = (one: DeliveryReplayed): string =>
  fields({
    delivery: one.id,
    event: one.event,
    status: one.status,
    reason: one.reason,
    url: one.url,
    webhook: one.webhook_id,
    ask: one.ask_id,
    watch: one.watch_id,
    run: one.run_id,
    created: one.created_at,
    "next attempt": one.next_attempt_at
  })

const showFound = (found: DeliveryFound, screen: Screen): string =>
  parts(
    showOne(found),
    table(
      screen,
      ["attempt", "started", "ms", "address", "status", "error", "response"],
      found.attempts.map((one) => [
        one.number,
        one.started_at,
        one.duration_ms,
        one.remote_address,
        one.status_code,
        one.error,
        one.response_excerpt
      ])
    )
  )

const list = Command.make(
  "list",
  {
    watch_id: maybe("watch-id", "Those of one watch"),
    webhook_id: maybe("webhook-id", "Those to one endpoint"),
    status: maybeOneOf("status", DeliveryStatus.literals, "Those in one state"),
    ...page
  },
  Effect.fnUntraced(function* (flags) {
    const query = given(flags)
    const client = yield* customer
    yield* answer(client.deliveries.list({ query, responseMode }), DeliveryList, showAll)
  })
).pipe(Command.withDescription("List deliveries, newest first"))

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.deliveries.find({ params, responseMode }), DeliveryFound, showFound)
  })
).pipe(Command.withDescription("Show a delivery with its attempts"))

const replay = Command.make(
  "replay",
  { id, idempotencyKey },
  Effect.fnUntraced(function* ({ id: delivery, idempotencyKey: headers }) {
    const client = yield* customer
    const call = client.deliveries.replay({ headers, params: { id: delivery }, responseMode })
    yield* answer(call, DeliveryReplayed, showOne)
  })
).pipe(Command.withDescription("Deliver the same bytes again, to the receiver's current URL"))

/** `sightline deliveries`: the deliveries, their attempts, and replays. */
export const deliveries = Command.make("deliveries").pipe(
  Command.withDescription("Webhook deliveries and their attempts"),
  Command.withSubcommands([list, show, replay])
)
