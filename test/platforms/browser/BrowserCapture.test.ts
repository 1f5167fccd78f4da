/**
 * What one capture makes of a page, in a real Chromium against small local pages.
 *
 * Planted and seen red:
 * - listening begins only after the navigation
 * - the deadline of the answer, or of the whole capture, is removed
 * - an overlay is not clicked; a page is read below an overlay, or cut short
 * - `textMax` is ignored; hidden elements are taken for visible; the guard's header is ignored
 * - a stream is kept without bound; images, fonts and media are loaded
 * - an absence is accepted from a page without results, and an answer on such a page is not
 * - the sample is not kept; the time zone is left out
 * - the page is not polled while a stream pauses, or while a stream that must not be lost is under way
 * - a click has no limit, or is made on a hidden element
 * - a question is typed only once, or into a page that has no place for it
 * - the end is heard in any stream, or in the first alone
 * - a page is awaited until all of it is loaded
 * - a captcha is forgotten
 * - the page's questions are answered with yes, and its popups are left open
 * - what a page puts in place of a snapshot, or of its own document, is believed
 * - everything that a page throws is logged
 * - the time a text has stood still is measured by the wall clock
 * - a page that navigated during the reading is given up
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Logger, Result } from "effect"
import type { Observation, Sign } from "@sightline/platforms/live/Surface"
import type { Answer } from "@sightline/domain/Answer"
import type { UnreadPage } from "@sightline/domain/EndedCapture"
import type { PlatformFailed } from "@sightline/domain/Platform"
import { withClockSet } from "../../services/withClockSet.ts"
import { brisk, browsing, captured, pageOf, question } from "./Captures.ts"
import { events, held, html, type LocalSite, startSite, streaming } from "./LocalSite.ts"

const samples: Array<UnreadPage> = []

/** Runs a test against a site that is closed afterwards. */
const onSite = <A, E, R>(
  replies: Parameters<typeof startSite>[0],
  test: (site: LocalSite) => Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.promise(() => startSite(replies)),
    test,
    (site) => Effect.promise(() => site.stop())
  )

type Captured = Result.Result<Answer, PlatformFailed>

const answerOf = (result: Captured): Answer => {
  if (Result.isFailure(result)) throw new Error(`no answer: ${result.failure.ending}`)
  return result.success
}

const failureOf = (result: Captured): readonly [code: string, ending: string | undefined] => {
  if (Result.isSuccess(result)) throw new Error(`an answer: ${result.success.text}`)
  return [result.failure.code, result.failure.ending]
}

const shown = html(`<div id="answer">Brooks, then Asics.</div><p class="result">one</p>`)
const words = ["Brooks ", "then ", "Asics", "[DONE]"]
const filler = "<p>filler</p>".repeat(1000)
const live = html(`${filler}<div id="answer"></div><p class="result">one</p>`, streaming)

const counting = html(
  `<div id="answer">1</div><p class="result">one</p>`,
  `let n = 1; const t = setInterval(() => { document.querySelector("#answer").append(" " + ++n); if (n === 8) clearInterval(t) }, 250)`
)

