import { Effect, Layer, Result, type Scope } from "effect"
import { delimiter } from "node:path"
import type { Answer, Question } from "@sightline/domain/Answer"
import type { UnreadPage } from "@sightline/domain/EndedCapture"
import { Browser, type BrowserOptions, type Page } from "@sightline/platforms/Browser"
import { CaptureJournal } from "@sightline/platforms/CaptureJournal"
import { make, type BrowserCaptureOptions } from "@sightline/platforms/browser/BrowserCapture"
import { findChromium } from "@sightline/platforms/browser/FindChromium"
import type { PageBroken, Stopped } from "@sightline/platforms/browser/Stopped"
import { type Timing, timings } from "@sightline/platforms/browser/Timing"
import { localeOf } from "@sightline/platforms/live/Locale"
import type { Observation, SurfaceProfile } from "@sightline/platforms/live/Surface"

/** The Chromium for tests: the one that `infra/services` found, otherwise the one on PATH. */
export const chromium = (): string => {
  const found = findChromium(process.env["SIGHTLINE_CHROMIUM"], ["/usr/bin", process.env["PATH"]].join(delimiter))
  if ("missing" in found) throw new Error(`${found.missing}; infra/services does that`)
  return found.path
}

/** A journal that keeps its samples for the test to see. */
export const samplesOf = (samples: Array<UnreadPage>) =>
  Layer.succeed(CaptureJournal, {
    record: () => Effect.void,
    keep: (sample) => Effect.sync(() => void samples.push(sample))
  })

/** A browser and a journal for tests. */
export const browsing = (options: Partial<BrowserOptions> = {}, samples: Array<UnreadPage> = []) =>
  Layer.merge(Browser.layer({ chromium: chromium(), contextsMax: 4, ...options }), samplesOf(samples))

/** Reads whatever the container shows, and finds no answer where results stand without one. */
const readShown = (page: Observation): Result.Result<Answer, "container_empty"> => {
  const document = page.html.replaceAll(/<script>[^]*?<\/script>/g, "")
  const text = /<div id="answer"[^>]*>([^]*?)<\/div>/.exec(document)?.[1]
  const answer = { raw: JSON.stringify(page), citations: [], fanOut: [], brandEntities: [], searched: true, model: "" }
  if (text === undefined) {
    return Result.succeed({ ...answer, text: "", raw: "", surfacePresent: false, finish: "stop" })
  }
  return text.trim() === "" ? Result.fail("container_empty") : Result.succeed({ ...answer, text, finish: "stop" })
}

/** The page that the raw text of an answer of these profiles holds. */
export const pageOf = ({ raw }: Answer): Observation => JSON.parse(raw)

/** The profile of a small page with a container `#answer`, results `.result` and a stream at `/stream`. */
export const profile = (own: Partial<SurfaceProfile> = {}): SurfaceProfile => ({
  surface: "ai_overview",
  origin: () => "https://site.invalid",
  path: () => "/",
  dismiss: [],
  streams: ["/stream"],
  containers: ["#answer"],
  results: [".result"],
  absence: ["No overview for this search"],
  expand: [],
  streamEnd: "[DONE]",
  busy: [".busy"],
  signs: [],
  read: readShown,
  ...own
})

/** A timing without waits for tests; captures still wait for the page, not for the clock. */
export const brisk: Timing = { ...timings.test, poll: "50 millis", steady: "100 millis", absence: "600 millis" }

/** Runs this with a page, like a sandbox capture. */
export const onPage = <A>(use: (page: Page) => Effect.Effect<A, Stopped | PageBroken, Scope.Scope>, country = "GB") => {
  const visitor = { environment: "test", surface: "ai_overview", locale: localeOf(country), origin: "" } as const
  return Browser.use(({ visit }) => visit(visitor, (page) => Effect.scoped(use(page))))
}

/** A question as live surfaces receive it. */
export const question = (content = "Which running shoes last longest?", country = "GB"): Question => ({
  turns: [{ role: "user", content }],
  model: "",
  country,
  webSearch: true
})

/** Captures one question from a local site. */
export const captured = (
  origin: string,
  own: Partial<SurfaceProfile> = {},
  options: Partial<BrowserCaptureOptions> = {},
  asked: Question = question()
) =>
  make(profile(own), { environment: "test", origin, timing: brisk, ...options }).pipe(
    Effect.flatMap((capture) => capture(asked)),
    Effect.result
  )
