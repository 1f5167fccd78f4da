/**
 * What is heard of a page while it works, in a real Chromium.
 *
 * Planted and seen red:
 * - the query is taken for the end of the path, or the middle of a path for its end
 * - a stream that broke off, or was never answered, is awaited; its partial body is taken for the whole
 * - a stream that has ended is still under way
 * - the body of a redirect is requested
 * - statuses are reported only with the body
 * - the status of a frame or of any fetch is taken for the document's
 * - any value of the guard's header is taken for a challenge, or an old one is
 * - nobody is woken when something arrives
 * - pages are heard after the end
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Fiber, Scope } from "effect"
import type { Page } from "@sightline/platforms/Browser"
import { listen, type Streams } from "@sightline/platforms/browser/Streams"
import { browsing, onPage } from "./Captures.ts"
import { events, held, html, type LocalSite, site } from "./LocalSite.ts"

/** Listens to the first page of a site. */
const hearing = (
  replies: Parameters<typeof site>[0],
  test: (heard: {
    readonly page: Page
    readonly streams: Streams
    readonly origin: LocalSite["origin"]
  }) => Effect.Effect<void>
) =>
  Effect.flatMap(site({ "/": html(""), ...replies }), ({ origin }) =>
    onPage((page) =>
      Effect.gen(function* () {
        const streams = yield* listen(page, ["/stream"])
        yield* Effect.promise(() => page.goto(origin))
        yield* test({ page, streams, origin })
      })
    )
  ).pipe(Effect.scoped)

/** Lets the page fetch these paths, and waits for each outcome. */
const asks = (page: Page, ...paths: ReadonlyArray<string>) =>
  Effect.promise(() =>
    page.evaluate(
      (all) => Promise.allSettled(all.map((path) => fetch(path).then((response) => response.text()))),
      paths
    )
  )

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep("10 millis"), until(holds))))

layer(browsing({ contextsMax: 1 }), { excludeTestServices: true })("what is heard of a page", (it) => {
  it.effect(
    "includes the responses whose path has the requested ending, with their bodies, in the order in which they end",
    () => {
      const late = held()
      const stream = events(["a"])
      return hearing(
        { "/x/stream": stream, "/stream/x": stream, "/x": stream, "/late/stream": late.reply },
        Effect.fnUntraced(function* ({ page, streams, origin }) {
          const asking = yield* Effect.forkChild(asks(page, "/late/stream", "/x/stream?q=1", "/stream/x", "/x?/stream"))
          const response = yield* late.asked
          yield* until(() => streams.kept().length === 1)
          assert.isTrue(streams.pending())
          response.writeHead(404).end("b")
          yield* Fiber.join(asking)
          yield* until(() => !streams.pending())
          assert.deepEqual(streams.kept(), [
            { url: `${origin}/x/stream?q=1`, status: 200, body: "data: a\n\n" },
            { url: `${origin}/late/stream`, status: 404, body: "b" }
          ])
          assert.deepEqual([streams.document(), streams.challenged()], [200, false])
        })
      )
    }
  )

  it.effect(
    "shows a stream from its request to its end, its status as soon as it arrives, and wakes the waiting reader at its end",
    () => {
      const slow = held()
      return hearing(
        { "/stream": slow.reply },
        Effect.fnUntraced(function* ({ page, streams }) {
          const [asking, waiting] = [
            yield* Effect.forkChild(asks(page, "/stream")),
            yield* Effect.forkChild(streams.next)
          ]
          const response = yield* slow.asked
          yield* until(streams.pending)
          assert.deepEqual(streams.statuses(), [200])
          response.writeHead(403).write("a")
          yield* until(() => streams.statuses().includes(403))
          assert.deepEqual([streams.pending(), streams.kept(), waiting.pollUnsafe()], [true, [], undefined])
          response.end()
          yield* Fiber.join(waiting)
          assert.isFalse(streams.pending())
          yield* Fiber.join(asking)
        })
      )
    }
  )

  it.effect("includes no body of a stream that breaks off, but its end", () =>
    hearing(
      {
        "/stream": (_, response) => {
          response.writeHead(200).write("a", () => setTimeout(() => response.destroy(), 100))
        },
        "/never/stream": (_, response) => void response.destroy(),
        "/moved/stream": (_, response) => void response.writeHead(302, { location: "/" }).end()
      },
      Effect.fnUntraced(function* ({ page, streams }) {
        yield* asks(page, "/stream", "/never/stream", "/moved/stream")
        yield* until(() => !streams.pending())
        assert.sameDeepMembers(
          streams.kept().map(({ status, body }) => [status, body]),
          [
            [200, ""],
            [302, ""]
          ]
        )
      })
    )
  )

  it.effect("includes the status of the latest document, not that of a frame or of a fetch", () =>
    hearing(
      {
        "/": html(`<iframe src="/frame"></iframe>`, "", 200, { "cf-mitigated": "pass" }),
        "/frame": html("", "", 404, { "cf-mitigated": "challenge" }),
        "/guard": html("", "", 403, { "cf-mitigated": "challenge" })
      },
      Effect.fnUntraced(function* ({ page, streams, origin }) {
        const state = () => [streams.document(), streams.challenged(), streams.statuses()]
        yield* asks(page, "/missing", "/guard")
        assert.deepEqual(state(), [200, false, [200]])
        yield* Effect.promise(() => page.goto(`${origin}/guard`))
        assert.deepEqual(state(), [403, true, [200, 403]])
        yield* Effect.promise(() => page.goto(origin))
        assert.deepEqual(state(), [200, false, [200, 403, 200]])
      })
    )
  )

  it.effect("ends with the listener's scope", () =>
    hearing(
      { "/stream": events(["a"]) },
      Effect.fnUntraced(function* ({ page, streams }) {
        const scope = yield* Scope.make()
        const { kept } = yield* Scope.provide(listen(page, ["/stream"]), scope)
        yield* asks(page, "/stream")
        yield* until(() => kept().length === 1)
        yield* Scope.close(scope, Exit.void)
        for (const heard of [2, 3]) {
          yield* asks(page, "/stream")
          yield* until(() => streams.kept().length === heard)
        }
        assert.lengthOf(kept(), 1)
      })
    )
  )
})