layer(browsing({}, samples), { excludeTestServices: true })("a capture", (it) => {
  it.effect("keeps the engine's own stream and the page as it was when the answer was complete", () =>
    onSite({ "/": live, "/stream": events(words, 30) }, ({ origin }) =>
      Effect.gen(function* () {
        const page = pageOf(answerOf(yield* captured(origin)))
        assert.strictEqual(page.url, `${origin}/`)
        assert.deepEqual(page.streams, [
          { url: `${origin}/stream`, status: 200, body: words.map((word) => `data: ${word}\n\n`).join("") }
        ])
        assert.include(page.html, "Brooks")
        assert.include(page.visibleText, "Asics")
        assert.notInclude(page.visibleText, "getReader")
      })
    )
  )

  it.effect("hears a stream that begins before the document is complete", () =>
    onSite(
      {
        "/": (_, response) => {
          response.writeHead(200, { "content-type": "text/html" })
          response.write(`<script>fetch("/stream")</script><div id="answer">Brooks</div>`)
          setTimeout(() => response.end(), 400)
        },
        "/stream": events(words)
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.lengthOf(pageOf(answerOf(yield* captured(origin))).streams, 1)
        })
    )
  )

  it.effect("waits for a slow stream longer than for an absence", () =>
    onSite({ "/": live, "/stream": events(["Brooks", "Asics", "Hoka", "[DONE]"], 400) }, ({ origin }) =>
      Effect.gen(function* () {
        assert.include(answerOf(yield* captured(origin)).text, "Hoka")
      })
    )
  )

  it.effect("waits for a stream that was requested and has not begun", () =>
    onSite(
      {
        "/": live,
        "/stream": (request, response) => {
          setTimeout(() => events(words)(request, response), 1500)
        }
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.include(answerOf(yield* captured(origin)).text, "Asics")
        })
    )
  )

  it.effect(
    "takes an answer without a stream as complete only when its text has stopped changing, by a monotonic clock",
    () =>
      onSite({ "/": counting }, ({ origin }) =>
        Effect.gen(function* () {
          // Longer than the page can stand still while the machine pauses.
          const timing = { ...brisk, steady: "1 second" } as const
          let hours = 0
          const capture = withClockSet(captured(origin, {}, { timing }), (millis) => millis + 3_600_000 * hours++)
          assert.include(answerOf(yield* capture).text, "8")
        })
      )
  )

  it.effect("waits while something is busy, even if the text stands still", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">thinking</div><i class="busy">busy</i>`,
          `setTimeout(() => { document.querySelector("#answer").textContent = "Brooks"; document.querySelector(".busy").remove() }, 900)`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin)).text, "Brooks")
        })
    )
  )

  it.effect("types a question into the composer exactly as it is, whatever it contains", () => {
    const hostile = `"};alert(1)//</script> \`\${1}\` 'é' \u{1F45F} <b>x</b>`
    const script = `document.querySelector("button").onclick = () => {
      document.querySelector("#answer").textContent = JSON.stringify(document.querySelector("[contenteditable]").innerText) }`
    return onSite(
      {
        "/": html(`<div contenteditable style="height:20px"></div><button>send</button><div id="answer"></div>`, script)
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const composer = { input: "[contenteditable]", send: "button" }
          const { raw } = answerOf(yield* captured(origin, { composer }, {}, question(hostile)))
          assert.strictEqual(
            JSON.parse(
              pageOf({ ...emptyAnswer, raw })
                .visibleText.split("\n")
                .at(-1) ?? ""
            ),
            hostile
          )
        })
    )
  })

  it.effect("clicks an overlay away whenever it appears, and expands the whole answer", () =>
    onSite(
      {
        "/": html(
          `<div id="wall" style="position:fixed;inset:0;background:#fff"><button id="agree">I agree</button></div>`,
          `agree.onclick = () => { wall.remove(); document.body.insertAdjacentHTML("beforeend",
             '<div id="answer">Brooks</div><button id="more">Show more</button>');
             more.onclick = () => document.querySelector("#answer").append(" and Asics") }`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const own = { dismiss: [".never", "#agree"], expand: ["#more", ".never"] }
          assert.strictEqual(answerOf(yield* captured(origin, own)).text, "Brooks and Asics")
        })
    )
  )

  it.effect("waits while an overlay is there, whatever stands below it", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">A teaser</div><div id="wall" style="position:fixed;inset:0"><button id="agree">I agree</button></div>`,
          `agree.onclick = () => setTimeout(() => { wall.remove(); document.querySelector("#answer").textContent = "Brooks" }, 600)`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin, { dismiss: ["#agree"] })).text, "Brooks")
        })
    )
  )

  it.effect("clicks an overlay away even while a stream pauses", () => {
    const stream = held()
    return onSite(
      {
        "/": html(
          `<div id="answer"></div>`,
          `fetch("/stream").then((response) => response.text()).then((text) => { document.querySelector("#answer").textContent = text })
           setTimeout(() => document.body.insertAdjacentHTML("beforeend",
             '<button id="agree" onclick="this.remove(); fetch(\\'/agreed\\')">I agree</button>'), 300)`
        ),
        "/stream": stream.reply,
        "/agreed": () => Effect.runFork(Effect.map(stream.asked, (response) => response.end("Brooks [DONE]")))
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.include(answerOf(yield* captured(origin, { dismiss: ["#agree"] })).text, "Brooks")
        })
    )
  })

  it.effect("gives up a click that cannot be made, and continues when the obstacle has gone by itself", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">Brooks</div><button id="agree">I agree</button><div id="above" style="position:fixed;inset:0"></div>`,
          `setTimeout(() => { agree.remove(); above.remove() }, 900)`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin, { dismiss: ["#agree"] })).text, "Brooks")
        })
    )
  )

  it.effect("uses the visible one of several inputs, and types again when an overlay came in between", () =>
    onSite(
      {
        "/": html(
          `<button class="agree" hidden></button><textarea hidden></textarea><button class="send" hidden></button>
           <textarea id="input"></textarea><button class="send" id="send">send</button><button class="send">send</button>
           <div id="wall" style="position:fixed;inset:0" hidden><button class="agree">I agree</button><button class="agree">later</button></div>
           <div id="answer"></div>`,
          `input.oninput = () => { wall.hidden = false }
           document.querySelectorAll(".agree")[1].onclick = () => { wall.remove() }
           send.onclick = () => { document.querySelector("#answer").textContent = "asked: " + input.value }`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const own = { dismiss: [".agree"], composer: { input: "textarea", send: ".send" } }
          const answer = answerOf(yield* captured(origin, own, {}, question("anvils")))
          assert.strictEqual(answer.text, "asked: anvils")
        })
    )
  )

  it.effect("is unavailable where the page has no input for the question", () =>
    onSite({ "/": html("<p>something else entirely</p>") }, ({ origin }) =>
      Effect.gen(function* () {
        const composer = { input: "textarea", send: "button" }
        assert.deepEqual(failureOf(yield* captured(origin, { composer })), ["upstream_unavailable", "unavailable"])
      })
    )
  )

  it.effect("hears the end in the stream that states it, and not in another", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">...</div>`,
          `const text = async (path) => (await fetch(path)).text()
           text("/a/stream").then(() => text("/b/stream")).then((text) => { document.querySelector("#answer").textContent = text })`
        ),
        "/a/stream": events(["thinking"]),
        "/b/stream": events(["Brooks", "[DONE]"], 400)
      },
      ({ origin }) =>
        Effect.gen(function* () {
          // Only the stream's own end event can end it.
          const timing = { ...brisk, steady: "1 hour", absence: "1 hour" } as const
          const page = pageOf(answerOf(yield* captured(origin, {}, { timing })))
          assert.lengthOf(page.streams, 2)
        })
    )
  )

  it.effect("reads an answer even though something on the page never loads", () =>
    onSite(
      { "/": html(`<div id="answer">Brooks</div><iframe src="/never"></iframe>`), "/never": () => undefined },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin)).text, "Brooks")
        })
    )
  )

  it.effect("takes another snapshot when the page navigated during one", () =>
    onSite(
      {
        "/": html(
          `<div id="answer"></div>`,
          `const n = Number(location.search.slice(1))
           if (n === 12) document.querySelector("#answer").textContent = "Brooks"
           else setTimeout(() => {
             location.replace("/?" + (n + 1))
             for (const end = performance.now() + 120; performance.now() < end; );
           }, 20)`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin)).text, "Brooks")
        })
    )
  )

  it.effect("reads the page again when it navigated during the reading", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">Brooks</div><button id="more">More</button>`,
          `more.onclick = () => setTimeout(() => {
             location.replace("/all")
             for (const end = performance.now() + 1000; performance.now() < end; );
           }, 60)`
        ),
        "/all": html(`<div id="answer">Brooks, then Asics.</div>`)
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const answer = answerOf(yield* captured(origin, { expand: ["#more"] }))
          assert.strictEqual(answer.text, "Brooks, then Asics.")
        })
    )
  )

  it.effect("follows the site to another document and back", () =>
    onSite(
      {
        "/": (request, response) => {
          if (request.headers.cookie?.includes("ok=1") === true) return shown(request, response)
          response.writeHead(302, { location: "/consent" }).end()
        },
        "/consent": html(
          `<button id="agree">Accept</button>`,
          `agree.onclick = () => { document.cookie = "ok=1"; location.href = "/" }`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.include(answerOf(yield* captured(origin, { dismiss: ["#agree"] })).text, "Asics")
        })
    )
  )

  const signs: ReadonlyArray<Sign> = [
    { block: "captcha", text: "Unusual Traffic", textMax: 200 },
    { block: "challenge", selector: "iframe.guard" },
    { block: "login_wall", status: 403 },
    { block: "login_wall", selector: "[role=dialog].login" },
    { block: "region", url: "/unsupported" }
  ]

  const signed = (reply: Parameters<typeof startSite>[0][string], path = "/") =>
    onSite({ [path]: reply }, ({ origin }) =>
      Effect.map(captured(origin, { signs, path: () => path }), (result) => failureOf(result))
    )

  it.effect("ends at a captcha, a challenge, a login wall and a refused region with the code of each", () =>
    Effect.gen(function* () {
      assert.deepEqual(yield* signed(html("We saw unusual traffic from your network.")), [
        "upstream_rate_limited",
        "captcha"
      ])
      assert.deepEqual(yield* signed(html(`<iframe class="guard" width="9" height="9"></iframe>`)), [
        "upstream_rate_limited",
        "challenge"
      ])
      assert.deepEqual(yield* signed(html("checking", "", 200, { "cf-mitigated": "challenge" })), [
        "upstream_rate_limited",
        "challenge"
      ])
      assert.deepEqual(yield* signed(html("log in", "", 403)), ["upstream_unavailable", "login_wall"])
      assert.deepEqual(yield* signed(html(`<div role="dialog" class="login">Log in</div>`)), [
        "upstream_unavailable",
        "login_wall"
      ])
      assert.deepEqual(yield* signed(html("not offered"), "/unsupported"), ["surface_unavailable_in_region", "region"])
    })
  )

  it.effect("stays away from a live site that showed it a captcha", () =>
    onSite({ "/": html("We saw unusual traffic from your network.") }, ({ origin, asked }) =>
      Effect.gen(function* () {
        const live = captured(origin, { signs }, { environment: "live" })
        assert.deepEqual(failureOf(yield* live), ["upstream_rate_limited", "captcha"])
        assert.deepEqual(failureOf(yield* live), ["upstream_rate_limited", "rate_limited"])
        assert.lengthOf(asked, 1)
      })
    )
  )

  it.effect("a page with status 429 counts as a rate limit", () =>
    onSite({ "/": html("slow down", "", 429) }, ({ origin }) =>
      Effect.map(captured(origin), (result) =>
        assert.deepEqual(failureOf(result), ["upstream_rate_limited", "rate_limited"])
      )
    )
  )

  it.effect("does not take an answer that quotes a sign for that sign", () =>
    onSite(
      {
        "/": html(
          `<div id="answer">Sites say "unusual traffic" when you ask too often. ${"More words. ".repeat(30)}</div>`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.include(answerOf(yield* captured(origin, { signs })).text, "unusual traffic")
        })
    )
  )

  it.effect("does not take a hidden element for a sign or an obstacle", () =>
    onSite(
      { "/": html(`<div role="dialog" class="login" style="display:none">x</div><div id="answer">Brooks</div>`) },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin, { signs, dismiss: [".login"] })).text, "Brooks")
        })
    )
  )

  it.effect(
    "finds no answer where results stand without one, by the page's own words or after the absence window",
    () =>
      Effect.gen(function* () {
        const said = onSite(
          { "/": html(`<p>No overview for this search</p><p class="result">one</p>`) },
          ({ origin }) => captured(origin)
        )
        const silent = onSite({ "/": html(`<p class="result">one</p>`) }, ({ origin }) => captured(origin))
        for (const absent of [said, silent]) {
          const answer = answerOf(yield* absent)
          assert.strictEqual(answer.surfacePresent, false)
          assert.strictEqual(answer.text, "")
        }
      })
  )

  it.effect("waits within the window for a late block", () =>
    onSite(
      {
        "/": html(
          `<p class="result">one</p>`,
          `setTimeout(() => document.body.insertAdjacentHTML("beforeend", '<div id="answer">Brooks</div>'), 350)`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const timing = { ...brisk, absence: "5 seconds" } as const
          assert.strictEqual(answerOf(yield* captured(origin, {}, { timing })).text, "Brooks")
        })
    )
  )

  it.effect("never takes an empty container for an absence, and keeps a sample of the page", () =>
    onSite(
      {
        "/": html(
          `<p class="result">one</p><div id="answer" data-token="s3cret"><i></i><input value="jo@example.org"></div>`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          samples.length = 0
          assert.deepEqual(failureOf(yield* captured(origin, { read: () => Result.fail("container_empty") })), [
            "upstream_unavailable",
            "container_empty"
          ])
          assert.deepEqual(samples, [
            {
              environment: "test",
              platform: "ai_overview",
              ending: "container_empty",
              html: `<div id="answer"><i></i><input></div>`
            }
          ])
        })
    )
  )

  it.effect("calls a page that shows neither results nor an answer unreadable, not an absence", () =>
    onSite({ "/": html("<p>something else entirely</p>") }, ({ origin }) =>
      Effect.gen(function* () {
        assert.deepEqual(failureOf(yield* captured(origin)), ["upstream_unavailable", "parse_error"])
      })
    )
  )

  it.effect("accepts an answer from a page that shows neither results nor a container", () =>
    onSite({ "/": html("<p>something else entirely</p>") }, ({ origin }) =>
      Effect.gen(function* () {
        const read = () => Result.succeed({ ...emptyAnswer, text: "Brooks" })
        assert.strictEqual(answerOf(yield* captured(origin, { read })).text, "Brooks")
      })
    )
  )

  it.effect("survives a reader that throws", () =>
    onSite({ "/": shown }, ({ origin }) =>
      Effect.gen(function* () {
        const read = () => {
          throw new Error("tripped")
        }
        assert.deepEqual(failureOf(yield* captured(origin, { read })), ["upstream_unavailable", "parse_error"])
      })
    )
  )

  it.effect.each([
    ["its document", `Object.defineProperty(Element.prototype, "outerHTML", { get: () => ({ slice: () => 1 }) })`],
    [
      "a snapshot of it",
      `const { map } = Array.prototype
       Array.prototype.map = function (each) { return this[0]?.block === undefined ? map.call(this, each) : null }`
    ],
    ["a throw", `Array.from = () => { throw new Error("x".repeat(1e6)) }`]
  ])("is unavailable, and says why in a short line, where the page puts %s of its own in place", ([, script]) =>
    onSite({ "/": html(`<div id="answer">Brooks</div>`, script) }, ({ origin }) =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const log = Logger.layer([Logger.map(Logger.formatJson, (line) => void lines.push(line))])
        const read = () => Result.fail("parse_error" as const)
        const failed = failureOf(yield* Effect.provide(captured(origin, { read, signs }), log))
        assert.deepEqual(failed, ["upstream_unavailable", "unavailable"])
        assert.lengthOf(lines, 1)
        assert.isBelow(lines.join().length, 1000)
      })
    )
  )

  it.effect("ends at each deadline, and the next capture finds a working browser", () =>
    onSite({ "/hang": () => undefined, "/loop": html("", "for (;;) {}"), "/": shown }, ({ origin }) =>
      Effect.gen(function* () {
        const late = ["upstream_timeout", "timeout"] as const
        const short = { ...brisk, navigation: "400 millis", answer: "900 millis" } as const
        assert.deepEqual(failureOf(yield* captured(origin, { path: () => "/hang" }, { timing: short })), late)
        assert.deepEqual(failureOf(yield* captured(origin, { path: () => "/loop" }, { timing: short })), late)
        const whole = { ...brisk, navigation: "1 hour", whole: "500 millis" } as const
        assert.deepEqual(failureOf(yield* captured(origin, { path: () => "/hang" }, { timing: whole })), late)
        assert.include(answerOf(yield* captured(origin)).text, "Asics")
      })
    )
  )

  it.effect("is unavailable where the site does not respond, or offers a file instead of a page", () =>
    onSite(
      {
        "/file": html("x", "", 200, {
          "content-disposition": "attachment; filename=x.zip",
          "content-type": "application/zip"
        })
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const unavailable = ["upstream_unavailable", "unavailable"] as const
          assert.deepEqual(failureOf(yield* captured("http://127.0.0.1:1")), unavailable)
          assert.deepEqual(failureOf(yield* captured(origin, { path: () => "/file" })), unavailable)
          assert.deepEqual(failureOf(yield* captured(origin, { path: () => "/missing" })), unavailable)
        })
    )
  )

  it.effect("is not held up by dialogs and popups", () =>
    onSite(
      {
        "/": html(
          `<div id="answer"></div>`,
          `const popup = open("/popup")
           alert("hello")
           const agreed = confirm("sure?")
           setInterval(() => { if (popup.closed && !agreed) document.querySelector("#answer").textContent = "Brooks" }, 50)`
        ),
        "/popup": html("popup", `alert("me too")`)
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin)).text, "Brooks")
        })
    )
  )

  it.effect("keeps at most 4 MiB of a stream", () =>
    onSite(
      {
        "/": html(
          `<div id="answer"></div>`,
          `fetch("/stream").then((r) => r.text()).then((t) => (document.querySelector("#answer").textContent = t.length))`
        ),
        "/stream": events([...Array.from({ length: 10 }, () => "x".repeat(1024 * 1024)), "[DONE]"])
      },
      ({ origin }) =>
        Effect.gen(function* () {
          const read = (page: Observation) =>
            Result.succeed({ ...emptyAnswer, text: String(page.streams[0]?.body.length) })
          assert.strictEqual(answerOf(yield* captured(origin, { read })).text, String(4 * 1024 * 1024))
        })
    )
  )

  it.effect("requests no image, font or video", () =>
    onSite(
      {
        "/": html(
          `<style>@font-face { font-family: f; src: url(/font.woff2) } body { font-family: f; background: url(/back.png) }</style>
           <img src="/image.png"><video src="/video.mp4" preload="auto" autoplay muted></video><div id="answer">Brooks</div>`
        )
      },
      ({ origin, asked }) =>
        Effect.gen(function* () {
          answerOf(yield* captured(origin))
          assert.deepEqual([...asked], ["GET /"])
        })
    )
  )

  it.effect("has the language, time zone and location of its question's region", () =>
    onSite(
      {
        "/": html(
          `<div id="answer"></div>`,
          `navigator.geolocation.getCurrentPosition(({ coords }) => { document.querySelector("#answer").textContent =
             [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, coords.latitude].join(" ") })`
        )
      },
      ({ origin }) =>
        Effect.gen(function* () {
          assert.strictEqual(answerOf(yield* captured(origin)).text, "en-GB Europe/London 51.5074")
          const sydney = yield* captured(origin, {}, {}, question("x", "AU"))
          assert.strictEqual(answerOf(sydney).text, "en-AU Australia/Sydney -33.8688")
        })
    )
  )
})

const emptyAnswer: Answer = {
  text: "",
  raw: "",
  citations: [],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "",
  finish: "stop"
}
