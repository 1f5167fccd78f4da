import { Effect, Layer } from "effect"
import { Runs } from "@sightline/store/Runs"
import { runJobConsumers } from "./JobConsumers.ts"
import { runConcurrency } from "./Tuning.ts"
import { WatchRunner } from "./WatchRunner.ts"
import { runQueue } from "./WatchTicker.ts"

/** Works on queued runs of watches in this process. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { claim, release } = yield* Runs
    const { work } = yield* WatchRunner
    yield* runJobConsumers({ queue: runQueue, concurrency: runConcurrency, claim, work, release })
  })
)
