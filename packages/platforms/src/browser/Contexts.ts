import { Deferred, Effect, Exit, type Scope } from "effect"
import type { BrowserContext, CDPSession, Page, Playwright } from "@sightline/platforms/Browser"
import { PageBroken } from "./Stopped.ts"
import { type Visitor, visitorKey, type Way } from "./Visitor.ts"
import { quietly, within } from "./Within.ts"

type State = Awaited<ReturnType<BrowserContext["storageState"]>>

/** What visitors keep from one capture to the next, in whichever browser: cookies and stored values, by their key. */
export type KeptStates = Map<string, State>

/** A page of a capture's own. `crashed` never succeeds: it fails when the page's process is gone. */
export interface Leased {
  readonly page: Page
  readonly crashed: Effect.Effect<never, PageBroken>
}

/** A context that outlives captures, which spares the site's files and the setting up of each. */
interface Warm {
  readonly key: string
  readonly context: BrowserContext
  readonly uses: number
}

interface Opened extends Leased {
  readonly visitor: Visitor
  readonly warm: Warm
  readonly cdp: CDPSession
  readonly origins: ReadonlySet<string>
}

const usesMax = 50
const openMaxMillis = 10_000
const closeMaxMillis = 3_000

const viewport = { width: 1366, height: 860 }

const contextOf = ({ locale }: Visitor, way: Way, state: State | undefined) => ({
  locale: locale.locale,
  timezoneId: locale.timezoneId,
  geolocation: { latitude: locale.latitude, longitude: locale.longitude },
  permissions: ["geolocation"],
  viewport,
  serviceWorkers: "block" as const,
  acceptDownloads: false,
  ...(way !== "straight" && { proxy: way }),
  ...(state !== undefined && { storageState: state })
})

/** Stops what plays; images and fonts are left out by the browser's own flags. */
const withoutMedia = async (cdp: CDPSession): Promise<void> => {
  cdp.on("Fetch.requestPaused", ({ requestId }) => {
    void quietly(cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }))
  })
  await cdp.send("Fetch.enable", { patterns: [{ resourceType: "Media" }] })
}

/** Keeps a page alone and undisturbed, and notes whose storage it touches. */
const guard = (page: Page, crashed: Deferred.Deferred<never, PageBroken>): Set<string> => {
  const origins = new Set<string>()
  page.on("dialog", (dialog) => void quietly(dialog.dismiss()))
  page.on("popup", (popup) => void quietly(popup.close()))
  page.on("framenavigated", (frame) => void origins.add(URL.parse(frame.url())?.origin ?? "null"))
  page.on("crash", () => {
    Deferred.doneUnsafe(crashed, Effect.fail(new PageBroken({ message: "the page crashed" })))
  })
  return origins
}

// What a sandbox page stored must not reach the next customer. On live sites the visitor keeps what it was given there.
const forget = ({ warm, cdp, origins }: Opened): Promise<unknown> =>
  Promise.all([
    warm.context.clearCookies(),
    cdp.send("Network.clearBrowserCache"),
    ...[...origins]
      .filter((origin) => origin !== "null")
      .map((origin) => cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }))
  ])

/**
 * The contexts of one browser, leased one to a capture: at most `max` of them, idle ones included. `onStuck` is told when
 * the browser opens no page any more.
 */
export const contexts = (browser: Playwright, kept: KeptStates, max: number, onStuck: () => void) => {
  const idle: Array<Warm> = []
  let busy = 0

  const warmed = async (visitor: Visitor, way: Way): Promise<Warm> => {
    const key = visitorKey(visitor)
    const at = idle.findLastIndex((warm) => warm.key === key)
    const [found] = at === -1 ? [] : idle.splice(at, 1)
    if (found !== undefined) return found
    if (idle.length + busy > max) await idle.shift()?.context.close()
    return { key, context: await browser.newContext(contextOf(visitor, way, kept.get(key))), uses: 0 }
  }

  const pageIn = async (visitor: Visitor, warm: Warm): Promise<Opened> => {
    const page = await warm.context.newPage()
    const crashed = Deferred.makeUnsafe<never, PageBroken>()
    const origins = guard(page, crashed)
    const cdp = await warm.context.newCDPSession(page)
    await withoutMedia(cdp)
    return { page, crashed: Deferred.await(crashed), visitor, warm, cdp, origins }
  }

  const open = async (visitor: Visitor, way: Way): Promise<Opened> => {
    busy++
    try {
      const warm = await warmed(visitor, way)
      return await pageIn(visitor, warm).catch(async (error) => {
        await quietly(warm.context.close())
        throw error
      })
    } catch (error) {
      busy--
      throw error
    }
  }

  const recycle = async (opened: Opened): Promise<void> => {
    const { visitor, warm, page } = opened
    if (visitor.environment === "live") kept.set(warm.key, await warm.context.storageState())
    else await forget(opened)
    await page.close()
    if (warm.uses + 1 >= usesMax) await warm.context.close()
    else idle.push({ ...warm, uses: warm.uses + 1 })
  }

  // A context whose capture went wrong may be in any state, so it is not used again.
  const close = ({ warm }: Opened): Promise<void> => within(closeMaxMillis, warm.context.close())

  return (visitor: Visitor, way: Way): Effect.Effect<Leased, PageBroken, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => within(openMaxMillis, open(visitor, way), onStuck),
        catch: PageBroken.from
      }),
      (opened, exit) =>
        Effect.promise(() =>
          (Exit.isSuccess(exit) ? within(closeMaxMillis, recycle(opened)) : close(opened))
            .catch(() => quietly(close(opened)))
            .finally(() => void busy--)
        )
    )
}
