import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { chatGptScript } from "./ChatGptScript.ts"
import { chatGptStreams } from "./ChatGptEvents.ts"
import { servePage } from "./Page.ts"
import { addScript, typedScript } from "./PageMarkup.ts"
import { countryOf, failureOf, type SiteOptions, staged } from "./PageScene.ts"
import { makeScenes, type PageScenes } from "./PageScenes.ts"
import { challengePage, regionPage } from "./PageScreens.ts"
import { serveSlowly } from "./PageStream.ts"

const base = "/web/chatgpt_live"
const site = "Simulated ChatGPT"

const home = servePage({
  title: site,
  style:
    '[data-testid="cookie-banner"]{position:fixed;bottom:0;background:#eee}.over{position:fixed;inset:0;background:#fff}' +
    "#prompt-textarea{border:1px solid;min-height:2rem}.markdown{white-space:pre-wrap}",
  body: `<main><div id="thread"></div>
<form><div id="prompt-textarea" contenteditable="true" aria-label="Ask anything"></div>
<button type="button" data-testid="send-button" disabled>Send</button>
<button type="button" data-testid="stop-button" hidden>Stop</button></form></main>
<div data-testid="cookie-banner">Cookies? <button data-testid="reject-all">Reject all</button></div>`,
  scripts: [addScript, typedScript, chatGptScript],
  data: { base }
})

/** The response to the page's first call: another page to go to, or the token of the scene with which to ask. */
const prepared = (scenes: PageScenes, scene: Scene): HttpServerResponse.HttpServerResponse => {
  const instead = (page: string) => HttpServerResponse.jsonUnsafe({ page }, { status: 403 })
  if (scene.ending?.kind === "captcha") return instead("/challenge")
  if (scene.ending?.kind === "region") return instead("/unavailable")
  return HttpServerResponse.jsonUnsafe({
    status: "ok",
    conduit_token: scenes.keep(scene),
    asks: scene.ending?.kind === "consent"
  })
}

const streamed = (scene: Scene | undefined, pieces: (scene: Scene) => ReadonlyArray<string>) => {
  if (scene === undefined) return HttpServerResponse.empty({ status: 404 })
  if (scene.ending?.kind === "login_wall") return HttpServerResponse.jsonUnsafe({ detail: "log in" }, { status: 401 })
  return failureOf(scene) ?? serveSlowly(pieces(scene), { ...scene, contentType: "text/event-stream; charset=utf-8" })
}

const Prompt = HttpServerRequest.schemaBodyJson(Schema.Struct({ prompt: Schema.String }))
const Token = HttpServerRequest.schemaBodyJson(Schema.Struct({ conduit_token: Schema.String }))

/** The site that simulates ChatGPT, below `/web/chatgpt_live`. */
export const chatGptPage = (options: SiteOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const scenes = makeScenes()
  const streams = (scene: Scene) => chatGptStreams(options.seed, scene)
  const routes = [
    HttpRouter.route("GET", `${base}/`, home),
    HttpRouter.route("GET", `${base}/challenge`, challengePage()),
    HttpRouter.route("GET", `${base}/unavailable`, regionPage(site)),
    HttpRouter.route("POST", `${base}/backend-anon/f/conversation/prepare`, (request) =>
      Effect.flatMap(Prompt, ({ prompt }) =>
        staged(options, { surface: "chatgpt_live", question: prompt, country: countryOf(request) }, (scene) =>
          prepared(scenes, scene)
        )
      ).pipe(Effect.orDie)
    ),
    HttpRouter.route("POST", `${base}/backend-anon/f/conversation`, () =>
      Effect.map(Token, ({ conduit_token }) =>
        streamed(scenes.of(conduit_token), (scene) => streams(scene).first)
      ).pipe(Effect.orDie)
    ),
    HttpRouter.route("POST", `${base}/backend-anon/f/conversation/resume`, () =>
      Effect.map(Token, ({ conduit_token }) =>
        streamed(scenes.of(conduit_token), (scene) => streams(scene).resumed)
      ).pipe(Effect.orDie)
    )
  ]
  return HttpRouter.addAll(routes)
}
