/**
 * Which capture gets which browser context, what happens to the context afterwards, and that no state of one capture is left for the
 * next.
 *
 * Planted and seen red:
 * - a context is reused after a capture that failed or was interrupted
 * - a context is reused without end, its uses are miscounted, or it is left open after its last use
 * - a context or its tab is lost because it was emptied too early
 * - one context is leased to two captures
 * - the most recently used context makes room
 * - a context that opens no page, or is emptied late, is left open, and its place is not given back
 * - a tab is left open that cannot be reused, or whose process is gone
 * - a failure to close the browser, or a context, is taken for a failure of the capture
 * - a permit is kept by a capture that failed or was interrupted
 * - service workers and downloads are let through
 * - Playwright listens to the process's signals
 * - the browser's own first page is left open
 * - a success does not clear captchas
 * - waits for a page or a browser that has stopped never end
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { Browser, type BrowserContext, type Page } from "@sightline/platforms/Browser"
import { PageBroken, Stopped } from "@sightline/platforms/browser/Stopped"
import type { Visitor } from "@sightline/platforms/browser/Visitor"
import { localeOf } from "@sightline/platforms/live/Locale"
import { browsing, onPage } from "./Captures.ts"
import { html, site } from "./LocalSite.ts"
import { browsersOf, foldersOf, groupsIn, renderersOf } from "./Processes.ts"

const goTo = (page: Page, url: string) => Effect.promise(() => page.goto(url))

/** A successful capture; returns the context it had. */
const visited = (url: string, country?: string) => onPage((page) => Effect.as(goTo(page, url), page.context()), country)

const openIn = (context: BrowserContext): ReadonlyArray<BrowserContext> => context.browser()?.contexts() ?? []

const isOpen = (context: BrowserContext, seen: BrowserContext): boolean => openIn(seen).includes(context)

/** Waits until a second capture waits too. */
const meeting = () => {
  const both = Deferred.makeUnsafe<void>()
  let come = 0
  return Effect.suspend(() => (++come === 2 ? Deferred.succeed(both, undefined) : Deferred.await(both)))
}

const blank = site({ "/": html("") })

const ownGroups = () => groupsIn(foldersOf(process.pid))

