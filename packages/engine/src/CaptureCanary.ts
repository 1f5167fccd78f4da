import { Duration, Effect, Layer, Metric } from "effect"
import { superviseRounds } from "@sightline/actor/Supervisor"
import { canary, type CanarySign, type CanaryWarning } from "@sightline/domain/Canary"
import { LiveSurface } from "@sightline/domain/Platform"
import { CaptureStats } from "@sightline/store/CaptureStats"

const signs: ReadonlyArray<CanarySign> = ["no_answer", "no_adverts"]

const gauge = Metric.gauge("sightline_capture_canary", {
  description: "1 while a live surface shows an answer, or adverts, clearly less often than in the week before"
})

const nameOf = ({ surface, sign }: Pick<CanaryWarning, "surface" | "sign">): string => `${surface} ${sign}`

const percent = (rate: number): string => `${Math.round(rate * 100)} %`

const texts: Readonly<Record<CanarySign, string>> = {
  no_answer: "A live surface shows an answer far less often than before: its page may have changed",
  no_adverts: "A live surface shows adverts far less often than before: its page may have changed"
}

const warn = ({ surface, sign, before, now, captures }: CanaryWarning) =>
  Effect.logWarning(texts[sign]).pipe(
    Effect.annotateLogs({ surface, sign, without: percent(now), withoutBefore: percent(before), captures })
  )

/**
 * Detects live surfaces that stopped working without failing. Compares the captures for live keys of the last day with
 * those of the week before it, at once and then every `interval`.
 *
 * Laws: a warning is logged when it first appears, and again only after it has ended; the gauge is 1 while it lasts. A
 * restarted process logs a lasting warning once more.
 */
export const layer = (interval: Duration.Input): Layer.Layer<never, never, CaptureStats> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const stats = yield* CaptureStats
      let lasting: ReadonlySet<string> = new Set()

      const round = Effect.gen(function* () {
        const now = yield* stats.counts({ environment: "live", from: Duration.days(1), until: Duration.zero })
        const before = yield* stats.counts({ environment: "live", from: Duration.days(8), until: Duration.days(1) })
        const warnings = LiveSurface.literals.flatMap((surface) => {
          const own = ({ platform }: { readonly platform: string }) => platform === surface
          return canary(surface, before.filter(own), now.filter(own))
        })
        const seen = new Set(warnings.map(nameOf))
        yield* Effect.forEach(
          warnings.filter((warning) => !lasting.has(nameOf(warning))),
          warn,
          { discard: true }
        )
        for (const surface of LiveSurface.literals)
          for (const sign of signs)
            yield* Metric.update(
              Metric.withAttributes(gauge, { platform: surface, sign }),
              seen.has(nameOf({ surface, sign })) ? 1 : 0
            )
        lasting = seen
      })

      yield* superviseRounds("The capture canary", round, interval)
    })
  )
