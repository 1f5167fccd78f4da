/**
 * What a snapshot of a page shows, in a real Chromium.
 *
 * Planted and seen red:
 * - an element that is laid out but not visible, or never drawn, is taken for visible
 * - all elements of a selector must be visible instead of one
 * - texts of the same letters are taken for the same text; white space is taken for an answer
 * - only the first element of a container is read, or only the first container
 * - a page counts as loaded too early, or only once its last image is loaded
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { readContent, type SnapshotQuery, takeSnapshot } from "@sightline/platforms/browser/PageSnapshot"
import { browsing, onPage } from "./Captures.ts"
import { held, html, site } from "./LocalSite.ts"

const nothing: SnapshotQuery = { dismiss: [], containers: [], results: [], busy: [], absence: [], signs: [] }

const looking = (body: string, sought: Partial<SnapshotQuery>) =>
  Effect.flatMap(site({ "/": html(body) }), ({ origin }) =>
    onPage((page) =>
      Effect.promise(async () => {
        await page.goto(origin)
        return page.evaluate(takeSnapshot, { ...nothing, ...sought })
      })
    )
  ).pipe(Effect.scoped)

layer(browsing({ contextsMax: 1 }), { excludeTestServices: true })("a snapshot of a page", (it) => {
  it.effect("sees what is drawn, and one drawn element of many is enough", () =>
    Effect.gen(function* () {
      const unseen = [
        `<b class="busy" style="display:none">x</b>`,
        `<b class="busy" style="visibility:hidden">x</b>`,
        `<details><summary>more</summary><b class="busy">x</b></details>`,
        `<svg><symbol class="busy"></symbol></svg>`
      ]
      const both = `<input style="display:none"><input>`
      const sought = { busy: [".none", ".busy"], composer: { input: "input", send: "button" } }
      for (const body of unseen) assert.isFalse((yield* looking(body, sought)).busy, body)
      assert.isTrue((yield* looking(`${unseen.join("")}<b class="busy">x</b>`, sought)).busy)
      assert.isTrue((yield* looking(both, sought)).composer)
      assert.isFalse((yield* looking(`<input style="visibility:hidden">`, sought)).composer)
    })
  )

  it.effect("recognises results and containers even where they are not drawn, and words in upper or lower case", () =>
    Effect.gen(function* () {
      const body = `<p id="r" hidden></p><div id="c"></div>No ANSWER today`
      const found = yield* looking(body, { results: ["#r"], containers: ["#a", "#c"], absence: ["none", "No Answer"] })
      assert.deepInclude(found, { results: true, container: true, absence: true, answer: 0, dismiss: -1 })
    })
  )

  it.effect("names the obstacle that comes first in the list", () =>
    Effect.gen(function* () {
      const found = yield* looking(`<b id="z">z</b><b id="y">y</b>`, { dismiss: ["#x", "#y", "#z"] })
      assert.strictEqual(found.dismiss, 1)
    })
  )

  it.effect("tells answers apart by all elements of the first container with text", () =>
    Effect.gen(function* () {
      const digest = (body: string) => Effect.map(looking(body, { containers: [".a", ".b"] }), ({ answer }) => answer)
      assert.strictEqual(yield* digest(`<p class="a"> &nbsp; </p><p class="b"></p>`), 0)
      const answers = [
        `<p class="a">on</p>`,
        `<p class="a">no</p>`,
        `<p class="a">on</p><p class="a">on</p>`,
        `<p class="a"></p><p class="b">else</p>`,
        // Its digest would be that of an empty text.
        `<p class="a">f5a5a608</p>`
      ]
      const digests = yield* Effect.forEach(answers, digest)
      assert.notInclude(digests, 0)
      assert.strictEqual(new Set(digests).size, answers.length)
      assert.strictEqual(yield* digest(`<p class="b">on</p><p class="a"> on </p>`), digests[0])
    })
  )

  it.effect("requires of a page everything that a sign states", () =>
    Effect.gen(function* () {
      const block = "captcha"
      const { signs } = yield* looking(`<form>Unusual traffic</form>`, {
        signs: [
          { block, selector: "form", text: "unusual TRAFFIC", textMax: 15 },
          { block, selector: "iframe", text: "unusual", textMax: 15 },
          { block, selector: "form", text: "usual suspects", textMax: 15 },
          { block, selector: "form", text: "unusual", textMax: 14 }
        ]
      })
      assert.deepEqual(signs, [true, false, false, false])
    })
  )

  it.effect("keeps at most as much of a document as its limit", () =>
    Effect.flatMap(site({ "/": html("<p>text</p>") }), ({ origin }) =>
      onPage((page) =>
        Effect.promise(async () => {
          await page.goto(origin)
          const seen = await page.evaluate(readContent, 10)
          assert.deepEqual(seen, { url: `${origin}/`, html: "<html><hea", visibleText: "text" })
        })
      )
    ).pipe(Effect.scoped)
  )

  it.effect("takes a document as loaded when it has been parsed, whatever else it waits for", () => {
    const late = held()
    return Effect.flatMap(site({ "/": late.reply, "/frame": () => undefined }), ({ origin }) =>
      onPage(
        Effect.fnUntraced(function* (page) {
          const going = yield* Effect.forkChild(Effect.promise(() => page.goto(origin, { waitUntil: "commit" })))
          const response = yield* late.asked
          response.writeHead(200, { "content-type": "text/html" }).write("<p>text</p>")
          yield* Fiber.join(going)
          const loaded = Effect.map(
            Effect.promise(() => page.evaluate(takeSnapshot, nothing)),
            (seen) => seen.loaded
          )
          assert.isFalse(yield* loaded)
          response.end(`<iframe src="/frame"></iframe>`)
          yield* Effect.repeat(loaded, { until: (is) => is })
        })
      )
    ).pipe(Effect.scoped)
  })
})
