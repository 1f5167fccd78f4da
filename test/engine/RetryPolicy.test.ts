/**
 * Jobs whose questions are lost between processes, over a real store and a bus that fails requests to one platform.
 *
 * Planted faults, each seen red:
 * - a lost question reported as a failure
 * - a question that no try can get answered asked again and again
 * - a last try that leaves its lost question to another one
 * - a run settled although it lost a question
 * - a run begun again because a platform's mailbox is full
 * - an ask that only met full mailboxes left to its last try
 */
import { it } from "@effect/vitest"
import { Bus, NoReply } from "@sightline/actor/Bus"
import type { NoReplyReason } from "@sightline/actor/Replies"
import { credits } from "@sightline/domain/Credits"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { CheckRunner } from "@sightline/engine/CheckRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import { jobTriesMax } from "@sightline/engine/Tuning"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import { watchRendering } from "@sightline/server/handlers/WatchRendering"
import { Asks } from "@sightline/store/Asks"
import { Runs } from "@sightline/store/Runs"
import { Watches } from "@sightline/store/Watches"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { assert, describe } from "vitest"
import { lapse } from "../store/queued.ts"
import { ageRun, runsOf, wishes } from "../store/watching.ts"
import {
  anotherRunner,
  archived,
  asking,
  balanceOf,
  bodiesOf,
  booksInOrder,
  layerAsking,
  queueAs,
  take,
  webhook
} from "./asking.ts"
import { offering, purse, scriptPlatforms } from "./scripted.ts"

const layer = Watches.layer(Redacted.make(new Uint8Array(32))).pipe(Layer.provideMerge(layerAsking))

/** The bus of a process that loses its requests to this platform. */
const losing = (platform: string, reason: NoReplyReason) =>
  Effect.map(Bus, (bus) =>
    Bus.of({
      ...bus,
      request: (subject, body, timeout) =>
        subject.endsWith(platform) ? Effect.fail(new NoReply({ subject, reason })) : bus.request(subject, body, timeout)
    })
  )

/** The runner of watches in another process, with the bus in scope. */
const anotherWatchRunner = Effect.map(
  Layer.build(
    Layer.fresh(
      WatchRunner.layer(watchRendering).pipe(
        Layer.provide(CheckRunner.layer(offering)),
        Layer.provide([AnswerSource.layer, LiveSource.layer])
      )
    )
  ),
  Context.get(WatchRunner)
)

const onTheWay = ["no_responder", "unread", "mailbox_full", "disconnected"] as const
const ofItself = ["timeout", "receiver_failed", "too_large"] as const

