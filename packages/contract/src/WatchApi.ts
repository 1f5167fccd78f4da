import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Mode, RoadmapMode } from "@sightline/domain/Mode"
import { Interval, RunStatus, Sensitivity, Trigger, WatchStatus } from "@sightline/domain/Watch"
import { Authorization } from "./Authorization.ts"
import { idempotencyKey } from "./IdempotencyKey.ts"
import { instant } from "./Instant.ts"
import { nextCursor, pageQuery } from "./Page.ts"
import { ModeNotYetAvailable, onceProblems, WatchModeRoadmap, WatchNotFound } from "./Problem.ts"
import { choices, oneOf } from "./Choices.ts"
import { withDefault } from "./Default.ts"
import { text, words } from "./Text.ts"
import { FiredEvidence } from "./WebhookPayload.ts"

/** Body of `POST /v1/watch`. Source: contract, "Watch"; decisions W5. */
export const CreateWatch = Schema.Struct({
  query: words(1, 480),
  brand: words(1, 100),
  mode: Schema.Literals([...Mode.literals, ...RoadmapMode.literals]).annotate(oneOf(Mode.literals)),
  interval: Interval,
  webhook_url: text(1, 2048).annotate({ description: "https, on a public host." }),
  webhook_secret: words(16, 128).annotate({ description: "The key of the signatures; no answer shows it." }),
  trigger_on: withDefault(choices(Trigger).annotate({ description: "The changes to report." }), Trigger.literals),
  sensitivity: withDefault(
    Sensitivity.annotate({
      description:
        "Extension. `evidence`: fire only on changes that the watch's usual run-to-run variation does not explain."
    }),
    "every_change"
  )
}).annotate({
  identifier: "CreateWatch",
  examples: [
    {
      query: "best running shoes",
      brand: "Nike",
      mode: "quick",
      interval: "daily",
      webhook_url: "https://hooks.example.com/sightline",
      webhook_secret: "a secret of your own",
      trigger_on: Trigger.literals,
      sensitivity: "every_change"
    }
  ]
})
export type CreateWatch = typeof CreateWatch.Type

const state = {
  id: Schema.String,
  status: WatchStatus,
  next_run_at: instant.annotate({
    description: "The next scheduled run; of a paused watch, the next one if it were resumed now."
  })
}

/** A watch as the answers to creating, reading, pausing and resuming it show it. Source: contract, "Watch response". */
export const WatchState = Schema.Struct({ request_id: Schema.String, ...state }).annotate({
  identifier: "WatchState",
  description: "The status of the watch and the time of its next run."
})
export type WatchState = typeof WatchState.Type

/** Watches, newest first. Extension: decisions W6. */
export const WatchList = Schema.Struct({
  request_id: Schema.String,
  watches: Schema.Array(
    Schema.Struct({
      ...state,
      query: Schema.String,
      brand: Schema.String,
      mode: Mode,
      interval: Interval,
      webhook_url: Schema.String,
      trigger_on: Schema.Array(Trigger),
      sensitivity: Sensitivity,
      created_at: instant
    }).annotate({ identifier: "Watch" })
  ),
  next_cursor: nextCursor
}).annotate({ identifier: "WatchList", description: "A page of watches, newest first." })
export type WatchList = typeof WatchList.Type

/** Runs of a watch, newest first. Extension: decisions W6. */
export const RunList = Schema.Struct({
  request_id: Schema.String,
  runs: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      watch_id: Schema.String,
      scheduled_for: instant.annotate({ description: "The watch's slot, or when the run was requested." }),
      started_at: Schema.NullOr(instant).annotate({ description: "null until it starts." }),
      finished_at: Schema.NullOr(instant).annotate({ description: "null while it is open." }),
      status: RunStatus.annotate({
        description:
          "`completed`, also when engines failed; `skipped_insufficient_balance`: nothing was asked; `failed`: interrupted five times, or the mode is not available. Only `completed` is charged."
      }),
      triggers_fired: Schema.Array(Trigger),
      delivery_status: Schema.NullOr(Schema.Literals(["pending", "delivered", "undelivered"])).annotate({
        description:
          "`delivered` once any delivery of the run has arrived; otherwise the status of the newest one, where `undelivered` means that it failed. null when there was nothing to deliver."
      }),
      cost_cents: Schema.Finite.annotate({ description: "Credits charged; 0 until it is completed." }),
      check_id: Schema.NullOr(Schema.String).annotate({
        description: "`GET /v1/checks/{id}` has its answers; null unless it is completed."
      }),
      diff_summary: Schema.NullOr(Schema.String).annotate({
        description: "What fired, in words; null when nothing did."
      }),
      evidence: Schema.optionalKey(FiredEvidence)
    }).annotate({ identifier: "WatchRun" })
  ),
  next_cursor: nextCursor
}).annotate({ identifier: "RunList", description: "A page of runs, newest first." })
export type RunList = typeof RunList.Type

/** A run that was requested. Extension: decisions W6. */
export const RunStarted = Schema.Struct({
  request_id: Schema.String,
  run_id: Schema.String,
  status: RunStatus
}).annotate({ identifier: "RunStarted", description: "The run is queued, or was open already." })
export type RunStarted = typeof RunStarted.Type

const params = { id: Schema.String }

/** `/v1/watch`: checks that repeat on a schedule and report what changed. */
export class WatchApi extends HttpApiGroup.make("watch")
  .add(
    HttpApiEndpoint.post("create", "/v1/watch", {
      headers: idempotencyKey,
      payload: CreateWatch,
      success: WatchState.pipe(HttpApiSchema.status(201)),
      error: [...onceProblems, WatchModeRoadmap, ModeNotYetAvailable]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a watch",
        description:
          "Creates a watch. Creation is free; each run costs what its check costs. Up to 10,000 may be active per account and environment."
      })
    ),
    HttpApiEndpoint.get("list", "/v1/watch", {
      query: pageQuery,
      success: WatchList
    }).annotateMerge(
      OpenApi.annotations({ summary: "List watches", description: "Extension. The account's watches, newest first." })
    ),
    HttpApiEndpoint.get("find", "/v1/watch/:id", {
      params,
      success: WatchState,
      error: WatchNotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Get a watch",
        description: "The status of a watch and the time of its next run."
      })
    ),
    HttpApiEndpoint.delete("pause", "/v1/watch/:id", {
      params,
      success: WatchState,
      error: WatchNotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Pause a watch",
        description:
          "Pauses the watch and keeps it and its runs. Its pending deliveries fail. Pausing a paused watch changes nothing."
      })
    ),
    HttpApiEndpoint.post("resume", "/v1/watch/:id/resume", {
      headers: idempotencyKey,
      params,
      success: WatchState,
      error: [WatchNotFound, ...onceProblems]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Resume a watch",
        description: "Extension. Resumes a paused watch from its next slot."
      })
    ),
    HttpApiEndpoint.post("start", "/v1/watch/:id/run", {
      headers: idempotencyKey,
      params,
      success: RunStarted.pipe(HttpApiSchema.status(202)),
      error: [WatchNotFound, ...onceProblems]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Run a watch now",
        description:
          "Extension. Runs the watch now, charged like any run. While a run is open, no other is started: the answer is that run."
      })
    ),
    HttpApiEndpoint.get("runs", "/v1/watch/:id/runs", {
      params,
      query: pageQuery,
      success: RunList,
      error: WatchNotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List the runs of a watch",
        description: "Extension. The runs of the watch, newest first."
      })
    )
  )
  .middleware(Authorization) {}
