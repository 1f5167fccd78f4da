import { Effect, Layer } from "effect"
import type { HttpRouter } from "effect/http"
import { makeScript } from "@sightline/sandbox/Fault"
import { bingPage } from "./BingPage.ts"
import { chatGptPage } from "./ChatGptPage.ts"
import { geminiPage } from "./GeminiPage.ts"
import { googlePage } from "./GooglePage.ts"
import type { SiteOptions } from "./PageScene.ts"
import { perplexityPage } from "./PerplexityPage.ts"

/** The simulated sites of the live surfaces, each below `/web/<surface>`. */
export const surfacePages = (options: Omit<SiteOptions, "script">): Layer.Layer<never, never, HttpRouter.HttpRouter> =>
  Layer.unwrap(
    Effect.sync(() => {
      const site: SiteOptions = { ...options, script: makeScript() }
      return Layer.mergeAll(chatGptPage(site), perplexityPage(site), geminiPage(site), googlePage(site), bingPage(site))
    })
  )
