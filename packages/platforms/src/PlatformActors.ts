import { Effect, Layer, Metric } from "effect"
import { spawn } from "@sightline/actor/Actor"
import type { Bus } from "@sightline/actor/Bus"
import { type Capture, Capturing } from "./Capture.ts"

const answers = Metric.counter("sightline_answers_total", {
  description: "Answers captured, by platform and by whether a web search really happened",
  incremental: true
})

const counted = (address: string, capture: Capture): Capture => {
  const searched = Metric.withAttributes(answers, { platform: address, searched: "true" })
  const unsearched = Metric.withAttributes(answers, { platform: address, searched: "false" })
  return (question) =>
    Effect.tap(capture(question), (answer) => Metric.update(answer.searched ? searched : unsearched, 1))
}

/** One actor per address, each asking its platform at most `concurrency` questions at a time. */
export const layer = (
  captures: ReadonlyMap<string, Capture>,
  options: { readonly concurrency: number; readonly mailboxMax: number }
): Layer.Layer<never, never, Bus> =>
  Layer.effectDiscard(
    Effect.forEach(
      captures,
      ([address, capture]) => spawn(Capturing, address, { ...options, receive: counted(address, capture) }),
      { discard: true }
    )
  )
