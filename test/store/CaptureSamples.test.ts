/**
 * Faults planted once, and the tests that saw them: nothing deleted, or one too many ("the newest 20"); the platform or the
 * environment ignored ("removes nothing"); the page not cut ("64 KiB").
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { UnreadPage } from "@sightline/domain/EndedCapture"
import { CaptureSamples } from "@sightline/store/CaptureSamples"
import { layerDatabase } from "./database.ts"

const page = (html: string, more: Partial<UnreadPage> = {}): UnreadPage => ({
  environment: "live",
  platform: "ai_mode",
  ending: "container_empty",
  html,
  ...more
})

layer(CaptureSamples.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })(
  "CaptureSamples",
  (it) => {
    it.effect("keeps the newest 20 of a platform, newest first", () =>
      Effect.gen(function* () {
        const samples = yield* CaptureSamples
        for (let nth = 1; nth <= 23; nth++) yield* samples.keep(page(`<p>${nth}</p>`))
        const kept = yield* samples.newest("ai_mode")
        assert.deepStrictEqual(
          kept.map(({ html }) => html),
          Array.from({ length: 20 }, (_, place) => `<p>${23 - place}</p>`)
        )
        assert.deepInclude(kept[0], { environment: "live", platform: "ai_mode", ending: "container_empty" })
      })
    )

    it.effect("a page of one platform or environment removes nothing elsewhere", () =>
      Effect.gen(function* () {
        const samples = yield* CaptureSamples
        yield* samples.keep(page("own", { platform: "bing_copilot", ending: "parse_error" }))
        for (let nth = 0; nth < 25; nth++) {
          yield* samples.keep(page("rehearsed", { platform: "bing_copilot", environment: "test" }))
          yield* samples.keep(page("of others", { platform: "gemini_live" }))
        }
        const kept = yield* samples.newest("bing_copilot")
        assert.deepStrictEqual(
          kept.map(({ html }) => html),
          [...Array.from({ length: 20 }, () => "rehearsed"), "own"]
        )
        const all = yield* samples.newest(undefined)
        assert.lengthOf(all, 40)
        assert.strictEqual(all[0]?.platform, "gemini_live")
      })
    )

    it.effect("a page is cut to 64 KiB of UTF-8 at a character, without characters that a database rejects", () =>
      Effect.gen(function* () {
        const samples = yield* CaptureSamples
        const htmlOf = Effect.fnUntraced(function* (html: string) {
          yield* samples.keep(page(html, { platform: "chatgpt_live" }))
          return (yield* samples.newest("chatgpt_live"))[0]?.html ?? ""
        })
        assert.strictEqual(yield* htmlOf("x".repeat(100_000)), "x".repeat(65_536))
        assert.strictEqual(yield* htmlOf("€".repeat(50_000)), "€".repeat(21_845))
        assert.strictEqual(yield* htmlOf("a\0b\uD83Dc"), "a\uFFFDb\uFFFDc")
      })
    )
  }
)
