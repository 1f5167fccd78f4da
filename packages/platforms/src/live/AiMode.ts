import type { CheerioAPI } from "cheerio/slim"
import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { absent } from "@sightline/platforms/SurfaceAnswer"
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
import { type NamedSource, sourceButtons, sourcesInComments, sourcesIn } from "./SearchSources.ts"
import type { Observation, SurfaceProfile, Unread } from "./Surface.ts"

const plate = '[data-xid="aim-mars-input-plate"]'

const blocks = ['[data-subtree="aimc"]', '[data-subtree="aimfl"]']

// A block that contains the box for the next question has words before there is an answer, so it is not a container.
const containers = [
  '[data-subtree="aimc"] [data-container-id="main-col"]',
  ...blocks.map((block) => `${block}:not(:has(${plate}))`)
]

/** The visitor's questions, which are in the turn too. */
const asked = 'span[role="heading"][aria-level="2"]'

/** The sources in order of first use: those of the buttons in the text, of its links, of the list beside it, and of all other buttons. */
const sourcesOf = ($: CheerioAPI, container: MarkupElement, url: string): ReadonlyArray<NamedSource> => {
  const byButton = sourcesInComments($.root().contents())
  const inText = sourceButtons(container).flatMap((id) => byButton.get(id) ?? [])
  const listed = sourcesIn($, select($, googleSources), url, googleCards)
  const cited = [...inText, ...sourcesIn($, [container], url, googleCards), ...listed]
  return [...cited, ...Array.from(byButton.values()).flat()]
}

const read = ({ html, url }: Observation): Result.Result<Answer, Unread> => {
  const $ = parseMarkup(html)
  drop(select($, googleControls))
  const container = containerIn($, containers)
  if (container === undefined) return absentIn("ai_mode", $, googleResults)
  const turns = new Set(select($, '[data-scope-id="turn"], [data-subtree="aimc"]'))
  const turn = ancestorsOf(container).find((outer) => turns.has(outer))
  const adverts = advertsIn($, turn ?? container, googleAdverts, url)
  drop(select($, googleAdverts))
  const sources = sourcesOf($, container, url)
  drop(select($, `${googleSources}, ${asked}`, container))
  if (isAbsence(container)) return Result.succeed(absent("ai_mode"))
  return answerIn("ai_mode", container, { sources, adverts })
}

/** Google's AI Mode. */
export const profile: SurfaceProfile = {
  ...googleProfile,
  surface: "ai_mode",
  path: (query, locale) => `${googlePath(query, locale)}&udm=50`,
  containers,
  absence: [],
  expand: ['[data-subtree="aimc"] [aria-label^="Show more"]', '[data-subtree="aimc"] [aria-label^="Show all"]'],
  busy: blocks.map((block) => `${block} [aria-busy="true"]`),
  signs: googleSigns(blocks),
  read
}
