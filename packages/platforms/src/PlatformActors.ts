import { Cause, type Duration, Effect, Exit, Layer, Metric, Option, Scope } from "effect"
import { spawn } from "@sightline/actor/Actor"
import type { Bus } from "@sightline/actor/Bus"
import type { WaitLimits } from "@sightline/actor/Mailbox"
import type { Answer, Question } from "@sightline/domain/Answer"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import type { Environment, Platform, PlatformFailed } from "@sightline/domain/Platform"
import { startStopwatch, type Stopwatch } from "./Stopwatch.ts"
import { address, type Capture, Capturing, millisLeft, Waited } from "./Capture.ts"
import { CaptureJournal } from "./CaptureJournal.ts"
import { platformFailed } from "./PlatformFailure.ts"
import { endingOf } from "./SurfaceFailure.ts"
import { SimulatedVendors } from "./UpstreamClient.ts"

/**
 * A platform to capture, and how many of its captures run at a time.
 *
 * Units: `ceiling` limits a whole capture, whatever steps it consists of, from the arrival of its question. Without it, the
 * capture keeps its own deadline.
 */
export interface Captured {
  readonly environment: Environment
  readonly platform: Platform
  readonly capture: Capture
  readonly concurrency: number
  readonly mailboxMax: number
  readonly waits?: WaitLimits
  readonly ceiling?: Duration.Input
}

const answers = Metric.counter("sightline_answers_total", {
  description: "Answers captured, by platform and whether a web search really happened",
  incremental: true
})

const captures = Metric.histogram("sightline_capture_duration_seconds", {
  description: "Duration of captures, by platform and ending",
  boundaries: [0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 45, 60, 90]
})

/** How a capture ended. Undefined if it was interrupted because the actor is stopping, or refused before an upstream was asked. */
const ended = (exit: Exit.Exit<Answer, PlatformFailed>): CaptureEnding | undefined => {
  if (Exit.isSuccess(exit)) return exit.value.surfacePresent === false ? "no_answer" : "ok"
  if (Cause.hasInterruptsOnly(exit.cause)) return undefined
  const failure = Cause.findErrorOption(exit.cause)
  if (Option.isNone(failure)) return "unavailable"
  return failure.value.unasked ? undefined : (failure.value.ending ?? endingOf(failure.value.code))
}

/** The same capture, failed with a timeout when it takes longer than its ceiling. */
const withCeiling = ({ platform, capture, ceiling }: Captured): Capture => {
  if (ceiling === undefined) return capture
  return (question) =>
    Effect.flatMap(millisLeft(ceiling), (duration) =>
      Effect.timeoutOrElse(capture(question), {
        duration,
        orElse: () => Effect.fail(platformFailed(platform, "upstream_timeout", { ending: "timeout" }))
      })
    )
}

const metersOf = (name: string) => {
  const ended = new Map(
    CaptureEnding.literals.map((ending) => [ending, Metric.withAttributes(captures, { platform: name, ending })])
  )
  const [yes, no] = ["true", "false"].map((searched) => Metric.withAttributes(answers, { platform: name, searched }))
  return { ended, searched: (searched: boolean) => (searched ? yes : no) }
}

const update = <State>(metric: Metric.Metric<number, State> | undefined, value: number) =>
  metric === undefined ? Effect.void : Metric.update(metric, value)

const shown = ({ sponsored }: Answer): { readonly adverts?: number } =>
  sponsored === undefined ? {} : { adverts: sponsored.filter(({ rendered }) => rendered).length }

/** The same capture, timed and recorded with its ending. `waitedMillis` is how long its question has waited before. */
const recorded = (captured: Captured, journal: CaptureJournal["Service"]) => {
  const { environment, platform } = captured
  const meters = metersOf(address(environment, platform))
  const capture = withCeiling(captured)
  const record = Effect.fnUntraced(function* (stopwatch: Stopwatch, exit: Exit.Exit<Answer, PlatformFailed>) {
    const ending = ended(exit)
    if (ending === undefined) return
    const millis = stopwatch.elapsedMillis()
    const adverts = Exit.isSuccess(exit) ? shown(exit.value) : {}
    yield* update(meters.ended.get(ending), millis / 1000)
    if (Exit.isSuccess(exit)) yield* update(meters.searched(exit.value.searched), 1)
    yield* journal.record({ environment, platform, ending, millis, ...adverts })
  })
  return Effect.fnUntraced(function* (question: Question, waitedMillis: number) {
    const stopwatch = yield* startStopwatch
    const asked = capture(question).pipe(
      Effect.provideService(SimulatedVendors, environment === "test"),
      Effect.provideService(Waited, waitedMillis)
    )
    return yield* Effect.onExit(asked, (exit) => record(stopwatch, exit))
  })
}

/**
 * One actor per platform and environment. Every capture is timed and recorded in the journal, unless it was interrupted or refused
 * before an upstream was asked. All actors stop at the same time, so that none accepts questions while another finishes its own.
 */
export const layer = (list: ReadonlyArray<Captured>): Layer.Layer<never, never, Bus | CaptureJournal> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const journal = yield* CaptureJournal
      const together = yield* Scope.fork(yield* Effect.scope, "parallel")
      yield* Effect.forEach(
        list,
        (captured) => {
          const { environment, platform } = captured
          const receive = recorded(captured, journal)
          const actor = spawn(Capturing, address(environment, platform), { ...captured, receive })
          return Effect.flatMap(Scope.fork(together), (own) => Scope.provide(actor, own))
        },
        { discard: true }
      )
    })
  )
