import { Context, Data, Deferred, type Duration, Effect, Layer, RcRef, type Scope, Semaphore } from "effect"
import type { Browser as Playwright, BrowserContext, Page } from "playwright-core"
import { contexts, type StorageStates } from "./browser/Contexts.ts"
import { makeUserDataFolder, removeAbandonedFolders, removeUserDataFolder } from "./browser/UserDataFolder.ts"
import { makeVisitLimiter } from "./browser/VisitLimiter.ts"
import { PageBroken, Stopped } from "./browser/Stopped.ts"
import { browserEnvironment } from "./browser/BrowserEnvironment.ts"
import { type Proxies, type Route, routeOf, type Visitor } from "./browser/Visitor.ts"
import { ignoreFailure, withTimeout } from "./browser/Timeout.ts"

export type { Browser as Playwright, BrowserContext, CDPSession, Page, Request, Response } from "playwright-core"

/** How a browser is run. */
export interface BrowserOptions {
  /** The Chromium program. */
  readonly chromium: string
  /** Proxies by region. Without any, captures connect directly. */
  readonly proxies?: Proxies
  /** The most captures at the same time; the others wait. */
  readonly contextsMax?: number
  /** How many of these are reserved for live keys, so that captures of test keys do not delay them. Default: none. */
  readonly keptForLive?: number
  /** How long the browser is kept running without captures. */
  readonly idle?: Duration.Input
}

/** What a capture does with the page it was given. */
export type Visit<A, R> = (page: Page) => Effect.Effect<A, Stopped | PageBroken, R>

/**
 * The client for Chromium: pages for captures, a limited number at a time, from one browser process. The process starts
 * when it is first needed, ends when idle and is replaced when it dies.
 *
 * Laws: a page belongs to one capture at a time, and nothing of a capture continues after its end, however it ended. A
 * capture whose browser died is retried once on a new one, because nothing of it has been delivered yet; it fails when that
 * browser dies too. A capture whose own page crashed fails without a retry, and only that capture: a page that ends its
 * renderer would do so again.
 */
export class Browser extends Context.Service<
  Browser,
  {
    /** Errors: `Stopped` with the ending, for every kind of failure. */
    readonly visit: <A, R>(visitor: Visitor, use: Visit<A, R>) => Effect.Effect<A, Stopped, R>
  }
>()("@sightline/platforms/Browser") {
  static readonly layer = (options: BrowserOptions): Layer.Layer<Browser> => Layer.effect(Browser, make(options))
}

const contextsMaxByDefault = 8
const launchMaxMillis = 30_000

// The renderer itself leaves out images and fonts: no request is made that would have to be blocked. The other settings of
// the same flag are Playwright's own, with which a headless browser appears to have a mouse.
const blink = [
  "imagesEnabled=false",
  "primaryHoverType=2",
  "availableHoverTypes=2",
  "primaryPointerType=4",
  "availablePointerTypes=4"
]

const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-remote-fonts",
  // A page could learn the machine's own address from a connection that bypasses the proxy.
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  `--blink-settings=${blink.join(",")}`
]

/** A browser process. `died` never succeeds: it fails when the process ends without having been told to. */
interface Chromium {
  readonly lease: ReturnType<typeof contexts>
  readonly died: Deferred.Deferred<never, BrowserDied>
}

/** The browser died during a capture. */
class BrowserDied extends Data.TaggedError("BrowserDied") {
  override readonly message = "the browser died"
}

// Loaded at the first capture, so that a process without captures does not pay for it.
const start = async (chromium: string, folder: string): Promise<BrowserContext> => {
  const { chromium: type } = await import("playwright-core")
  return type.launchPersistentContext(folder, {
    executablePath: chromium,
    args: flags,
    env: browserEnvironment(process.env),
    artifactsDir: folder,
    timeout: launchMaxMillis,
    // This service ends the browser itself, in the order in which its scope closes.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false
  })
}

const closeMaxMillis = 5_000
const deathNoticeMax = "500 millis"

const browserOf = (root: BrowserContext): Playwright => {
  const browser = root.browser()
  if (browser === null) throw new Error("a persistent context has no browser")
  return browser
}

