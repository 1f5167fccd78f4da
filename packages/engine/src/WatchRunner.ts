import { Array, Context, Effect, Layer, Metric, Option } from "effect"
import { hash } from "node:crypto"
import { Bus } from "@sightline/actor/Bus"
import type { Check } from "@sightline/domain/Check"
import { type Finding, noEvidence, weigh } from "@sightline/domain/Evidence"
import { changeOf } from "@sightline/domain/EvidenceChange"
import { checkOffers } from "@sightline/domain/PriceList"
import { mentionsIn, type RunMention } from "@sightline/domain/RunMention"
import { type Change, compare, resultOf } from "@sightline/domain/Trigger"
import { Charges } from "@sightline/store/Charges"
import { plainReply } from "@sightline/store/Replies"
import type { RunJob } from "@sightline/store/RunJobs"
import { type Previous, type RunRecord, Runs } from "@sightline/store/Runs"
import { type CheckOutcome, CheckRunner } from "./CheckRunner.ts"
import { announceDeliveries } from "./DeliveryNotice.ts"
import { whileRenewed } from "./Lease.ts"
import { jobRenewal, jobTriesMax } from "./Tuning.ts"

/** A run that fired at least one trigger. Shape: `previous` is null without a run to compare with. */
interface Firing {
  readonly run: RunJob
  readonly change: Change
  readonly findings: ReadonlyArray<Finding>
  readonly previous: ReadonlyArray<RunMention> | null
  readonly mentions: ReadonlyArray<RunMention>
  readonly outcome: CheckOutcome
}

/** How a firing is rendered: the payload of its delivery. */
export type WatchRendering = (firing: Firing) => NonNullable<RunRecord["event"]>

const checkOf = ({ query, brand, mode }: RunJob): Check => ({
  query,
  brand,
  mode,
  platforms: checkOffers[mode].platforms,
  region: "us",
  models: {}
})

/** The charge id of an attempt at a run, derived so that a worker that restarts the run finds the charge. It begins like the run's id. */
const chargeIdOf = ({ id }: RunJob, attempt: number): string => {
  const digits = hash("sha256", `${id} ${attempt}`)
  return `${id.slice(0, 20)}${digits.slice(0, 3)}-${digits.slice(3, 15)}`
}

const waited = Metric.histogram("sightline_run_delay_seconds", {
  description: "Time from the slot of a watch's run, or from its request, to its start",
  boundaries: [1, 5, 10, 30, 60, 120, 300, 900, 3600]
})

/** The record of a run, with its event if a trigger fired. Pure. */
const recordOf = (
  rendering: WatchRendering,
  run: RunJob,
  previous: Previous | undefined,
  outcome: CheckOutcome
): RunRecord => {
  const result = resultOf(
    outcome.sightings.map(({ platform, answer, visibility: { mentioned, rank } }) => ({
      platform,
      surfacePresent: answer.surfacePresent,
      mentioned,
      rank,
      citations: answer.citations
    }))
  )
  const { state, findings } = weigh(previous?.evidence ?? noEvidence, result)
  const change =
    run.sensitivity === "evidence" ? changeOf(findings, run) : compare(previous?.result ?? null, result, run)
  const mentions = mentionsIn(outcome.sightings, run.brand)
  const firing = { run, change, findings, previous: previous?.mentions ?? null, mentions, outcome }
  return {
    id: run.id,
    toldBy: change.triggers.length === 0 ? (previous?.toldBy ?? null) : null,
    triggers: change.triggers,
    result,
    evidence: state,
    mentions,
    event: change.triggers.length === 0 ? null : rendering(firing)
  }
}

/** The reply of a run, which no caller waits for. */
const unanswered = plainReply(200, "")

/**
 * Runs a watch: an ordinary check, never from cache; the changes since the last run; the delivery.
 *
 * Laws: a run is charged once, however often it is tried; its result, its charge and its delivery are one transaction. A
 * wallet that cannot pay skips the run.
 * Source: decisions W2, W3, W4, W5.
 */
export class WatchRunner extends Context.Service<
  WatchRunner,
  {
    /** Works on a run and renews its lease meanwhile. */
    readonly work: (run: RunJob) => Effect.Effect<void>
  }
>()("@sightline/engine/WatchRunner") {
  static readonly layer = (rendering: WatchRendering) =>
    Layer.effect(
      WatchRunner,
      Effect.gen(function* () {
        const bus = yield* Bus
        const charges = yield* Charges
        const checks = yield* CheckRunner
        const runs = yield* Runs
        // Exported from the start: an alarm cannot see an increase in the first sample of a series.
        yield* Metric.value(waited)

        /** Voids the holds of earlier attempts: the wallet may be able to pay for the run only once. */
        const release = (run: RunJob) =>
          Effect.forEach(
            Array.makeBy(run.attempt - 1, (before) => chargeIdOf(run, before + 1)),
            charges.void,
            {
              concurrency: "unbounded",
              discard: true
            }
          )

        const check = Effect.fnUntraced(function* (run: RunJob) {
          if (run.attempt > 1) yield* release(run)
          const previous = Option.getOrUndefined(yield* runs.previous(run.watchId))
          const { accountId, environment } = run
          yield* checks.runWatch({
            wallet: { accountId, environment },
            check: checkOf(run),
            claim: Option.none(),
            chargeId: chargeIdOf(run, run.attempt),
            reply: () => unanswered,
            run: (outcome) => recordOf(rendering, run, previous, outcome),
            isLastTry: run.tries >= jobTriesMax
          })
          yield* Effect.provideService(announceDeliveries, Bus, bus)
        })

        const work = Effect.fn("WatchRunner.work")(function* (run: RunJob) {
          if (run.attempt === 1) yield* Metric.update(waited, run.late)
          if (run.tries > jobTriesMax) return yield* runs.end(run, "failed")
          yield* whileRenewed(check(run), runs.renew(run), jobRenewal).pipe(
            Effect.catchTags({
              InsufficientBalance: () => runs.end(run, "skipped_insufficient_balance"),
              ModeNotConfigured: () => runs.end(run, "failed"),
              ModelUnavailable: () => runs.end(run, "failed"),
              // The run stays open and is tried again: it took too long, or a question was lost between processes.
              HoldLost: () => Effect.void,
              QuestionLost: () => Effect.void
            })
          )
        })

        return WatchRunner.of({ work })
      })
    )
}
