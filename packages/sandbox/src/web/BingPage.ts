import { Effect, type Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import type { Advert, LiveAnswer, LiveSource } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { answerBlock, base, encoded, wrapped } from "./BingBlock.ts"
import { bingScript } from "./BingScript.ts"
import { escaped, servePage } from "./Page.ts"
import { failureOf, paramOf, type SiteOptions, staged } from "./PageScene.ts"
import { makeScenes } from "./PageScenes.ts"
import { captchaPage, loginPage, regionPage } from "./PageScreens.ts"
import { partsOf, serveSlowly } from "./PageStream.ts"

type Response = HttpServerResponse.HttpServerResponse

const siteName = "Simulated Bing"
const style =
  "#bnp_container{position:fixed;inset:0;background:#fff}[aria-busy]{height:2rem}li{list-style-position:inside}"

const advertOf = ({ body, domain, title, url }: Advert): string =>
  `<li class="b_ad"><ul><li><h2><a href="${escaped(`${base}/aclick?ld=0&u=${encoded(`${url}?msclkid=0`)}`)}">` +
  `${escaped(title)}</a></h2><div><cite>${escaped(domain)}</cite></div><p>${escaped(body)}</p></li></ul></li>`

const resultOf = ({ host, snippet, title, url }: LiveSource): string =>
  `<li class="b_algo"><h2><a href="${wrapped(url)}">${escaped(title)}</a></h2><cite>${escaped(host)}</cite>` +
  `<p>${escaped(snippet)}</p></li>`

const banner =
  '<div id="bnp_container"><p>This simulated site would like to keep a cookie.</p>' +
  '<button id="bnp_btn_accept">Accept</button><button id="bnp_btn_reject">Reject</button></div>'

const waiting = '<li class="b_ans"><div id="copans_container"><div aria-busy="true"></div></div></li>'

/** The adverts beside an answer. */
export const bingAdverts = ({ adverts }: LiveAnswer): string =>
  adverts
    .filter(({ rendered }) => rendered)
    .map(advertOf)
    .join("")

const resultsPage = ({ answer, ending, question, results }: Scene, name: string): Response => {
  const beside = answer === undefined ? "" : bingAdverts(answer) + waiting
  return servePage({
    title: `${question} - ${siteName}`,
    style,
    body:
      `<nav><a id="b-scopeListItem-copilotsearch" href="${base}/copilotsearch">Copilot</a></nav>` +
      `<form role="search"><textarea name="q">${escaped(question)}</textarea></form>` +
      `<ol id="b_results">${beside}${results.map(resultOf).join("")}</ol>` +
      '<div id="b_copilot_search_container">Ask a further question<textarea></textarea></div>' +
      (ending?.kind === "consent" ? banner : ""),
    ...(answer !== undefined && { scripts: [bingScript], data: { address: `${base}/answer?scene=${name}` } })
  })
}

const block = (scene: Scene): Response => {
  const { answer, ending } = scene
  if (answer === undefined) return HttpServerResponse.empty({ status: 204 })
  const whole = answerBlock(answer)
  // Half of the markup, escaped, so that a visitor sees tags.
  const broken = () => `<div>${escaped(whole.slice(0, whole.length >> 1))}</div>`
  const html = ending?.kind === "broken" ? broken() : ending?.kind === "container_empty" ? "" : whole
  return serveSlowly(partsOf(html, 6), { ...scene, contentType: "text/html; charset=utf-8" })
}

const screenOf = ({ ending }: Scene): Response | undefined => {
  if (ending?.kind === "captcha") return captchaPage()
  if (ending?.kind === "login_wall") return loginPage(siteName)
  return ending?.kind === "region" ? regionPage(siteName) : undefined
}

/** The site that simulates Bing, below `/web/bing_copilot`. */
export const bingPage = (options: SiteOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const scenes = makeScenes()
  return HttpRouter.addAll([
    HttpRouter.route("GET", `${base}/search`, (request) => {
      const country = paramOf(request, "cc") || "US"
      return staged(
        options,
        { surface: "bing_copilot", question: paramOf(request, "q"), country },
        (scene) => failureOf(scene) ?? screenOf(scene) ?? resultsPage(scene, scenes.keep(scene))
      )
    }),
    HttpRouter.route("GET", `${base}/answer`, (request) => {
      const scene = scenes.of(paramOf(request, "scene"))
      return Effect.succeed(scene === undefined ? HttpServerResponse.empty({ status: 404 }) : block(scene))
    })
  ])
}
