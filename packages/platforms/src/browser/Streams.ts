import { Effect, type Scope } from "effect"
import type { Page, Request, Response } from "@sightline/platforms/Browser"
import type { KeptStream } from "@sightline/platforms/live/Surface"

/** What is heard from a page while it works: the responses that its profile keeps, and the status of the document. */
export interface Streams {
  /** The finished responses, in the order in which they finished. */
  readonly kept: () => ReadonlyArray<KeptStream>
  /** Whether a kept response is under way, counted from its request: until it has ended, an answer may still come. */
  readonly pending: () => boolean
  /** Completes when the next kept response has ended. */
  readonly next: Effect.Effect<void>
  /** Every status of the document and of kept responses so far, including responses whose bodies are still arriving. */
  readonly statuses: () => ReadonlyArray<number>
  /** The document's latest status; 0 before there is one. */
  readonly document: () => number
  /** Whether the site's guard against robots held the document back. */
  readonly challenged: () => boolean
}

const bodyMaxBytes = 4 * 1024 * 1024

const pathOf = (url: string): string => URL.parse(url)?.pathname ?? ""

/** The text of a body, as far as it is kept. "" for a response that broke off: it never finishes, only its request fails. */
const bodyOf = async (response: Response, broken: Promise<"broken">): Promise<string> => {
  try {
    if ((await Promise.race([response.finished(), broken])) !== null) return ""
    return (await response.body()).subarray(0, bodyMaxBytes).toString()
  } catch {
    return ""
  }
}

/**
 * Listens to a page until the scope closes. It must be called before the page navigates. `endings` are the ends of the
 * paths of the responses to keep.
 */
export const listen = Effect.fnUntraced(function* (
  page: Page,
  endings: ReadonlyArray<string>
): Effect.fn.Return<Streams, never, Scope.Scope> {
  const { streams, hear, hearAsked, hearFailed } = listener(page, endings)
  yield* Effect.acquireRelease(
    Effect.sync(() => page.on("request", hearAsked).on("response", hear).on("requestfailed", hearFailed)),
    () => Effect.sync(() => page.off("request", hearAsked).off("response", hear).off("requestfailed", hearFailed))
  )
  return streams
})

const listener = (page: Page, endings: ReadonlyArray<string>) => {
  const kept: Array<KeptStream> = []
  const statuses: Array<number> = []
  const waiting = new Set<() => void>()
  const asked = new Set<Request>()
  const coming = new Map<Request, () => void>()
  let pending = 0
  let document = 0
  let challenged = false

  const isKept = (url: string): boolean => {
    const path = pathOf(url)
    return endings.some((ending) => path.endsWith(ending))
  }

  const keep = async (response: Response) => {
    pending++
    statuses.push(response.status())
    const request = response.request()
    asked.delete(request)
    const body = await bodyOf(response, new Promise((resolve) => coming.set(request, () => resolve("broken"))))
    coming.delete(request)
    kept.push({ url: response.url(), status: response.status(), body })
    pending--
    for (const wake of waiting) wake()
  }

  const hear = (response: Response): void => {
    if (isKept(response.url())) void keep(response)
    if (!response.request().isNavigationRequest() || response.frame() !== page.mainFrame()) return
    document = response.status()
    statuses.push(document)
    challenged = response.headers()["cf-mitigated"] === "challenge"
  }

  const hearAsked = (request: Request): void => {
    if (isKept(request.url())) asked.add(request)
  }

  const hearFailed = (request: Request): void => {
    asked.delete(request)
    coming.get(request)?.()
  }

  const streams: Streams = {
    kept: () => kept,
    pending: () => pending + asked.size > 0,
    next: Effect.callback((resume) => {
      const wake = () => resume(Effect.void)
      waiting.add(wake)
      return Effect.sync(() => void waiting.delete(wake))
    }),
    statuses: () => statuses,
    document: () => document,
    challenged: () => challenged
  }
  return { streams, hear, hearAsked, hearFailed }
}
