import { Result } from "effect"
import type { Answer } from "@sightline/domain/Answer"
import { drop, parseMarkup, select } from "./Markup.ts"
import { advertsIn } from "./SearchAdverts.ts"
import { absentIn, answerIn, containerIn } from "./SearchAnswer.ts"
import { sourcesIn } from "./SearchSources.ts"
import { challengeSigns, loginSigns } from "./Signs.ts"
import type { Observation, Sign, SurfaceProfile, Unread } from "./Surface.ts"

const blocks = ["#copans_container", "#b_genserp_container", ".qna_tlgacont"]
const containers = ["#copans_container", ".b_ans:has(> #copans_container)", "#b_genserp_container", ".qna_tlgacont"]

const results = ["li.b_algo"]

/** Adverts beside Bing's answer belong to its slot. On a page without an answer there is no slot for them. */
const adverts = "li.b_ad, li.b_ad li, .b_ad .sb_add"

/** The box for a further question, the tab, and requests for an opinion. */
const controls = [
  "#b_copilot_search_container",
  "#b-scopeListItem-copilotsearch",
  ".gs_ai_disclaimer",
  ".gs_secctrl",
  ".gs_infobbl",
  "acf-thumbs-up-down-feedback",
  "acf-button-standard",
  ".b_acf_answer_expansion_control",
  ".b_module_expansion_control"
].join(", ")

/** Marks in the text that show where a source is used. */
const marks = ".gs_sup_cit, .gs_sm_cit"

const references = '[aria-label="References"], .gs_refs'
const cards = '[aria-label="References"] li, .gs_refs li'

const read = ({ html, url }: Observation): Result.Result<Answer, Unread> => {
  const $ = parseMarkup(html)
  drop(select($, controls))
  const seen = advertsIn($, undefined, adverts, url)
  drop(select($, "li.b_ad"))
  const container = containerIn($, containers)
  if (container === undefined) return absentIn("bing_copilot", $, results)
  const sources = sourcesIn($, [container], url, cards)
  drop(select($, `${references}, ${marks}`, container))
  return answerIn("bing_copilot", container, { sources, adverts: seen })
}

const bare = `body:not(:has(${[...results, ...blocks].join(", ")}))`

const says = (block: Sign["block"], text: string): Sign => ({ block, selector: bare, text, textMax: 1500 })

/** The Copilot answer on Bing's page of results. */
export const profile: SurfaceProfile = {
  surface: "bing_copilot",
  origin: () => "https://www.bing.com",
  path: (query, { country, locale }) =>
    `/search?q=${encodeURIComponent(query.toWellFormed())}&cc=${country}&setlang=${locale}&mkt=${locale}`,
  dismiss: ["#bnp_btn_accept", "#bnp_btn_reject"],
  streams: [],
  containers,
  results,
  absence: [],
  expand: [
    '#copans_container .b_acf_answer_expansion_control [role="button"]',
    '#copans_container [aria-label^="See more"]',
    '#copans_container [aria-label^="Show all"]'
  ],
  busy: containers.map((selector) => `${selector} [aria-busy="true"]`),
  signs: [
    { block: "captcha", url: "/turing/captcha/" },
    { block: "captcha", status: 429 },
    { block: "captcha", selector: `${bare} #captcha-form, ${bare} #b_captcha` },
    says("captcha", "unusual traffic"),
    says("captcha", "not a robot"),
    ...challengeSigns,
    says("region", "not available in your country"),
    says("region", "not available in your region"),
    { block: "login_wall", url: "//login.live.com/" },
    { block: "login_wall", url: "//login.microsoftonline.com/" },
    ...loginSigns
  ],
  read
}
