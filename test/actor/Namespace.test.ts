/**
 * Two installations on one bus.
 *
 * Planted and seen red: `within` without effect on the subject of `request`, of `publish` or of `listen`.
 */
import { it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { assert } from "vitest"
import { Bus, within } from "@sightline/actor/Bus"

it.layer(Bus.layerMemory, { excludeTestServices: true })("within", (test) => {
  test.effect("a request within one name is answered within it, and not within another", () =>
    Effect.gen(function* () {
      const bus = yield* Bus
      const [here, there] = [within("here", bus), within("there", bus)]
      const pull = yield* Stream.toPull(here.subscribe("ask"))
      yield* Effect.forkChild(
        Effect.flatMap(pull, (envelopes) => Effect.forEach(envelopes, ({ reply }) => reply("answered")))
      )
      const refused = yield* Effect.flip(there.request("ask", "", "1 second"))
      assert.strictEqual(refused.reason, "no_responder")
      assert.strictEqual(yield* here.request("ask", "", "1 second"), "answered")
    }).pipe(Effect.scoped)
  )

  test.effect("a broadcast within one name is heard only within it", () =>
    Effect.gen(function* () {
      const bus = yield* Bus
      const [here, there] = [within("here", bus), within("there", bus)]
      const pull = yield* Stream.toPull(here.listen("news"))
      const heard = yield* Effect.forkChild(pull)
      yield* there.publish("news", "from there")
      yield* here.publish("news", "from here")
      assert.deepEqual([...(yield* Fiber.join(heard))], ["from here"])
    }).pipe(Effect.scoped)
  )
})
