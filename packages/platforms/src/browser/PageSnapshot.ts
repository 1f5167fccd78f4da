import { Schema } from "effect"
import type { SurfaceProfile } from "@sightline/platforms/live/Surface"

/** What a page shows at one moment. */
export const PageSnapshot = Schema.Struct({
  url: Schema.String,
  /** The document has been parsed. */
  loaded: Schema.Boolean,
  /** The index of the first selector in `dismiss` that is visible, or -1. */
  dismiss: Schema.Int,
  composer: Schema.Boolean,
  container: Schema.Boolean,
  /** A digest of the text of the first container that has any; 0 if none has. */
  answer: Schema.Int,
  results: Schema.Boolean,
  busy: Schema.Boolean,
  absence: Schema.Boolean,
  /**
   * For each sign, whether its conditions on the page's content hold. Its conditions on address and status are
   * checked outside the page.
   */
  signs: Schema.Array(Schema.Boolean)
})
export type PageSnapshot = typeof PageSnapshot.Type

/** The parts of a profile that a snapshot needs, passed to the page as plain data. */
export type SnapshotQuery = Pick<
  SurfaceProfile,
  "dismiss" | "composer" | "containers" | "results" | "busy" | "absence" | "signs"
>

interface PageElement {
  readonly innerText: string
  readonly outerHTML: string
  readonly checkVisibility: (options: { readonly visibilityProperty: boolean }) => boolean
  readonly getClientRects: () => { readonly length: number }
}

declare const document: {
  readonly readyState: string
  readonly body: PageElement | null
  readonly documentElement: PageElement
  readonly querySelectorAll: (selector: string) => ArrayLike<PageElement>
}
declare const location: { readonly href: string }

/** Takes a snapshot. Runs inside the page, so it can use only its argument. */
export const takeSnapshot = (sought: SnapshotQuery): PageSnapshot => {
  const all = (selector: string) => Array.from(document.querySelectorAll(selector))
  const shows = (element: PageElement) =>
    element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const visible = (selector: string) => all(selector).some(shows)
  const digest = (text: string) => {
    let sum = 0
    for (let at = 0; at < text.length; at++) sum = (Math.imul(sum, 31) + text.charCodeAt(at)) | 0
    return text === "" ? 0 : sum || 1
  }

  let body: string | undefined
  const text = () => (body ??= document.body?.innerText.toLowerCase() ?? "")
  const says = (words: string) => text().includes(words.toLowerCase())

  const containers = sought.containers.map(all)
  const answers = containers.map((found) =>
    found
      .map(({ innerText }) => innerText.trim())
      .filter((text) => text !== "")
      .join("\n")
  )
  return {
    url: location.href,
    loaded: document.readyState !== "loading",
    dismiss: sought.dismiss.findIndex(visible),
    composer: sought.composer !== undefined && visible(sought.composer.input),
    container: containers.some((found) => found.length > 0),
    answer: digest(answers.find((text) => text !== "") ?? ""),
    results: sought.results.some((selector) => all(selector).length > 0),
    busy: sought.busy.some(visible),
    absence: sought.absence.some(says),
    signs: sought.signs.map(
      (sign) =>
        (sign.selector === undefined || visible(sign.selector)) &&
        (sign.text === undefined || says(sign.text)) &&
        (sign.textMax === undefined || text().length <= sign.textMax)
    )
  }
}

/** The content of a page that is read. */
export const PageContent = Schema.Struct({ url: Schema.String, html: Schema.String, visibleText: Schema.String })

/** The page as it is now, its document cut to the given number of characters. Runs inside the page. */
export const readContent = (htmlMax: number): typeof PageContent.Type => ({
  url: location.href,
  html: document.documentElement.outerHTML.slice(0, htmlMax),
  visibleText: document.body?.innerText ?? ""
})
