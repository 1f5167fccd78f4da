/**
 * The browser as a process among processes: what captures share, what they do not, and what is left when something is killed.
 *
 * Planted and seen red:
 * - there is no second try, or a third one
 * - a dead browser is not replaced; a stuck one is kept, or its end is awaited; an idle one is kept
 * - permits are not held
 * - storage and cache are not cleared between captures; the state of a live visitor is not kept
 * - abandoned folders are left
 * - a tab is never kept, is kept when its process is gone, or is kept whatever was in it
 * - a page that asks not to be left is obeyed
 * - a tab is cleared before it is empty; its session storage, name and history are left
 * - the window is small
 * - contexts have no bound, or are left open when others take their places; places are reserved for nobody
 * - what a sandbox page stored is kept for another browser, or in a cache of its own
 * - folders other than the browser's own are cleared; abandoned ones are not cleared at the start
 * - turns at a live site are counted from before a place is free
 */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Latch, Queue, Result } from "effect"
import { TestClock } from "effect/testing"
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import type { ServerResponse } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Browser } from "@sightline/platforms/Browser"
import { localeOf } from "@sightline/platforms/live/Locale"
import { brisk, browsing, captured, chromium, onPage, question } from "./Captures.ts"
import { events, html, site, streaming } from "./LocalSite.ts"
import { browsersOf, foldersOf, groupsIn, membersOf, renderersOf } from "./Processes.ts"

const page = html(`<div id="answer"></div><p class="result">one</p>`, streaming)
const words = ["Brooks", "Asics", "Hoka", "Saucony", "[DONE]"]

const endingOf = (result: Effect.Success<ReturnType<typeof captured>>): string =>
  Result.isSuccess(result) ? "ok" : (result.failure.ending ?? "")

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() => (holds() ? Effect.void : Effect.andThen(Effect.sleep("20 millis"), until(holds))))

/** Waits until no process of the groups runs, and fails if one still runs after a minute. */
const gone = (groups: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    yield* Effect.timeoutOption(
      until(() => membersOf(groups).length === 0),
      "1 minute"
    )
    assert.deepEqual(membersOf(groups), [])
  })

const ownGroups = () => groupsIn(foldersOf(process.pid))

/** A page whose stream stops until the test releases it; `begun` counts the pages that wait. */
const gate = () => {
  const waiting: Array<() => void> = []
  let open = false
  return {
    begun: () => waiting.length,
    release: () => {
      open = true
      for (const go of waiting) go()
    },
    reply: (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write("data: Brooks\n\n")
      const finish = () => response.end("data: [DONE]\n\n")
      waiting.push(finish)
      if (open) finish()
    }
  }
}

/** A timing whose absence window is longer than a closed gate. */
const patient = { ...brisk, absence: "20 seconds" } as const

