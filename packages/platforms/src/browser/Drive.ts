import { Duration, Effect, Schema, type Scope } from "effect"
import type { Page } from "@sightline/platforms/Browser"
import type { Observation, SurfaceProfile } from "@sightline/platforms/live/Surface"
import { steadyMillis } from "@sightline/platforms/Stopwatch"
import { initialStability, judge, type Verdict } from "./Completion.ts"
import { PageSnapshot, takeSnapshot, PageContent, readContent } from "./PageSnapshot.ts"
import { blockReasonOf } from "./BlockReason.ts"
import { PageBroken, Stopped } from "./Stopped.ts"
import { listen, type Streams } from "./Streams.ts"
import type { Timing } from "./Timing.ts"

/** The task of one capture: the page to open and the question to put to it. */
export interface CaptureTask {
  readonly profile: SurfaceProfile
  readonly url: string
  readonly question: string
  readonly timing: Timing
}

type Driving<A> = Effect.Effect<A, Stopped | PageBroken>

const htmlMaxCharacters = 4 * 1024 * 1024
const clickMaxMillis = 1_500
const askMaxMillis = 3_000

const call = <A>(run: () => Promise<A>): Effect.Effect<A, PageBroken> =>
  Effect.tryPromise({ try: run, catch: PageBroken.from })

/** Decodes what a page says about itself. The page's own scripts may have replaced what is called, so it may say anything. */
const shaped = <S extends Schema.ConstraintDecoder<unknown>>(shape: S) => {
  const read = Schema.decodeUnknownEffect(shape)
  return (said: unknown): Effect.Effect<S["Type"], PageBroken> =>
    Effect.mapError(read(said), () => new PageBroken({ message: "the page does not say what it shows" }))
}

// A snapshot may come back empty when the page navigates away meanwhile.
const asSnapshot = shaped(Schema.UndefinedOr(PageSnapshot))
const asContent = shaped(PageContent)

const inTime =
  (limit: Timing["whole"]) =>
  <A>(work: Driving<A>): Driving<A> =>
    Effect.timeoutOrElse(work, { duration: limit, orElse: () => Effect.fail(new Stopped({ ending: "timeout" })) })

/** The status with which a proxy, and never a site, refuses a visitor. Some versions of Chromium show it as a page that never loads. */
const unknownToProxy = 407

const proxyError: Driving<never> = Effect.suspend(() => Effect.fail(new Stopped({ ending: "proxy_error" })))

/** Opens the address. Returns as soon as the site answers, so that everything the page does is seen. */
const goTo = (page: Page, url: string, streams: Streams): Driving<void> => {
  const isBarred = () => streams.document() === unknownToProxy
  return call(() => page.goto(url, { waitUntil: "commit", timeout: 0 })).pipe(
    Effect.andThen(Effect.suspend(() => (isBarred() ? proxyError : Effect.void))),
    Effect.catchTag("PageBroken", (broken): Driving<never> => {
      if (isBarred() || /ERR_(?:PROXY|TUNNEL|SOCKS|INVALID_AUTH|MANDATORY_PROXY)/.test(broken.message)) {
        return proxyError
      }
      return Effect.fail(
        /net::ERR_|Download is starting/.test(broken.message) ? new Stopped({ ending: "unavailable" }) : broken
      )
    })
  )
}

/** Whether a call failed because the page navigated away while it ran. The next snapshot shows the new page. */
const isGone = (failure: Stopped | PageBroken): boolean =>
  failure._tag === "PageBroken" &&
  /Execution context was destroyed|Cannot find context|because of a navigation/.test(failure.message)

const snapshotOf = (page: Page, profile: SurfaceProfile): Driving<PageSnapshot | undefined> => {
  const { dismiss, composer, containers, results, busy, absence, signs } = profile
  const sought = { dismiss, containers, results, busy, absence, signs, ...(composer !== undefined && { composer }) }
  return call(() => page.evaluate(takeSnapshot, sought)).pipe(
    Effect.flatMap(asSnapshot),
    Effect.catchIf(isGone, () => Effect.undefined)
  )
}

/** Clicks an element. One that has gone, or cannot be clicked, is left to the next poll. */
const click = (page: Page, selector: string): Effect.Effect<void> =>
  Effect.promise(() =>
    page
      .locator(selector)
      .filter({ visible: true })
      .first()
      .click({ timeout: clickMaxMillis })
      .catch(() => undefined)
  )

const ask = ({ profile: { composer }, question }: CaptureTask, page: Page): Driving<void> => {
  if (composer === undefined) return Effect.void
  const input = page.locator(composer.input).filter({ visible: true }).first()
  return Effect.andThen(
    call(() => input.fill(question, { timeout: askMaxMillis })),
    call(() => page.locator(composer.send).filter({ visible: true }).first().click({ timeout: askMaxMillis }))
  )
}

