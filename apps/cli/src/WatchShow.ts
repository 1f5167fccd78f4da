import type { RunList, RunStarted, WatchList, WatchState } from "@sightline/contract/WatchApi"
import { fields, more, parts, type Screen, table } from "./Table.ts"

/** A watch. */
export const showWatch = ({ id, status, next_run_at }: WatchState): string =>
  fields({ watch: id, status, "next run": next_run_at })

/** The settings of a watch, shown below its status. */
export const showSettings = (one: WatchList["watches"][number]): string =>
  fields({
    query: one.query,
    brand: one.brand,
    mode: one.mode,
    interval: one.interval,
    triggers: one.trigger_on.join(" "),
    sensitivity: one.sensitivity,
    url: one.webhook_url,
    created: one.created_at
  })

/** Watches. */
export const showWatches = ({ watches, next_cursor }: WatchList, screen: Screen): string =>
  parts(
    table(
      screen,
      ["watch", "status", "mode", "interval", "brand", "query", "triggers", "sensitivity", "next run"],
      watches.map((one) => [
        one.id,
        one.status,
        one.mode,
        one.interval,
        one.brand,
        one.query,
        one.trigger_on.join(" "),
        one.sensitivity,
        one.next_run_at
      ])
    ),
    more(next_cursor)
  )

/** A run that has just been started. */
export const showStarted = ({ run_id, status }: RunStarted): string => fields({ run: run_id, status })

/** Runs of a watch. */
export const showRuns = ({ runs, next_cursor }: RunList, screen: Screen): string =>
  parts(
    table(
      screen,
      ["run", "scheduled for", "status", "fired", "delivery", "cost", "check", "what changed"],
      runs.map((one) => [
        one.id,
        one.scheduled_for,
        one.status,
        one.triggers_fired.join(" "),
        one.delivery_status,
        one.cost_cents,
        one.check_id,
        one.diff_summary
      ]),
      ["run", "check"]
    ),
    more(next_cursor)
  )