describe("the browser", () => {
  it.live(
    "a browser killed during captures is replaced: all 20 captures get their answers, and no process of it is left",
    () =>
      Effect.gen(function* () {
        const door = gate()
        const { origin, asked } = yield* site({ "/": page, "/stream": door.reply })
        yield* Effect.gen(function* () {
          const fibers = yield* Effect.forEach(Array.from({ length: 20 }), () =>
            Effect.forkChild(captured(origin, {}, { timing: patient }))
          )
          yield* until(() => door.begun() === 4)
          const killed = ownGroups()
          const [victim] = browsersOf(killed)
          assert.isDefined(victim)
          process.kill(victim ?? 0, "SIGKILL")
          yield* until(() => door.begun() === 8)
          door.release()
          const endings = (yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))).map(endingOf)
          assert.deepEqual(
            endings,
            fibers.map(() => "ok")
          )
          // The four captures in it were sent twice, the others once.
          assert.lengthOf(
            asked.filter((line) => line === "GET /"),
            24
          )
          yield* gone(killed)
          assert.lengthOf(foldersOf(process.pid), 1)
        }).pipe(Effect.provide(browsing()))
        assert.deepEqual(foldersOf(process.pid), [])
      })
  )

  it.live("a capture that loses its browser twice is unavailable, and all others finish", () =>
    Effect.gen(function* () {
      const door = gate()
      const { origin } = yield* site({ "/": page, "/stream": events(words), "/held": page })
      const held = yield* site({ "/": page, "/stream": door.reply })
      yield* Effect.gen(function* () {
        const victim = yield* Effect.forkChild(captured(held.origin, {}, { timing: patient }))
        for (const begun of [1, 2]) {
          yield* until(() => door.begun() === begun)
          for (const pid of browsersOf(ownGroups())) process.kill(pid, "SIGKILL")
        }
        const others = yield* Effect.forEach(Array.from({ length: 19 }), () => captured(origin), { concurrency: 19 })
        assert.deepEqual(
          others.map(endingOf),
          others.map(() => "ok")
        )
        const lost = yield* Fiber.join(victim)
        assert.deepEqual(Result.isFailure(lost) ? [lost.failure.code, lost.failure.ending] : [], [
          "upstream_unavailable",
          "unavailable"
        ])
      }).pipe(Effect.provide(browsing()))
    }).pipe(Effect.scoped)
  )

  it.live("killing the process of one page ends that capture alone", () =>
    Effect.gen(function* () {
      const door = gate()
      const { origin } = yield* site({ "/": page, "/stream": door.reply })
      yield* Effect.gen(function* () {
        const victim = yield* Effect.forkChild(captured(origin, {}, { timing: patient }))
        yield* until(() => door.begun() === 1)
        const its = renderersOf(ownGroups())
        const others = yield* Effect.forEach(Array.from({ length: 3 }), () =>
          Effect.forkChild(captured(origin, {}, { timing: patient }))
        )
        yield* until(() => door.begun() === 4)
        for (const pid of its) process.kill(pid, "SIGKILL")
        const lost = yield* Fiber.join(victim)
        assert.strictEqual(Result.isFailure(lost) ? lost.failure.code : "", "upstream_unavailable")
        door.release()
        assert.deepEqual((yield* Effect.forEach(others, (fiber) => Fiber.join(fiber))).map(endingOf), [
          "ok",
          "ok",
          "ok"
        ])
      }).pipe(Effect.provide(browsing()))
    }).pipe(Effect.scoped)
  )

  it.effect("captures of a live site that waited for a place still begin 4 seconds apart", () =>
    Effect.gen(function* () {
      const { visit } = yield* Browser
      const place = { environment: "live", surface: "ai_mode", locale: localeOf("US") } as const
      const free = yield* Latch.make()
      const taking = yield* Queue.unbounded<void>()
      const holders = yield* Effect.forEach(["one", "other"], (host) =>
        Effect.forkChild(
          visit({ ...place, origin: `https://${host}.invalid` }, () =>
            Effect.andThen(Queue.offer(taking, undefined), free.await)
          )
        )
      )
      yield* Queue.takeN(taking, 2)
      const begun = yield* Queue.unbounded<number>()
      const captures = yield* Effect.forEach([1, 2], () =>
        Effect.forkChild(
          visit({ ...place, origin: "https://site.invalid" }, () =>
            Effect.flatMap(Clock.currentTimeMillis, (now) => Queue.offer(begun, now))
          )
        )
      )
      yield* TestClock.adjust("10 seconds")
      yield* free.open
      assert.strictEqual(yield* Queue.take(begun), 10_000)
      yield* TestClock.adjust("3999 millis")
      // A capture that did not wait for its turn would have its page by the time another capture has come and gone.
      yield* visit({ ...place, environment: "test", origin: "" }, () => Effect.void)
      assert.strictEqual(yield* Queue.size(begun), 0)
      yield* TestClock.adjust("1 milli")
      assert.strictEqual(yield* Queue.take(begun), 14_000)
      yield* Fiber.joinAll([...holders, ...captures])
    }).pipe(Effect.provide(browsing({ contextsMax: 2 })))
  )

  it.live("leases at most as many contexts at once as its limit", () =>
    Effect.gen(function* () {
      let now = 0
      let most = 0
      const stream = events(words, 20)
      const waiting: Array<() => void> = []
      const { origin } = yield* site({
        "/": page,
        "/stream": (request, response) => {
          most = Math.max(most, ++now)
          // All is sent before the page has read it: the end of a connection may be seen after the next one begins.
          response.on("finish", () => now--)
          waiting.push(() => stream(request, response))
          // The first capture waits for a second, so that two run at once however slow the machine is.
          if (most > 1) for (const go of waiting.splice(0)) go()
        }
      })
      yield* Effect.gen(function* () {
        const results = yield* Effect.forEach(
          Array.from({ length: 6 }),
          () => captured(origin, {}, { timing: patient }),
          { concurrency: 6 }
        )
        assert.deepEqual(
          results.map(endingOf),
          results.map(() => "ok")
        )
        assert.strictEqual(most, 2)
      }).pipe(Effect.provide(browsing({ contextsMax: 2 })))
    }).pipe(Effect.scoped)
  )

  it.live("answers a live key while test keys hold all places they may have", () =>
    Effect.gen(function* () {
      const door = gate()
      const stalled = yield* site({ "/": page, "/stream": door.reply })
      const prompt = yield* site({ "/": page, "/stream": events(words, 20) })
      yield* Effect.gen(function* () {
        const tests = yield* Effect.forEach(Array.from({ length: 4 }), () =>
          Effect.forkChild(captured(stalled.origin, {}, { timing: patient }))
        )
        yield* until(() => door.begun() === 1)
        assert.strictEqual(endingOf(yield* captured(prompt.origin, {}, { environment: "live" })), "ok")
        assert.strictEqual(door.begun(), 1)
        door.release()
        const endings = (yield* Effect.forEach(tests, (fiber) => Fiber.join(fiber))).map(endingOf)
        assert.deepEqual(
          endings,
          tests.map(() => "ok")
        )
      }).pipe(Effect.provide(browsing({ contextsMax: 2, keptForLive: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("keeps at most as many contexts as its limit, unused ones included", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": html("") })
      const countries = ["GB", "US", "AU", "GB"]
      const open = yield* Effect.forEach(countries, (country) =>
        onPage(
          (page) =>
            Effect.as(
              Effect.promise(() => page.goto(origin)),
              page.context().browser()?.contexts().length
            ),
          country
        )
      )
      // Including the one that every browser has.
      assert.deepEqual(open, [2, 3, 3, 3])
    }).pipe(Effect.provide(browsing({ contextsMax: 2 })), Effect.scoped)
  )

  const remembering = html(
    `<div id="answer"></div>`,
    `const seen = [document.cookie, localStorage.a, sessionStorage.a, window.name, history.length].join("|")
     document.cookie = "a=1"; localStorage.a = sessionStorage.a = window.name = "1"; history.pushState({}, "", "/")
     const open = indexedDB.open("a")
     let made = false
     open.onupgradeneeded = () => { made = true }
     open.onsuccess = async () => {
       const cached = await caches.keys()
       await caches.open("a")
       document.querySelector("#answer").textContent = seen + "|" + (made ? "" : "db") + cached.join()
     }`
  )

  it.live("shows a sandbox page no state of the capture before it, in the same context", () =>
    Effect.gen(function* () {
      const { origin, asked } = yield* site({
        "/": (request, response) => {
          response.setHeader("cache-control", "max-age=600")
          remembering(request, response)
        }
      })
      yield* Effect.gen(function* () {
        for (const round of [1, 2, 3, 4]) {
          // The last capture is in another browser.
          if (round === 4) for (const pid of browsersOf(ownGroups())) process.kill(pid, "SIGKILL")
          const result = yield* captured(origin)
          assert.strictEqual(Result.isSuccess(result) ? result.success.text : "", "||||2|")
        }
        assert.lengthOf(asked, 4)
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("reuses a tab, and opens another when its process was killed in between", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": html(`<div id="answer">Brooks</div>`) })
      yield* Effect.gen(function* () {
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        const [first = 0] = renderersOf(ownGroups())
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        assert.include(renderersOf(ownGroups()), first)
        for (const pid of renderersOf(ownGroups())) process.kill(pid, "SIGKILL")
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("leaves a page that asks for confirmation before it is left, and reuses its tab", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({
        "/": html(
          `<input><button>send</button><div id="answer"></div>`,
          `document.querySelector("button").onclick = () => { document.querySelector("#answer").textContent = "Brooks" }
           addEventListener("beforeunload", (event) => event.preventDefault())`
        )
      })
      const asking = captured(origin, { composer: { input: "input", send: "button" } })
      yield* Effect.gen(function* () {
        assert.strictEqual(endingOf(yield* asking), "ok")
        const [first = 0] = renderersOf(ownGroups())
        assert.strictEqual(endingOf(yield* asking), "ok")
        assert.include(renderersOf(ownGroups()), first)
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("shows no storage of a frame from another origin, nor what a page wrote after its capture", () =>
    Effect.gen(function* () {
      const frame = yield* site({
        "/": html("", `parent.postMessage(String(sessionStorage.a), "*"); sessionStorage.a = "1"`)
      })
      const { origin } = yield* site({
        "/": html(
          `<div id="answer"></div>`,
          `const seen = String(localStorage.late)
           setInterval(() => { localStorage.late = "1" })
           addEventListener("message", ({ data }) => { document.querySelector("#answer").textContent = seen + "|" + data })
           document.body.insertAdjacentHTML("beforeend", location.search === "?framed" ? '<iframe src="${frame.origin}/"></iframe>' : "")
           if (location.search === "") postMessage("alone")`
        )
      })
      yield* Effect.gen(function* () {
        for (const path of ["/", "/", "/?framed", "/?framed", "/"]) {
          const result = yield* captured(origin, { path: () => path })
          const none = path === "/" ? "undefined|alone" : "undefined|undefined"
          assert.strictEqual(Result.isSuccess(result) ? result.success.text : "", none)
        }
        for (const _ of [1, 2]) {
          const result = yield* captured(origin, { path: () => "/?framed" }, { environment: "live" })
          assert.match(Result.isSuccess(result) ? result.success.text : endingOf(result), /[|]undefined$/)
        }
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("gives each page the same window, draws its frames and sees an element at the far corner", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({
        "/": html(
          `<div id="answer"></div><i id="far" style="position:fixed;right:0;bottom:0">far</i>`,
          `requestAnimationFrame(() => new IntersectionObserver(([{ isIntersecting }]) => {
             document.querySelector("#answer").textContent = [innerWidth, innerHeight, devicePixelRatio, isIntersecting].join(" ")
           }).observe(document.querySelector("#far")))`
        )
      })
      yield* Effect.gen(function* () {
        for (const _ of [1, 2]) {
          const result = yield* captured(origin)
          assert.strictEqual(Result.isSuccess(result) ? result.success.text : "", "1366 860 1 true")
        }
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("keeps the cookies of a live site's visitor for that visitor only, even when its browser was replaced", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": remembering })
      const cookies = (country: string) =>
        Effect.map(captured(origin, {}, { environment: "live" }, question("x", country)), (result) =>
          Result.isSuccess(result) ? result.success.text.split("|").slice(0, 3).join("|") : endingOf(result)
        )
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* cookies("US"), "||")
        assert.strictEqual(yield* cookies("US"), "a=1|1|")
        assert.strictEqual(yield* cookies("AU"), "||")
        const groups = ownGroups()
        for (const pid of browsersOf(groups)) process.kill(pid, "SIGKILL")
        yield* gone(groups)
        assert.strictEqual(yield* cookies("US"), "a=1|1|")
      }).pipe(Effect.provide(browsing({ contextsMax: 1 })))
    }).pipe(Effect.scoped)
  )

  it.live("starts with the first capture and ends after a time without captures", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": html(`<div id="answer">Brooks</div>`) })
      yield* Effect.gen(function* () {
        yield* Browser
        assert.deepEqual(ownGroups(), [])
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        const groups = ownGroups()
        assert.lengthOf(groups, 1)
        yield* gone(groups)
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
      }).pipe(Effect.provide(browsing({ idle: "3 seconds" })))
    }).pipe(Effect.scoped)
  )

  it.live("a Chromium that cannot be started makes captures unavailable and leaves nothing behind", () =>
    Effect.gen(function* () {
      const result = yield* captured("http://127.0.0.1:1").pipe(Effect.provide(browsing({ chromium: "/bin/false" })))
      assert.strictEqual(endingOf(result), "unavailable")
      assert.deepEqual(foldersOf(process.pid), [])
    })
  )

  it.live("a browser that opens no more pages is replaced", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": html(`<div id="answer">Brooks</div>`) })
      yield* Effect.gen(function* () {
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        const [stuck] = browsersOf(ownGroups())
        process.kill(stuck ?? 0, "SIGSTOP")
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        assert.notInclude(browsersOf(ownGroups()), stuck)
      }).pipe(Effect.provide(browsing()))
    }).pipe(Effect.scoped)
  )

  it.live("a browser that opens no more pages is replaced at once, even where its end is reported late", () =>
    Effect.gen(function* () {
      const { origin } = yield* site({ "/": html(`<div id="answer">Brooks</div>`) })
      const place = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-test-"))),
        (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
      )
      const lasting = join(place, "chromium")
      // Another process keeps the browser's pipes open, and its end is reported when these close.
      writeFileSync(lasting, `#!/bin/sh\nsleep 30 &\nexec "${chromium()}" "$@"\n`, { mode: 0o700 })
      yield* Effect.gen(function* () {
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
        process.kill(browsersOf(ownGroups())[0] ?? 0, "SIGSTOP")
        assert.strictEqual(endingOf(yield* captured(origin)), "ok")
      }).pipe(Effect.provide(browsing({ chromium: lasting })))
    }).pipe(Effect.scoped)
  )
})

describe("a process with a browser", () => {
  /** A folder that is empty for each process, except for what it leaves itself. */
  const temporary = Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "sightline-test-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )

  const started = (TMPDIR: string) =>
    Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [`${import.meta.dirname}/browsingProcess.ts`, chromium()], {
          stdio: ["ignore", "pipe", "inherit"],
          env: { ...process.env, TMPDIR }
        })
      ),
      (program) => Effect.sync(() => void program.kill("SIGKILL"))
    )

  const child = Effect.fnUntraced(function* (TMPDIR: string) {
    const program = yield* started(TMPDIR)
    const says = (word: string) =>
      Effect.callback<void>((resume) => {
        program.stdout.on("data", (data: Buffer) => {
          if (data.includes(word)) resume(Effect.void)
        })
      })
    const exited = Effect.callback<void>((resume) => void program.once("exit", () => resume(Effect.void)))
    const pid = program.pid ?? 0
    /** The process groups of its browsers, once only their folders exist. */
    const groups = () => {
      const folders = foldersOf(pid, TMPDIR)
      assert.deepEqual(
        readdirSync(TMPDIR).map((name) => join(TMPDIR, name)),
        folders
      )
      return groupsIn(folders)
    }
    return { pid, says, exited, groups }
  })

  it.live("leaves no Chromium when it is asked to end", () =>
    Effect.gen(function* () {
      const place = yield* temporary
      const { pid, says, exited, groups } = yield* child(place)
      yield* says("capturing")
      const its = groups()
      assert.lengthOf(its, 1)
      process.kill(pid, "SIGTERM")
      yield* exited
      assert.deepEqual(membersOf(its), [])
      assert.deepEqual(readdirSync(place), [])
    }).pipe(Effect.scoped)
  )

  it.live("leaves no Chromium when it is killed, and the next process clears its folder away", () =>
    Effect.gen(function* () {
      const place = yield* temporary
      const { pid, says, exited, groups } = yield* child(place)
      yield* says("capturing")
      const its = groups()
      assert.lengthOf(its, 1)
      process.kill(pid, "SIGKILL")
      yield* exited
      yield* gone(its)
      assert.lengthOf(readdirSync(place), 1)
      const next = yield* child(place)
      yield* next.says("capturing")
      assert.lengthOf(next.groups(), 1)
      process.kill(next.pid, "SIGTERM")
      yield* next.exited
      assert.deepEqual(readdirSync(place), [])
    }).pipe(Effect.scoped)
  )
})
