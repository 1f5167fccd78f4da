import { Console, Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CreateWatch, RunList, RunStarted, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { Mode, RoadmapMode } from "@sightline/domain/Mode"
import { Interval, Sensitivity, Trigger } from "@sightline/domain/Watch"
import { answer, part } from "./Answer.ts"
import { customer } from "./Connection.ts"
import { accepted, responseMode } from "./Exchange.ts"
import { given, id, idempotencyKey, maybeOneOf, page, several } from "./Flags.ts"
import { Json, secretSetting } from "./Settings.ts"
import { showRuns, showSettings, showStarted, showWatch, showWatches } from "./WatchShow.ts"

const create = Command.make(
  "create",
  {
    query: Argument.String("query").pipe(Argument.withDescription("The question to ask, 1-480 characters")),
    brand: Flag.String("brand").pipe(Flag.withDescription("The brand to look for, 1-100 characters")),
    mode: Flag.Literals("mode", [...Mode.literals, ...RoadmapMode.literals]).pipe(
      Flag.withDescription("The mode of each run, which sets its price")
    ),
    interval: Flag.Literals("interval", Interval.literals).pipe(Flag.withDescription("How often")),
    webhook_url: Flag.String("webhook-url").pipe(
      Flag.withDescription("The URL that receives changes: https, on a public host")
    ),
    trigger_on: several("trigger-on", Trigger.literals, "The changes to report; all four by default"),
    sensitivity: maybeOneOf(
      "sensitivity",
      Sensitivity.literals,
      "Every change, or only changes that usual variation does not explain"
    ),
    idempotencyKey
  },
  Effect.fnUntraced(function* ({ trigger_on, sensitivity, idempotencyKey: headers, ...flags }) {
    const webhook_secret = yield* secretSetting("SIGHTLINE_WEBHOOK_SECRET")
    const payload = yield* accepted(CreateWatch, { ...flags, ...given({ trigger_on, sensitivity }), webhook_secret })
    const client = yield* customer
    yield* answer(client.watch.create({ headers, payload, responseMode }), WatchState, showWatch)
  })
).pipe(
  Command.withDescription(
    "Create a watch; SIGHTLINE_WEBHOOK_SECRET signs its deliveries. Creation is free, runs are not"
  )
)

const list = Command.make(
  "list",
  page,
  Effect.fnUntraced(function* (flags) {
    const client = yield* customer
    yield* answer(client.watch.list({ query: given(flags), responseMode }), WatchList, showWatches)
  })
).pipe(Command.withDescription("List watches, newest first"))

// The endpoint for one watch returns only its status, so its settings are looked for in the list.
const printSettings = Effect.fnUntraced(function* (watch: string) {
  const client = yield* customer
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { limit: "200", ...(cursor && { cursor }) }
    const { watches, next_cursor } = yield* part(client.watch.list({ query, responseMode }), WatchList)
    const found = watches.find((one) => one.id === watch)
    if (found !== undefined) return yield* Console.log(`\n${showSettings(found)}`)
    cursor = next_cursor
  }
})

const show = Command.make(
  "show",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.watch.find({ params, responseMode }), WatchState, showWatch)
    if (!(yield* Json)) yield* printSettings(params.id)
  })
).pipe(Command.withDescription("Show a watch: its status and its settings"))

const pause = Command.make(
  "pause",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* answer(client.watch.pause({ params, responseMode }), WatchState, showWatch)
  })
).pipe(Command.withDescription("Pause a watch; it and its runs are kept"))

const resume = Command.make(
  "resume",
  { id, idempotencyKey },
  Effect.fnUntraced(function* ({ id: watch, idempotencyKey: headers }) {
    const client = yield* customer
    const call = client.watch.resume({ headers, params: { id: watch }, responseMode })
    yield* answer(call, WatchState, showWatch)
  })
).pipe(Command.withDescription("Resume a paused watch from its next slot"))

const run = Command.make(
  "run",
  { id, idempotencyKey },
  Effect.fnUntraced(function* ({ id: watch, idempotencyKey: headers }) {
    const client = yield* customer
    const call = client.watch.start({ headers, params: { id: watch }, responseMode })
    yield* answer(call, RunStarted, showStarted)
  })
).pipe(Command.withDescription("Run a watch now, charged as any run"))

const runs = Command.make(
  "runs",
  { id, ...page },
  Effect.fnUntraced(function* ({ id: watch, ...flags }) {
    const client = yield* customer
    const call = client.watch.runs({ params: { id: watch }, query: given(flags), responseMode })
    yield* answer(call, RunList, showRuns)
  })
).pipe(Command.withDescription("List the runs of a watch, newest first"))

/** `sightline watch`: checks that repeat and report changes. */
export const watch = Command.make("watch").pipe(
  Command.withDescription("Checks that repeat and report changes to your server"),
  Command.withSubcommands([create, list, show, pause, resume, run, runs])
)
