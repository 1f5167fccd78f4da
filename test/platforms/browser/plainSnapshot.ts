import type { PageSnapshot } from "@sightline/platforms/browser/PageSnapshot"

/** A snapshot of a page that shows nothing of interest. */
export const plainSnapshot: PageSnapshot = {
  url: "https://site.invalid/",
  loaded: true,
  dismiss: -1,
  composer: false,
  container: false,
  answer: 0,
  results: false,
  busy: false,
  absence: false,
  signs: []
}
