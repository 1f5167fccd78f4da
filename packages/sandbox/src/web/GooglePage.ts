import { Effect, type Layer } from "effect"
import { HttpRouter, type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { type GoogleSite, modeTurn, overviewBlock } from "./GoogleBlocks.ts"
import { googleScript } from "./GoogleScript.ts"
import { escaped, servePage } from "./Page.ts"
import { failureOf, paramOf, type SiteOptions, staged } from "./PageScene.ts"
import { makeScenes, type PageScenes } from "./PageScenes.ts"
import { captchaPage, consentPage, hasConsented, loginPage, regionPage } from "./PageScreens.ts"
import { partsOf, serveSlowly } from "./PageStream.ts"

type Response = HttpServerResponse.HttpServerResponse
type GoogleSurface = "ai_overview" | "ai_mode"

const siteName = "Simulated Google"
const style = "#tads,[data-text-ad]{background:#ffe}[data-container-id]{display:block}"

const resultOf = ({ host, snippet, title, url }: LiveSource): string =>
  `<div><a href="${escaped(url)}"><h3>${escaped(title)}</h3><cite>${escaped(host)}</cite></a>` +
  `<div>${escaped(snippet)}</div></div>`

/** What is around an answer but not part of it: an advert, the results, and a question of other people with an answer of its own. */
const around = (base: string, results: ReadonlyArray<LiveSource>): string =>
  `<div id="tads"><div data-text-ad="1"><a href="${base}/aclk?adurl=https%3A%2F%2Fouterbrand.example%2F">` +
  `<div role="heading" aria-level="3">Outerbrand, beside the answer</div><span>Outerbrand</span>` +
  `<cite>outerbrand.example</cite></a></div></div>` +
  `<div id="rso">${results.map(resultOf).join("")}</div>` +
  `<div class="related-question-pair"><div role="heading" aria-level="3">What else do people ask?</div>` +
  `<div data-mcpr="1">Askedbrand is what the answer to this other question is about, and not to this one.</div></div>`

const searchBox = (question: string): string =>
  `<form role="search"><textarea name="q">${escaped(question)}</textarea></form>`

const inputPlate = '<div data-xid="aim-mars-input-plate">Ask anything<textarea></textarea></div>'

/** The page before its answer has arrived. */
const resultsPage = (site: GoogleSite, surface: GoogleSurface, scene: Scene, name: string): Response => {
  const { answer, question, results } = scene
  const mode = surface === "ai_mode" && answer !== undefined
  const turn =
    `<div data-scope-id="turn"><span role="heading" aria-level="2">${escaped(question)}</span>` +
    `<div data-subtree="aimc"><div id="answer" aria-busy="true"></div>${inputPlate}</div></div>`
  return servePage({
    title: `${question} - ${siteName}`,
    style,
    body: searchBox(question) + (mode ? turn : `<div id="answer"></div>${around(site.base, results)}`),
    ...(answer !== undefined && {
      scripts: [googleScript],
      data: { address: `${site.base}/async/${mode ? "folif" : "folsrch"}?scene=${name}`, streams: mode }
    })
  })
}

/** The answer, which the page fetches. */
const block = (site: GoogleSite, surface: GoogleSurface, scene: Scene): Response => {
  const { answer, ending, question } = scene
  if (answer === undefined) return HttpServerResponse.empty({ status: 204 })
  const mode = surface === "ai_mode"
  const whole = mode ? modeTurn(site, question, answer) : overviewBlock(site, answer)
  const around = (text: string) =>
    mode ? `<div data-container-id="main-col">${text}</div>` : `<div id="m-x-content">${text}</div>`
  // Half of the markup, escaped, so that a visitor sees tags.
  const broken = () => around(escaped(whole.slice(0, whole.length >> 1)))
  const html = ending?.kind === "broken" ? broken() : ending?.kind === "container_empty" ? around("") : whole
  return serveSlowly(partsOf(html, 6), { ...scene, contentType: "text/html; charset=utf-8" })
}

const screenOf = (base: string, { ending }: Scene, request: HttpServerRequest.HttpServerRequest) => {
  switch (ending?.kind) {
    case "consent":
      return hasConsented(request) ? undefined : consentPage(siteName, "L2AGLb")
    case "captcha":
      return HttpServerResponse.redirect(`${base}/sorry/index`)
    case "login_wall":
      return loginPage(siteName)
    case "region":
      return regionPage(siteName)
    default:
      return undefined
  }
}

const routesOf = (options: SiteOptions, surface: GoogleSurface, scenes: PageScenes) => {
  const site: GoogleSite = { base: `/web/${surface}`, seed: options.seed }
  return [
    HttpRouter.route("GET", `${site.base}/search`, (request) => {
      const country = paramOf(request, "gl").toUpperCase() || "US"
      return staged(
        options,
        { surface, question: paramOf(request, "q"), country },
        (scene) =>
          failureOf(scene) ??
          screenOf(site.base, scene, request) ??
          resultsPage(site, surface, scene, scenes.keep(scene))
      )
    }),
    HttpRouter.route("GET", `${site.base}/async/*`, (request) => {
      const scene = scenes.of(paramOf(request, "scene"))
      return Effect.succeed(
        scene === undefined ? HttpServerResponse.empty({ status: 404 }) : block(site, surface, scene)
      )
    }),
    HttpRouter.route("GET", `${site.base}/sorry/index`, captchaPage())
  ]
}

/** The sites that simulate Google's results and its AI Mode, below `/web/ai_overview` and `/web/ai_mode`. */
export const googlePage = (options: SiteOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const scenes = makeScenes()
  return HttpRouter.addAll([...routesOf(options, "ai_overview", scenes), ...routesOf(options, "ai_mode", scenes)])
}
