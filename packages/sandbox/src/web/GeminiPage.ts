import { Effect, type Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { LiveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import type { Scene } from "@sightline/sandbox/live/Scene"
import { geminiScript } from "./GeminiScript.ts"
import { servePage } from "./Page.ts"
import { addScript, buildScript, type Cite, markupOf, typedScript } from "./PageMarkup.ts"
import { countryOf, failureOf, type SiteOptions, staged } from "./PageScene.ts"
import { captchaPage, loginPage, regionPage } from "./PageScreens.ts"
import { serveSlowly } from "./PageStream.ts"

const base = "/web/gemini_live"
const site = "Simulated Gemini"

const home = servePage({
  title: site,
  style:
    ".over{position:fixed;inset:0;background:#fff}[contenteditable]{border:1px solid;min-height:2rem}" +
    "user-query,model-response,context-sidebar,context-sidebar a{display:block}",
  body: `<chat-app><div id="thread"></div>
<rich-textarea><div contenteditable="true" aria-label="Ask"></div></rich-textarea>
<button aria-label="Send message" disabled>Send</button><button aria-label="Stop response" hidden>Stop</button></chat-app>
<div role="dialog" class="over"><button aria-label="Close">×</button><p>Sign in to this simulated site?</p>
<input type="email" placeholder="Email"></div>`,
  scripts: [addScript, buildScript, typedScript, geminiScript],
  data: { base }
})

const chipFor =
  ({ sources }: LiveAnswer): Cite =>
  (cited) => {
    const hosts = cited.flatMap((index) => sources[index]?.host ?? [])
    if (hosts.length === 0) return []
    return [{ tag: "button", attributes: { "aria-label": "View source details" }, children: [hosts.join(", ")] }]
  }

/** One line of the stream: a length, then positional arrays, of which the third element is itself JSON. */
const lineOf = (content: ReadonlyArray<unknown>): string => {
  const inside = JSON.stringify([null, ["c_0", "r_0"], null, null, [["rc_0", content]]])
  const line = JSON.stringify([["wrb.fr", null, inside]])
  return `${line.length}\n${line}\n`
}

/** The stream of a scene. Each line has all blocks so far; the last one has the sources too. */
const geminiStream = ({ answer, ending }: Scene): ReadonlyArray<string> => {
  const opening = ")]}'\n\n"
  if (answer === undefined) return [opening]
  const shape = ending?.kind === "broken" ? "unknown" : "known"
  const blocks = ending?.kind === "container_empty" ? [] : markupOf(answer.spans, chipFor(answer))
  const sources = answer.sources.map(({ host, title, url }) => ({ host, title, url }))
  return [
    opening,
    ...blocks.map((_block, index) => lineOf([blocks.slice(0, index), shape])),
    lineOf([blocks, shape, blocks.length === 0 ? [] : sources])
  ]
}

const streamed = (scene: Scene, agreed: boolean): HttpServerResponse.HttpServerResponse => {
  const instead = (page: string) => HttpServerResponse.jsonUnsafe({ page }, { status: 403 })
  if (scene.ending?.kind === "captcha") return instead("/sorry/index")
  if (scene.ending?.kind === "region") return instead("/unavailable")
  if (scene.ending?.kind === "login_wall") return instead("/signin")
  if (scene.ending?.kind === "consent" && !agreed) return instead("consent")
  return (
    failureOf(scene) ?? serveSlowly(geminiStream(scene), { ...scene, contentType: "application/json; charset=utf-8" })
  )
}

const Prompt = HttpServerRequest.schemaBodyJson(Schema.Struct({ prompt: Schema.String, agreed: Schema.Boolean }))

/** The site that simulates Gemini, below `/web/gemini_live`. */
export const geminiPage = (options: SiteOptions): Layer.Layer<never, never, HttpRouter.HttpRouter> => {
  const routes = [
    HttpRouter.route("GET", `${base}/app`, home),
    HttpRouter.route("GET", `${base}/sorry/index`, captchaPage()),
    HttpRouter.route("GET", `${base}/signin`, loginPage(site)),
    HttpRouter.route("GET", `${base}/unavailable`, regionPage(site)),
    HttpRouter.route(
      "POST",
      `${base}/_/BardChatUi/data/assistant.lamda.BardFrontendService/StreamGenerate`,
      (request) =>
        Effect.flatMap(Prompt, ({ agreed, prompt }) =>
          staged(options, { surface: "gemini_live", question: prompt, country: countryOf(request) }, (scene) =>
            streamed(scene, agreed)
          )
        ).pipe(Effect.orDie)
    )
  ]
  return HttpRouter.addAll(routes)
}
