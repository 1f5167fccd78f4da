import { Deferred, Effect } from "effect"
import type { BrowserContext, CDPSession, Page } from "@sightline/platforms/Browser"
import { PageBroken } from "./Stopped.ts"
import { ignoreFailure } from "./Timeout.ts"

/** A page that captures use one after the other. Nothing of one capture is left for the next. */
export interface Tab {
  readonly page: Page
  readonly cdp: CDPSession
  /** Fails when the page's process is gone. */
  readonly crashed: Deferred.Deferred<never, PageBroken>
  /** The origins of all documents shown in it, frames included. A document without an origin adds none. */
  readonly origins: ReadonlySet<string>
}

const nowhere = "null"

const originOf = (url: string): string => URL.parse(url)?.origin ?? nowhere

/** Blocks audio and video. The browser's own flags leave out images and fonts. */
const withoutMedia = async (cdp: CDPSession): Promise<void> => {
  cdp.on("Fetch.requestPaused", ({ requestId }) => {
    void ignoreFailure(cdp.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" }))
  })
  await cdp.send("Fetch.enable", { patterns: [{ resourceType: "Media" }] })
}

declare const sessionStorage: { readonly clear: () => void }
declare const window: { name: string; readonly location: { readonly replace: (url: string) => void } }

/** Opens a tab without popups, dialogs and media. */
export const openTab = async (context: BrowserContext): Promise<Tab> => {
  const page = await context.newPage()
  const crashed = Deferred.makeUnsafe<never, PageBroken>()
  const origins = new Set<string>()
  // A page that asks for confirmation before it is left is left all the same.
  page.on(
    "dialog",
    (dialog) => void ignoreFailure(dialog.type() === "beforeunload" ? dialog.accept() : dialog.dismiss())
  )
  page.on("popup", (popup) => void ignoreFailure(popup.close()))
  page.on("framenavigated", (frame) => {
    const origin = originOf(frame.url())
    if (origin !== nowhere) origins.add(origin)
  })
  page.on("crash", () => {
    Deferred.doneUnsafe(crashed, Effect.fail(new PageBroken({ message: "the page crashed" })))
  })
  const cdp = await context.newCDPSession(page)
  await withoutMedia(cdp)
  // The page is laid out for its whole window, but nobody sees it: drawing only a corner saves a sixth of a capture's work.
  await ignoreFailure(cdp.send("Emulation.setVisibleSize", { width: 16, height: 16 }))
  return { page, cdp, crashed, origins }
}

/**
 * Empties the tab, so that nothing of its page continues. False if the tab must be closed instead of used again.
 *
 * Laws: a tab that is used again has been at one origin only, so that everything a page may have left in it is known. The
 * page itself opens the empty document, which then stays in the same process and may clear what lasts as long as the tab.
 */
export const emptyTab = async ({ page, origins }: Tab): Promise<boolean> => {
  const left = originOf(page.url())
  const emptied = page.waitForURL("about:blank", { waitUntil: "commit", timeout: 0 })
  // The result of this call may be lost with the document that returns it.
  await Promise.all([emptied, ignoreFailure(page.evaluate(() => window.location.replace("about:blank")))])
  if ([...origins].some((origin) => origin !== left)) return false
  await page.evaluate(() => {
    sessionStorage.clear()
    window.name = ""
  })
  return true
}

/** Whether the tab can be used again. Waits for the browser and the page to reply, so that one that hangs is noticed. */
export const isAlive = async ({ page, cdp }: Tab): Promise<boolean> => {
  try {
    await Promise.all([cdp.send("Page.resetNavigationHistory"), page.evaluate(() => undefined)])
    return true
  } catch {
    return false
  }
}
