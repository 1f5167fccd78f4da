import { Context, Data, Deferred, type Duration, Effect, Layer, RcRef, type Scope, Semaphore } from "effect"
import type { Browser as Playwright, BrowserContext, Page } from "playwright-core"
import { contexts, type KeptStates } from "./browser/Contexts.ts"
import { clear, clearAbandoned, ownFolder } from "./browser/Remains.ts"
import { makeRestraints } from "./browser/Restraints.ts"
import { PageBroken, Stopped } from "./browser/Stopped.ts"
import { surroundings } from "./browser/Surroundings.ts"
import { type Proxies, type Visitor, type Way, wayOf } from "./browser/Visitor.ts"
import { quietly, within } from "./browser/Within.ts"

export type { Browser as Playwright, BrowserContext, CDPSession, Page, Request, Response } from "playwright-core"

/** How a browser is run. */
export interface BrowserOptions {
  /** The Chromium program. */
  readonly chromium: string
  /** By region; none at all means that captures go straight. */
  readonly proxies?: Proxies
  /** Captures at once; the others wait. */
  readonly contextsMax?: number
  /** How many of these are for live keys alone, so that what test keys rehearse keeps nobody waiting. None unless given. */
  readonly keptForLive?: number
  /** How long a browser without captures is kept. */
  readonly idle?: Duration.Input
}

/** What a capture does with the page it was given. */
export type Visit<A, R> = (page: Page) => Effect.Effect<A, Stopped | PageBroken, R>

/**
 * The door to Chromium: pages for captures, a bounded number at once, from one browser process that is started when it is
 * first needed, ended when idle and replaced when it dies.
 *
 * Laws: a page belongs to one capture at a time, and nothing of it goes on afterwards, however that ended. A capture whose
 * browser died under it is taken up once more on a new one, since nothing of it has left yet; only one that lost its browser
 * twice fails. One whose own page crashed fails alone: a page that ends its renderer would do it again.
 */
export class Browser extends Context.Service<
  Browser,
  {
    /** Errors: `Stopped` with the ending, whatever went wrong. */
    readonly visit: <A, R>(visitor: Visitor, use: Visit<A, R>) => Effect.Effect<A, Stopped, R>
  }
>()("@sightline/platforms/Browser") {
  static readonly layer = (options: BrowserOptions): Layer.Layer<Browser> => Layer.effect(Browser, make(options))
}

const contextsMaxByDefault = 8
const launchMaxMillis = 30_000

// Images and fonts are left out by the renderer itself: no request is made, and none has to be stopped one by one. The
// other settings of the same flag are those by which Playwright makes a headless browser look as if it had a mouse.
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
  // A page could learn the bare address from a connection past the proxy.
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  `--blink-settings=${blink.join(",")}`
]

/** A browser process. `died` never succeeds: it fails when the process is gone without having been asked to go. */
interface Chromium {
  readonly lease: ReturnType<typeof contexts>
  readonly died: Deferred.Deferred<never, BrowserDied>
}

/** The browser went away under a capture. */
class BrowserDied extends Data.TaggedError("BrowserDied") {
  override readonly message = "the browser died"
}

// Loaded at the first capture, so that a process that never captures does not pay for it.
const start = async (chromium: string, folder: string): Promise<BrowserContext> => {
  const { chromium: type } = await import("playwright-core")
  return type.launchPersistentContext(folder, {
    executablePath: chromium,
    args: flags,
    env: surroundings(process.env),
    artifactsDir: folder,
    timeout: launchMaxMillis,
    // Ending is this service's affair, in the order in which its scope closes.
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
  kept: KeptStates,
  onDeath: Effect.Effect<void>
): Effect.fn.Return<Chromium, PageBroken, Scope.Scope> {
  const folder = yield* Effect.acquireRelease(ownFolder, clear)
  const died = yield* Deferred.make<never, BrowserDied>()
  let isOver = false
  const root = yield* Effect.acquireRelease(
    Effect.tryPromise({ try: () => start(chromium, folder), catch: PageBroken.from }),
    (root) =>
      Effect.promise(() => {
        isOver = true
        return quietly(within(closeMaxMillis, root.close()))
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
  // Ended here, it is dead from now on: a machine that is busy may tell of it late.
  const end = () => {
    die()
    Effect.runFork(clear(folder))
  }
  yield* Effect.promise(() => Promise.all(root.pages().map((page) => quietly(page.close()))))
  if (!browser.isConnected()) return yield* new PageBroken({ message: "the browser died at once" })
  return { lease: contexts(browser, kept, contextsMax, end), died }
})

const make = Effect.fnUntraced(function* (
  options: BrowserOptions
): Effect.fn.Return<Browser["Service"], never, Scope.Scope> {
  yield* clearAbandoned
  const kept: KeptStates = new Map()
  const restraints = makeRestraints()
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
  /** A page whose browser is watched. */
  const ready = Effect.fnUntraced(function* (visitor: Visitor, way: Way) {
    yield* placeOf(visitor)
    const { lease, died } = yield* RcRef.get(chromium)
    return { ...(yield* unlessDead(died, lease(visitor, way))), died }
  })
  const attempt = <A, R>(visitor: Visitor, way: Way, use: Visit<A, R>) =>
    Effect.scoped(
      Effect.flatMap(restraints.begin(visitor, way, ready(visitor, way)), ({ page, crashed, died }) =>
        unlessDead(died, Effect.raceFirst(use(page), crashed))
      )
    )

  return Browser.of({
    visit: Effect.fnUntraced(function* (visitor, use) {
      const way = wayOf(visitor, options.proxies ?? {})
      if (way === "barred") return yield* new Stopped({ ending: "proxy_error" })
      return yield* attempt(visitor, way, use).pipe(
        Effect.retry({ times: 1, while: ({ _tag }) => _tag === "BrowserDied" }),
        Effect.catchTags({ PageBroken: unavailable, BrowserDied: unavailable }),
        Effect.tapError(({ ending }) => restraints.learn(visitor, ending)),
        Effect.tap(() => restraints.learn(visitor, "ok"))
      )
    })
  })
})

/** Does it with a page of a browser, and fails as soon as that is gone. */
const unlessDead = <A, E, R>(died: Chromium["died"], use: Effect.Effect<A, E | PageBroken, R>) =>
  use.pipe(
    // A call that fails because its browser died may say so before the browser does.
    Effect.tapError((error) => (error instanceof PageBroken ? Effect.sleep(deathNoticeMax) : Effect.void)),
    Effect.raceFirst(Deferred.await(died))
  )

const unavailable = ({ message }: { readonly message: string }): Effect.Effect<never, Stopped> =>
  Effect.andThen(
    Effect.logWarning("A page was lost").pipe(Effect.annotateLogs({ why: message })),
    new Stopped({ ending: "unavailable" })
  )
