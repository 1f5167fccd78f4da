import type { CheerioAPI } from "cheerio/slim"
import { type Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { absenceWords } from "@sightline/platforms/NoAnswerMessages"
import {
  googleAdverts,
  googleCards,
  googleControls,
  googlePath,
  googleProfile,
  googleResults,
  googleSigns,
  googleSources
} from "./GoogleSearch.ts"
import { ancestorsOf, drop, type MarkupElement, parseMarkup, select } from "./Markup.ts"
import { advertsIn } from "./SearchAdverts.ts"
import { absentIn, answerIn, containerIn, isAbsence } from "./SearchAnswer.ts"
import { lineOf, sourcesIn } from "./SearchSources.ts"
import type { Observation, SurfaceProfile, Unread } from "./Surface.ts"

// The questions that people also ask have overviews of their own, which are left out.
const containers = [
  "#m-x-content",
  'div[data-attrid="AIOverview"]',
  'div[id^="folsrch"]',
  '[data-async-type="folsrch"]',
  "div[data-mcpr]",
  ".YzCcne",
  "#Odp5De"
].map((selector) => `${selector}:not(.related-question-pair *)`)

/** The elements around an element, except the whole page. */
const blocksAround = (element: MarkupElement): ReadonlyArray<MarkupElement> =>
  ancestorsOf(element).filter(({ name }) => name !== "body" && name !== "html")

/** The block around the heading "AI Overview": the outermost one that does not contain the results as well. */
const blockByHeading = ($: CheerioAPI): MarkupElement | undefined => {
  const withResults = new Set(select($, googleResults.join(", ")).flatMap(blocksAround))
  const heading = select($, 'h1, h2, h3, [role="heading"]').find((element) =>
    /^AI Overview$/i.test(lineOf(element.children))
  )
  if (heading === undefined) return undefined
  return blocksAround(heading).findLast((element) => !withResults.has(element))
}

const read = ({ html, url }: Observation): Result.Result<Answer, Unread> => {
  const $ = parseMarkup(html)
  drop(select($, googleControls))
  const container = containerIn($, containers) ?? blockByHeading($)
  if (container === undefined || isAbsence(container)) return absentIn("ai_overview", $, googleResults)
  const adverts = advertsIn($, container, googleAdverts, url)
  drop(select($, googleAdverts, container))
  const sources = sourcesIn($, [container], url, googleCards)
  drop(select($, googleSources, container))
  return answerIn("ai_overview", container, { sources, adverts })
}

/** The AI Overview above Google's results. */
export const profile: SurfaceProfile = {
  ...googleProfile,
  surface: "ai_overview",
  path: googlePath,
  containers,
  absence: absenceWords,
  expand: [
    '[aria-controls="m-x-content"][aria-expanded="false"]',
    '#m-x-content [aria-label^="Show more"]',
    '#m-x-content [aria-label^="Show all"]'
  ],
  busy: containers.map((selector) => `${selector} [aria-busy="true"]`),
  signs: googleSigns(containers),
  read
}