const rarePolls = 5

/** Waits until the next poll. While a stream that announces its end is under way, its end is waited for and polls are rare. */
const pause = ({ profile, timing }: CaptureTask, streams: Streams): Effect.Effect<void> => {
  if (profile.streamEnd === undefined || !streams.pending()) return Effect.sleep(timing.poll)
  return Effect.raceFirst(streams.next, Effect.sleep(Duration.times(Duration.fromInputUnsafe(timing.poll), rarePolls)))
}

/** Judges each snapshot in turn; "wait" asks for another one. */
type Judgement = (snapshot: PageSnapshot, now: number) => Verdict

/** Polls the page until there is a verdict. Clicks away what covers the page, and stops at a sign that it will not answer. */
const awaitVerdict = Effect.fnUntraced(function* (
  task: CaptureTask,
  page: Page,
  streams: Streams,
  verdictOf: Judgement
): Effect.fn.Return<Verdict, Stopped | PageBroken> {
  const { profile } = task
  for (;;) {
    const seen = yield* snapshotOf(page, profile)
    if (seen !== undefined) {
      const reason = blockReasonOf(profile.signs, seen, streams)
      if (reason !== undefined) return yield* new Stopped({ ending: reason })
      const obstacle = profile.dismiss[seen.dismiss]
      if (obstacle !== undefined) yield* click(page, obstacle)
      else {
        const verdict = verdictOf(seen, yield* steadyMillis)
        if (verdict !== "wait") return verdict
      }
    }
    yield* pause(task, streams)
  }
})

/** Judges a page by its answer. */
const judging = ({ timing, profile }: CaptureTask, streams: Streams): Judgement => {
  const { streamEnd } = profile
  let state = initialStability
  return (snapshot, now) => {
    const over = streamEnd !== undefined && streams.kept().some(({ body }) => body.includes(streamEnd))
    const judged = judge(state, snapshot, { over, pending: streams.pending() }, now, timing)
    state = judged.stability
    return judged.verdict
  }
}

/** Waits for the composer. A page that stays idle without it for as long as an unknown page does is given up. */
const composer = Effect.fnUntraced(function* (task: CaptureTask, page: Page, streams: Streams) {
  const judgement = judging(task, streams)
  const unanswered = { answer: 0, container: false, results: false, absence: false }
  const verdict = yield* awaitVerdict(task, page, streams, (snapshot, now) =>
    snapshot.composer ? "complete" : judgement({ ...snapshot, ...unanswered }, now)
  )
  if (verdict === "unknown_page") return yield* new Stopped({ ending: "unavailable" })
})

/** Puts the question to a page that has a composer. What covers the page meanwhile is clicked away before another try. */
const compose = (task: CaptureTask, page: Page, streams: Streams): Driving<void> => {
  if (task.profile.composer === undefined) return Effect.void
  return Effect.andThen(composer(task, page, streams), ask(task, page)).pipe(
    Effect.retry({ while: (broken) => broken._tag === "PageBroken" && /Timeout \d+ms/.test(broken.message) })
  )
}

const expand = ({ profile, timing }: CaptureTask, page: Page): Driving<void> =>
  Effect.forEach(
    profile.expand,
    (selector) =>
      call(() => page.locator(selector).filter({ visible: true }).count()).pipe(
        Effect.flatMap((found) =>
          found === 0 ? Effect.void : Effect.andThen(click(page, selector), Effect.sleep(timing.steady))
        )
      ),
    { discard: true }
  )

/** A page that may be read, and the verdict on it. */
export interface DriveResult {
  readonly page: Observation
  readonly verdict: Verdict
}

/**
 * Puts the question to a page and returns it when its answer is complete, or when there will be none.
 *
 * Errors: `Stopped` by a sign of the page, a deadline or the network; `PageBroken` where the page itself is lost.
 */
export const drive = Effect.fnUntraced(function* (
  task: CaptureTask,
  page: Page
): Effect.fn.Return<DriveResult, Stopped | PageBroken, Scope.Scope> {
  const { profile, timing, url } = task
  const streams = yield* listen(page, profile.streams)
  yield* inTime(timing.navigation)(goTo(page, url, streams))
  const read = Effect.gen(function* () {
    const verdict = yield* awaitVerdict(task, page, streams, judging(task, streams))
    yield* expand(task, page)
    const observed = yield* Effect.flatMap(
      call(() => page.evaluate(readContent, htmlMaxCharacters)),
      asContent
    )
    return { page: { ...observed, streams: streams.kept() }, verdict }
  })
  const answered = Effect.andThen(compose(task, page, streams), Effect.retry(read, { while: isGone }))
  return yield* inTime(timing.answer)(answered)
}, Effect.scoped)