describe("the context of a capture", () => {
  it.live("is reused after a successful capture and never after a failed one, whose place the next capture gets", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const endings: Readonly<Record<string, Effect.Effect<never, Stopped | PageBroken>>> = {
        stopped: new Stopped({ ending: "timeout" }),
        broken: new PageBroken({ message: "lost" }),
        defect: Effect.die(new Error("a defect")),
        interrupted: Effect.interrupt
      }
      for (const [name, ending] of Object.entries(endings)) {
        const first = yield* visited(origin)
        let had: BrowserContext | undefined
        const failed = onPage((page) => {
          had = page.context()
          return Effect.andThen(goTo(page, origin), ending)
        })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(failed)), name)
        const next = yield* visited(origin)
        assert.deepEqual([had === first, next === first, isOpen(first, next)], [true, false, false], name)
      }
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )

  it.live("is not reused after a capture that was interrupted, by its caller or by a timeout", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const begun = Deferred.makeUnsafe<BrowserContext>()
      const endless = onPage((page) =>
        Effect.andThen(Deferred.succeed(begun, page.context()), Effect.andThen(goTo(page, origin), Effect.never))
      )
      const asked = yield* Effect.forkChild(endless)
      const first = yield* Deferred.await(begun)
      yield* Fiber.interrupt(asked)
      const second = yield* visited(origin)
      assert.isFalse(isOpen(first, second))
      let had: BrowserContext | undefined
      const late = onPage((page) => {
        had = page.context()
        return Effect.andThen(goTo(page, origin), Effect.never)
      })
      // A capture that was interrupted before it had a context proves nothing.
      yield* Effect.repeat(Effect.timeoutOption(late, "500 millis"), { until: () => had !== undefined })
      const third = yield* visited(origin)
      assert.isFalse(had === undefined || isOpen(had, third))
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )

  it.live("ends after 50 captures, all of them in one tab", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const visits = Array.from({ length: 51 }, () => onPage((page) => Effect.as(goTo(page, origin), page)))
      const had = yield* Effect.all(visits)
      const [first, last] = [had[0], had[50]]
      if (first === undefined || last === undefined) return assert.fail("captures are missing")
      assert.lengthOf(
        had.filter((page) => page === first),
        50
      )
      assert.isFalse(isOpen(first.context(), last.context()))
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )

  it.live("belongs to one capture at a time", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const first = yield* visited(origin)
      const met = meeting()
      const together = onPage((page) => Effect.as(Effect.andThen(goTo(page, origin), met), page.context()))
      const [one, other] = yield* Effect.all([together, together], { concurrency: 2 })
      assert.notStrictEqual(one, other)
      assert.include([one, other], first)
    }).pipe(Effect.provide(browsing({ contextsMax: 2 })), Effect.scoped)
  )

  it.live("makes room for another visitor's context when it has been idle longest", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const british = yield* visited(origin, "GB")
      const american = yield* visited(origin, "US")
      const australian = yield* visited(origin, "AU")
      assert.deepEqual([isOpen(british, australian), isOpen(american, australian)], [false, true])
    }).pipe(Effect.provide(browsing({ contextsMax: 2 })), Effect.scoped)
  )

  it.live("is closed when it opens no page, and its place is freed", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const broken = yield* onPage((page) => {
        page.context().on("page", (opened) => void opened.close())
        return Effect.as(goTo(page, origin), page)
      })
      // Closes its tab, and every other one that it opens.
      yield* Effect.promise(() => broken.close())
      assert.isTrue(Exit.isFailure(yield* Effect.exit(visited(origin))))
      const british = yield* visited(origin)
      assert.isFalse(isOpen(broken.context(), british))
      const american = yield* visited(origin, "US")
      assert.isTrue(isOpen(british, american))
    }).pipe(Effect.provide(browsing({ contextsMax: 2 })), Effect.scoped)
  )

  it.live("has one page, that of the capture, whatever happened to the one before; the browser has no other", () =>
    Effect.gen(function* () {
      const frame = yield* blank
      const { origin } = yield* site({ "/": html(`<iframe src="${frame.origin}/"></iframe>`), "/plain": html("") })
      const alone = (path: string) =>
        onPage((page) =>
          Effect.gen(function* () {
            yield* goTo(page, origin + path)
            assert.deepEqual(
              openIn(page.context()).flatMap((context) => context.pages()),
              [page]
            )
            return page.context()
          })
        )
      const framed = yield* alone("/")
      assert.strictEqual(yield* alone("/plain"), framed)
      for (const pid of renderersOf(ownGroups())) process.kill(pid, "SIGKILL")
      assert.strictEqual(yield* alone("/plain"), framed)
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )

  it.live("is closed when its page cannot be emptied in time, and the capture keeps its answer", () =>
    Effect.gen(function* () {
      const { origin } = yield* blank
      const looping = yield* onPage((page) =>
        Effect.gen(function* () {
          yield* goTo(page, origin)
          yield* Effect.promise(() => page.evaluate("void setTimeout(() => { for (;;); })"))
          return page.context()
        })
      )
      assert.isFalse(isOpen(looping, yield* visited(origin)))
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )

  it.live("lets a page register no service worker and keep no download", () =>
    Effect.gen(function* () {
      const { origin, asked } = yield* site({ "/": html(`<a href="data:text/plain,x" download="x">x</a>`) })
      const kept = yield* onPage((page) =>
        Effect.promise(async () => {
          await page.goto(origin)
          await page.evaluate(`Promise.resolve(navigator.serviceWorker.register("/worker.js")).catch(() => undefined)`)
          const [download] = await Promise.all([page.waitForEvent("download"), page.click("a")])
          return await download.failure()
        })
      )
      assert.isNotNull(kept)
      assert.deepEqual([...asked], ["GET /"])
    }).pipe(Effect.provide(browsing({ contextsMax: 1 })), Effect.scoped)
  )
})

describe("a browser", () => {
  it.live(
    "that has stopped responding costs no capture its outcome, and delays neither the capture nor the end of the process",
    () =>
      Effect.gen(function* () {
        const { origin } = yield* blank
        const met = meeting()
        const stopping = Effect.sync(() => {
          for (const pid of browsersOf(ownGroups())) process.kill(pid, "SIGSTOP")
        })
        const endings = [Exit.succeed("ok"), Exit.fail(new Stopped({ ending: "timeout" }))]
        const ended = yield* Effect.forEach(
          endings,
          (ending) =>
            Effect.exit(
              onPage((page) =>
                Effect.andThen(Effect.all([goTo(page, origin), met, stopping], { discard: true }), ending)
              )
            ),
          { concurrency: 2 }
        ).pipe(Effect.provide(browsing({ contextsMax: 2 })))
        assert.deepEqual(ended, endings)
        assert.deepEqual(foldersOf(process.pid), [])
      }).pipe(Effect.scoped)
  )

  it.live("leaves signals to its process, which may have captures to finish", () =>
    Effect.gen(function* () {
      const listening = () => ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => process.listenerCount(signal))
      const before = listening()
      yield* Effect.provide(
        onPage(() => Effect.sync(() => assert.deepEqual(listening(), before))),
        browsing()
      )
    })
  )

  const live: Visitor = {
    environment: "live",
    surface: "ai_mode",
    locale: localeOf("US"),
    origin: "https://site.invalid"
  }

  /** The outcome of a capture of a live site with the given ending. */
  const ended = (ending: "ok" | "captcha") =>
    Browser.use(({ visit }) => visit(live, () => (ending === "ok" ? Effect.void : new Stopped({ ending })))).pipe(
      Effect.match({ onSuccess: () => "ok", onFailure: (stopped) => stopped.ending })
    )

  it.effect("forgets earlier captchas after a successful capture", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* ended("captcha"), "captcha")
      assert.strictEqual(yield* ended("ok"), "rate_limited")
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* ended("ok"), "ok")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual(yield* ended("captcha"), "captcha")
      yield* TestClock.adjust("30 minutes")
      assert.strictEqual(yield* ended("ok"), "ok")
    }).pipe(Effect.provide(browsing({ idle: "1 day" })))
  )
})
