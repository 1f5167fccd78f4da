import type { Look } from "@sightline/platforms/browser/Look"

/** A look at a page that shows nothing of interest. */
export const plainLook: Look = {
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