it.layer(layer, { excludeTestServices: true })("a question that is lost between processes", (test) => {
  describe("of a queued ask", () => {
    test.effect.each(onTheWay)(
      "(%s) is asked again by the worker that next claims the job, and no other question is",
      (reason) =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
          const wallet = yield* purse(100)
          const webhookId = Option.some(yield* webhook(wallet))
          const { id } = yield* queueAs(wallet, asking(`lost: ${reason}`), { webhookId })
          const lossy = yield* Effect.provideServiceEffect(anotherRunner, Bus, losing("claude_api", reason))
          yield* lossy.work(yield* take(id))
          const found = Option.getOrThrow(yield* (yield* Asks).find(wallet, id))
          assert.deepInclude(found, { status: "running", result: null })
          assert.lengthOf(yield* bodiesOf(id), 0)
          assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(60), held: credits(40) })
          yield* lapse(id)
          yield* (yield* anotherRunner).work(yield* take(id))
          const { status, result } = yield* archived(wallet, id)
          assert.strictEqual(status, "completed")
          assert.isEmpty(result.providers.filter((one) => "error" in one))
          assert.strictEqual(script.asked.length, 4)
          // Three answers are cached by then, and one is fresh.
          assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(87), held: credits(0) })
          assert.lengthOf(yield* bodiesOf(id), 1)
          yield* booksInOrder
        })
    )

    test.effect.each(ofItself)("(%s), where another try cannot help, is reported at once", (reason) =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking(`not lost: ${reason}`))
        const lossy = yield* Effect.provideServiceEffect(anotherRunner, Bus, losing("claude_api", reason))
        yield* lossy.work(yield* take(id))
        const { status, result } = yield* archived(wallet, id)
        assert.strictEqual(status, "completed")
        assert.lengthOf(
          result.providers.filter((one) => "error" in one),
          1
        )
        assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(70), held: credits(0) })
      })
    )

    test.effect("is reported on the try before the last, which runs alone, if a mailbox was full each time", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("crowded four times"))
        const crowded = yield* Effect.provideServiceEffect(anotherRunner, Bus, losing("claude_api", "mailbox_full"))
        for (let n = 1; n < jobTriesMax; n++) {
          yield* crowded.work(yield* take(id))
          const { status } = Option.getOrThrow(yield* (yield* Asks).find(wallet, id))
          assert.strictEqual(status, n < jobTriesMax - 1 ? "running" : "completed")
          if (status === "running") yield* lapse(id)
        }
        const { result } = yield* archived(wallet, id)
        assert.deepStrictEqual(
          result.providers.flatMap((one) => ("error" in one ? [[one.provider, one.error.code]] : [])),
          [["anthropic", "provider_unavailable"]]
        )
      })
    )

    test.effect("is reported on the last try", () =>
      Effect.gen(function* () {
        yield* scriptPlatforms()
        const wallet = yield* purse(100)
        const { id } = yield* queueAs(wallet, asking("lost five times"))
        const lossy = yield* Effect.provideServiceEffect(anotherRunner, Bus, losing("claude_api", "disconnected"))
        for (let n = 1; n <= jobTriesMax; n++) {
          yield* lossy.work(yield* take(id))
          const { status } = Option.getOrThrow(yield* (yield* Asks).find(wallet, id))
          assert.strictEqual(status, n < jobTriesMax ? "running" : "completed")
          if (n < jobTriesMax) yield* lapse(id)
        }
        const { result } = yield* archived(wallet, id)
        assert.deepStrictEqual(
          result.providers.flatMap((one) => ("error" in one ? [[one.provider, one.error.code]] : [])),
          [["anthropic", "provider_unavailable"]]
        )
      })
    )
  })

  describe("of a watch's run", () => {
    test.effect(
      "is reported at once if a mailbox is full: another try of the run would ask the other platforms again",
      () =>
        Effect.gen(function* () {
          const script = yield* scriptPlatforms()
          const [runs, watches] = [yield* Runs, yield* Watches]
          const crowded = yield* Effect.provideServiceEffect(
            anotherWatchRunner,
            Bus,
            losing("gemini_api", "mailbox_full")
          )
          const wallet = yield* purse(1_000, "live")
          const { id } = yield* watches.create(wallet, wishes({ query: "crowded" }), Redacted.make("a secret"))
          const { id: run } = Option.getOrThrow(yield* runs.start(wallet, id))
          yield* crowded.work(Option.getOrThrow(yield* runs.claim(run)))
          assert.deepInclude((yield* runsOf(id))[0], { status: "completed", attempts: 1 })
          assert.lengthOf(script.asked, 3)
          assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(887.5), held: credits(0) })
          yield* booksInOrder
        })
    )

    test.effect.each([
      { mode: "quick", platform: "gemini_api", found: 150, told: 112.5 },
      { mode: "perplexity_live", platform: "perplexity_live", found: 85, told: 0 }
    ] as const)(
      "in mode $mode is asked again by the worker that next claims the run, or reported on the last try",
      (one) =>
        Effect.gen(function* () {
          yield* scriptPlatforms()
          const [runs, watches] = [yield* Runs, yield* Watches]
          const lossy = yield* Effect.provideServiceEffect(
            anotherWatchRunner,
            Bus,
            losing(one.platform, "disconnected")
          )
          for (const by of ["found", "told"] as const) {
            const wallet = yield* purse(1_000, "live")
            const wished = wishes({ query: `lost in ${one.mode}, then ${by}`, mode: one.mode })
            const { id } = yield* watches.create(wallet, wished, Redacted.make("a secret"))
            const { id: run } = Option.getOrThrow(yield* runs.start(wallet, id))
            const begin = Effect.map(runs.claim(run), Option.getOrThrow)
            for (let n = 1; n < jobTriesMax; n++) {
              yield* lossy.work(yield* begin)
              assert.deepInclude((yield* runsOf(id))[0], { status: "running", attempts: n })
              assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(1_000), held: credits(0) })
              yield* ageRun("lease_expires_at", "1 second", [run])
            }
            const last = by === "found" ? yield* anotherWatchRunner : lossy
            yield* last.work(yield* begin)
            assert.deepInclude((yield* runsOf(id))[0], { status: "completed", attempts: jobTriesMax })
            assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(1_000 - one[by]), held: credits(0) })
          }
          yield* booksInOrder
        })
    )
  })
})