/** Starts a browser that lasts until the scope closes. */
const launch = Effect.fnUntraced(function* (
  { chromium, contextsMax = contextsMaxByDefault }: BrowserOptions,
  kept: StorageStates,
  onDeath: Effect.Effect<void>
): Effect.fn.Return<Chromium, PageBroken, Scope.Scope> {
  const folder = yield* Effect.acquireRelease(makeUserDataFolder, removeUserDataFolder)
  const died = yield* Deferred.make<never, BrowserDied>()
  let isOver = false
  const root = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => start(chromium, folder), catch: PageBroken.from }),
    (root) =>
      Effect.promise(() => {
        isOver = true
        return ignoreFailure(withTimeout(closeMaxMillis, root.close()))
      })
  )
  const browser = browserOf(root)
  const die = () => {
    if (isOver) return
    isOver = true
    Deferred.doneUnsafe(died, Effect.fail(new BrowserDied()))
    Effect.runFork(onDeath)
  }
  browser.on("disconnected", die)
  // Once ended here, the browser counts as dead: a busy machine may report its death late.
  const end = () => {
    die()
    Effect.runFork(removeUserDataFolder(folder))
  }
  yield* Effect.promise(() => Promise.all(root.pages().map((page) => ignoreFailure(page.close()))))
  if (!browser.isConnected()) return yield* new PageBroken({ message: "the browser died at once" })
  return { lease: contexts(browser, kept, contextsMax, end), died }
})

const make = Effect.fnUntraced(function* (
  options: BrowserOptions
): Effect.fn.Return<Browser["Service"], never, Scope.Scope> {
  yield* removeAbandonedFolders
  const kept: StorageStates = new Map()
  const limiter = makeVisitLimiter()
  const { contextsMax = contextsMaxByDefault, keptForLive = 0 } = options
  const permits = yield* Semaphore.make(contextsMax)
  const permitsOfTests = yield* Semaphore.make(contextsMax - keptForLive)
  const chromium: RcRef.RcRef<Chromium, PageBroken> = yield* RcRef.make({
    acquire: launch(
      options,
      kept,
      Effect.suspend(() => RcRef.invalidate(chromium))
    ),
    idleTimeToLive: options.idle ?? "5 minutes"
  })

  const placeOf = ({ environment }: Visitor) =>
    Effect.andThen(
      environment === "test" ? Semaphore.takeScoped(permitsOfTests, 1) : Effect.void,
      Semaphore.takeScoped(permits, 1)
    )
  /** A page, together with the signal that its browser has died. */
  const ready = Effect.fnUntraced(function* (visitor: Visitor, route: Route) {
    yield* placeOf(visitor)
    const { lease, died } = yield* RcRef.get(chromium)
    return { ...(yield* unlessDead(died, lease(visitor, route))), died }
  })
  const attempt = <A, R>(visitor: Visitor, route: Route, use: Visit<A, R>) =>
    Effect.scoped(
      Effect.flatMap(limiter.begin(visitor, route, ready(visitor, route)), ({ page, crashed, died }) =>
        unlessDead(died, Effect.raceFirst(use(page), crashed))
      )
    )

  return Browser.of({
    visit: Effect.fnUntraced(function* (visitor, use) {
      const route = routeOf(visitor, options.proxies ?? {})
      if (route === "blocked") return yield* new Stopped({ ending: "proxy_error" })
      return yield* attempt(visitor, route, use).pipe(
        Effect.retry({ times: 1, while: ({ _tag }) => _tag === "BrowserDied" }),
        Effect.catchTags({ PageBroken: unavailable, BrowserDied: unavailable }),
        Effect.tapError(({ ending }) => limiter.record(visitor, ending)),
        Effect.tap(() => limiter.record(visitor, "ok"))
      )
    })
  })
})

/** Runs `use`, which needs the browser, and fails as soon as the browser is gone. */
const unlessDead = <A, E, R>(died: Chromium["died"], use: Effect.Effect<A, E | PageBroken, R>) =>
  use.pipe(
    // A call that fails because the browser died may fail before the browser's death is reported.
    Effect.tapError((error) => (error instanceof PageBroken ? Effect.sleep(deathNoticeMax) : Effect.void)),
    Effect.raceFirst(Deferred.await(died))
  )

const unavailable = ({ message }: { readonly message: string }): Effect.Effect<never, Stopped> =>
  Effect.andThen(
    Effect.logWarning("A page was lost").pipe(Effect.annotateLogs({ why: message })),
    new Stopped({ ending: "unavailable" })
  )
