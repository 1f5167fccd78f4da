import { Deferred, Effect, Exit, type Scope } from "effect"
import type { BrowserContext, Page, Playwright } from "@sightline/platforms/Browser"
import { PageBroken } from "./Stopped.ts"
import { emptyTab, isAlive, openTab, type Tab } from "./Tab.ts"
import { type Route, type Visitor, visitorKey } from "./Visitor.ts"
import { ignoreFailure, withTimeout } from "./Timeout.ts"

type State = Awaited<ReturnType<BrowserContext["storageState"]>>

/** What visitors keep from one capture to the next, across browsers: cookies and stored values, by the visitor's key. */
export type StorageStates = Map<string, State>

/** A page that belongs to one capture until its scope closes. `crashed` never succeeds: it fails when the page's process is gone. */
export interface LeasedPage {
  readonly page: Page
  readonly crashed: Effect.Effect<never, PageBroken>
}

/**
 * A context that is reused by later captures, which saves loading the site's files and setting up a new context. It
 * includes its tab if that could be kept.
 */
interface Warm {
  readonly key: string
  readonly context: BrowserContext
  readonly uses: number
  readonly tab?: Tab
}

interface Opened {
  readonly visitor: Visitor
  readonly warm: Warm
  readonly tab: Tab
}

const usesMax = 50
const openMaxMillis = 10_000
const closeMaxMillis = 3_000

const viewport = { width: 1366, height: 860 }

const contextOf = ({ locale }: Visitor, route: Route, state: State | undefined) => ({
  locale: locale.locale,
  timezoneId: locale.timezoneId,
  geolocation: { latitude: locale.latitude, longitude: locale.longitude },
  permissions: ["geolocation"],
  viewport,
  serviceWorkers: "block" as const,
  acceptDownloads: false,
  ...(route !== "direct" && { proxy: route }),
  ...(state !== undefined && { storageState: state })
})

// What a sandbox page stored must not reach the next customer. On live sites the visitor keeps what it was given.
const clearSiteData = ({ warm, tab: { cdp, origins } }: Opened): Promise<unknown> =>
  Promise.all([
    warm.context.clearCookies(),
    cdp.send("Network.clearBrowserCache"),
    ...[...origins].map((origin) => cdp.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }))
  ])

const tabIn = async ({ tab, context }: Warm): Promise<Tab> => {
  if (tab === undefined) return openTab(context)
  if (await isAlive(tab)) return tab
  await ignoreFailure(tab.page.close())
  return openTab(context)
}

/**
 * The contexts of one browser, each leased to one capture at a time. There are at most `max` of them, including idle ones.
 * `onStuck` is called when the browser no longer opens pages.
 */
export const contexts = (browser: Playwright, kept: StorageStates, max: number, onStuck: () => void) => {
  const idle: Array<Warm> = []
  let busy = 0

  const warmed = async (visitor: Visitor, route: Route): Promise<Warm> => {
    const key = visitorKey(visitor)
    const at = idle.findLastIndex((warm) => warm.key === key)
    const [found] = at === -1 ? [] : idle.splice(at, 1)
    if (found !== undefined) return found
    if (idle.length + busy > max) await idle.shift()?.context.close()
    return { key, context: await browser.newContext(contextOf(visitor, route, kept.get(key))), uses: 0 }
  }

  const open = async (visitor: Visitor, route: Route): Promise<Opened> => {
    busy++
    try {
      const warm = await warmed(visitor, route)
      const tab = await tabIn(warm).catch(async (error) => {
        await ignoreFailure(warm.context.close())
        throw error
      })
      return { visitor, warm, tab }
    } catch (error) {
      busy--
      throw error
    }
  }

  /** The part of a lease that can be used again. */
  const recycled = async (opened: Opened): Promise<Warm | undefined> => {
    const { visitor, warm, tab } = opened
    const { key, context } = warm
    if (visitor.environment === "live") kept.set(key, await context.storageState())
    const uses = warm.uses + 1
    if (uses >= usesMax) {
      await context.close()
      return undefined
    }
    const stays = await emptyTab(tab)
    if (visitor.environment === "test") await clearSiteData(opened)
    if (!stays) await tab.page.close()
    return { key, context, uses, ...(stays && { tab }) }
  }

  // A context is kept only if it is ready in time; the release closes a late one.
  const recycle = async (opened: Opened): Promise<void> => {
    const warm = await withTimeout(closeMaxMillis, recycled(opened))
    if (warm !== undefined) idle.push(warm)
  }

  // A context whose capture failed may be in any state, so it is not used again.
  const close = ({ warm }: Opened): Promise<void> => withTimeout(closeMaxMillis, warm.context.close())

  return (visitor: Visitor, route: Route): Effect.Effect<LeasedPage, PageBroken, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => withTimeout(openMaxMillis, open(visitor, route), onStuck),
        catch: PageBroken.from
      }),
      (opened, exit) =>
        Effect.promise(() =>
          (Exit.isSuccess(exit) ? recycle(opened) : close(opened))
            .catch(() => ignoreFailure(close(opened)))
            .finally(() => void busy--)
        )
    ).pipe(Effect.map(({ tab: { page, crashed } }) => ({ page, crashed: Deferred.await(crashed) })))
}
