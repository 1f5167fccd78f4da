import { Deferred, Effect } from "effect"
import type { BrowserContext, CDPSession, Page } from "@sightline/platforms/Browser"
import { PageBroken } from "./Stopped.ts"
import { quietly } from "./Within.ts"

/** A page that captures use one after the other, with nothing of one left for the next. */
export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  /** Fails when the page's process is gone. */
  readonly crashed: Deferred.Deferred<never, PageBroken>
  /** Of every document that was shown in it, frames included, as far as it had one. */
  readonly origins: ReadonlySet<string>
}

const nowhere = "null"

const originOf = (url: string): string => URL.parse(url)?.origin ?? nowhere

/** Stops what plays; images and fonts are left out by the browser's own flags. */
const withoutMedia = async (cdp: CDPSession): Promise<void> => {
  cdp.on("Fetch.requestPaused", ({ requestId }) => {
    void quietly(cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }))
  })
  await cdp.send("Fetch.enable", { patterns: [{ resourceType: "Media" }] })
}

declare const sessionStorage: { readonly clear: () => void }
declare const window: { name: string; readonly location: { readonly replace: (url: string) => void } }

/** Opens a tab that is kept alone and undisturbed. */
export const openTab = async (context: BrowserContext): Promise<Tab> => {
  const page = await context.newPage()
  const crashed = Deferred.makeUnsafe<never, PageBroken>()
  const origins = new Set<string>()
  // A page that asks whether it may be left, may.
  page.on("dialog", (dialog) => void quietly(dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss()))
  page.on("popup", (popup) => void quietly(popup.close()))
  page.on("framenavigated", (frame) => {
    const origin = originOf(frame.url())
    if (origin !== nowhere) origins.add(origin)
  })
  page.on("crash", () => {
    Deferred.doneUnsafe(crashed, Effect.fail(new PageBroken({ message: "the page crashed" })))
  })
  const cdp = await context.newCDPSession(page)
  await withoutMedia(cdp)
  // The page is laid out for its whole window, but nobody sees it: drawing a corner spares a sixth of a capture's work.
  await quietly(cdp.send("Emulation.setVisibleSize", { width: 16, height: 16 }))
  return { page, cdp, crashed, origins }
}

/**
 * Empties the tab, so that nothing of its page goes on; false when it must be closed rather than used again.
 *
 * Law: what stays has been at one origin alone, so that all that a page may have left in it is known. The empty document is
 * put there by the page itself: then it needs no other process, and may clear what lasts as long as the tab.
 */
export const emptyTab = async ({ page, origins }: Tab): Promise<boolean> => {
  const left = originOf(page.url())
  const emptied = page.waitForURL("about:blank", { waitUntil: "commit", timeout: 0 })
  // Its own answer may be lost with the document that gives it.
  await Promise.all([emptied, quietly(page.evaluate(() => window.location.replace("about:blank")))])
  if ([...origins].some((origin) => origin !== left)) return false
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ""
  })
  return true
}

/** Whether the tab can be used again. Waits for browser and page, so that one that hangs is noticed. */
export const isAlive = async ({ page, cdp }: Tab): Promise<boolean> => {
  try {
    await Promise.all([cdp.send("Page.resetNavigationHistory"), page.evaluate(() => undefined)])
    return true
  } catch {
    return false
  }
}
