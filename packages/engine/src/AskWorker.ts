import { Effect, Layer } from "effect"
import { Asks } from "@sightline/store/Asks"
import { askQueue, AskRunner } from "./AskRunner.ts"
import { runJobConsumers } from "./JobConsumers.ts"
import { askConcurrency } from "./Tuning.ts"

/** Works on queued asks in this process. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { claim, release } = yield* Asks
    const { work } = yield* AskRunner
    yield* runJobConsumers({ queue: askQueue, concurrency: askConcurrency, claim, work, release })
  })
)
