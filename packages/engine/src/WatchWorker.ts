import { Effect, Layer } from "effect"
import { Runs } from "@sightline/store/Runs"
import { takers } from "./Takers.ts"
import { runConcurrency } from "./Tuning.ts"
import { WatchRunner } from "./WatchRunner.ts"
import { runQueue } from "./WatchTicker.ts"

/** Works on queued runs of watches in this process. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { claim, giveBack } = yield* Runs
    const { work } = yield* WatchRunner
    yield* takers({ queue: runQueue, concurrency: runConcurrency, claim, work, giveBack })
  })
)
