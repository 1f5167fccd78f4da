import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { escaped, servePage } from "./Page.ts"
import { addScript } from "./PageMarkup.ts"
import { countryOf, failureOf, paramOf, type SiteOptions, staged } from "./PageScene.ts"
import { makeScenes } from "./PageScenes.ts"
import { challengePage, regionPage } from "./PageScreens.ts"
import { serveSlowly } from "./PageStream.ts"
import { perplexityStream } from "./PerplexityEvents.ts"
import { perplexityScript } from "./PerplexityScript.ts"

const base = "/web/perplexity_live"
const site = "Simulated Perplexity"

const consent = `<div id="consent" class="over"><p>This simulated site would like to keep a cookie.</p>
<button data-testid="cookie-consent-accept">Accept</button></div>`

const threadPage = (question: string, asks: boolean, scene: string) =>
  servePage({
    title: site,
    style:
      ".over{position:fixed;inset:0;background:#fff}.corner{position:fixed;right:0;bottom:0}.prose{white-space:pre-wrap}",
    body: `<main><h1>${escaped(question)}</h1><button aria-label="Stop" hidden>◼</button></main>
<textarea placeholder="Ask a follow-up"></textarea>
<div role="dialog" class="corner"><button aria-label="Close">×</button><p>Sign up for this simulated site?</p>
<input type="email" placeholder="Email"></div>${asks ? consent : ""}`,
    scripts: [addScript, perplexityScript],
    data: { base, scene }
  })

const Asking = HttpServerRequest.schemaBodyJson(Schema.Struct({ scene: Schema.String }))

const streamed = (scene: Scene | undefined) => {
  if (scene === undefined) return HttpServerResponse.empty({ status: 404 })
  if (scene.ending?.kind === "login_wall") return HttpServerResponse.jsonUnsafe({ detail: "sign in" }, { status: 401 })
  return serveSlowly(perplexityStream(scene), { ...scene, contentType: "text/event-stream; charset=utf-8" })
}

/** The site that simulates Perplexity, below `/web/perplexity_live`. */
export const perplexityPage = (options: SiteOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const scenes = makeScenes()
  const routes = [
    HttpRouter.route("GET", `${base}/search/new`, (request) => {
      const asked = {
        surface: "perplexity_live",
        question: paramOf(request, "q"),
        country: countryOf(request)
      } as const
      return staged(options, asked, (scene) => {
        if (scene.ending?.kind === "captcha") return challengePage()
        if (scene.ending?.kind === "region") return regionPage(site)
        return failureOf(scene) ?? threadPage(scene.question, scene.ending?.kind === "consent", scenes.keep(scene))
      })
    }),
    HttpRouter.route("POST", `${base}/rest/sse/perplexity_ask`, () =>
      Effect.map(Asking, ({ scene }) => streamed(scenes.of(scene))).pipe(Effect.orDie)
    )
  ]
  return HttpRouter.addAll(routes)
}
