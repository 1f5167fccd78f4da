/**
 * What every work queue guarantees, in memory and over a real NATS server.
 *
 * Planted and seen red in memory:
 * - nothing released;
 * - a consumer that cannot be interrupted;
 * - a claim that throws instead of dying;
 * - one list for all queues;
 * - items not deduplicated, deduplicated by id only or by the sum of their counters, or forgotten as soon as they are taken.
 *
 * Planted and seen red over NATS:
 * - a message acknowledged before its claim, or whatever its outcome;
 * - an id released without a delay;
 * - no message id on the last of a chunk or on the others, or one without the turn or `again`;
 * - the last of a chunk not sent;
 * - one stream for all queues;
 * - a wait that cannot be interrupted;
 * - a subscription ended during its pull;
 * - late messages not released;
 * - "nothing yet" read as work;
 * - claims limited to one at a time;
 * - a stream that keeps acknowledged messages;
 * - the ids that came with a claimed one dropped;
 * - a failed claim forgotten because of the ids it came with;
 * - a wait for the semaphore that cannot be interrupted, or a permit not released by an interrupted consumer.
 */
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Schema } from "effect"
import { vi } from "vitest"
import { redeliveryDelayMillis } from "@sightline/actor/WorkQueue"
import { freshQueue, items, Peers, taken, workQueues } from "./workQueues.ts"

// Less than the 30 s of the server's acknowledgement timeout: an id that is handed out only after that counts as lost.
vi.setConfig({ testTimeout: 28_000 })

class NotNow extends Schema.TaggedError<NotNow>()("NotNow", {}) {}

const numbered = (count: number) => Array.from({ length: count }, (_, number) => `id-${number}`)

for (const { name, peers } of workQueues) {
  layer(peers, { excludeTestServices: true })(`work queues ${name}`, (it) => {
    it.effect("keep ids pushed before anybody takes them, roughly in order", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        const ids = numbered(1_234)
        yield* near.push(queue, items(...ids))
        assert.deepEqual(yield* taken(far, queue, ids.length), ids)
      })
    )

    it.effect("hand pushed ids to waiting consumers, and return the result of each claim", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        const wait = (peer: typeof near) =>
          Effect.forkChild(
            peer.next(queue, (id) => Effect.succeed(`${id}, claimed`)),
            { startImmediately: true }
          )
        const waiting = [yield* wait(near), yield* wait(far), yield* wait(far)]
        yield* near.push(queue, items("a", "b"))
        yield* far.push(queue, items("c"))
        const claimed = yield* Effect.forEach(waiting, (fiber) => Fiber.join(fiber))
        assert.sameMembers([...claimed], ["a, claimed", "b, claimed", "c, claimed"])
      })
    )

    it.effect("hand each id to exactly one of several consumers, and some to each of them", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        const received: Array<string> = []
        const by = new Set<string>()
        const both = yield* Deferred.make<void>()
        const [all, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const ids = numbered(300)
        const consumer = (name: string, peer: typeof near) =>
          peer.next(queue, (id) =>
            Effect.gen(function* () {
              yield* Effect.yieldNow
              if (id === "end") return yield* Deferred.succeed(end, undefined)
              by.add(name)
              if (by.size === consumers.length) yield* Deferred.succeed(both, undefined)
              // However quick the first consumer is, it leaves enough for the others.
              yield* Deferred.await(both)
              received.push(id)
              if (received.length >= ids.length) yield* Deferred.succeed(all, undefined)
            })
          )
        const consumers = [consumer("near", near), consumer("far", far)]
        for (const consumer of [...consumers, ...consumers, ...consumers, ...consumers])
          yield* Effect.forkChild(Effect.forever(consumer))
        yield* near.push(queue, items(...ids))
        yield* Deferred.await(all)
        yield* near.push(queue, items("end"))
        yield* Deferred.await(end)
        assert.sameMembers(received, ids)
      })
    )

    const broken: ReadonlyArray<readonly [string, Effect.Effect<never, NotNow>]> = [
      ["fails", new NotNow()],
      ["dies", Effect.die("a defect")],
      ["interrupts itself", Effect.interrupt]
    ]
    it.effect.each(broken)("hand an id out again if its claim %s, but not at once", ([, claim]) =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, items("first", "second"))
        const given = performance.now()
        assert.deepEqual(yield* Effect.exit(near.next(queue, () => claim)), yield* Effect.exit(claim))
        // On a machine that stalls, the first may be available again before the second is taken.
        assert.sameMembers(yield* taken(far, queue, 2), ["first", "second"])
        assert.isAtLeast(performance.now() - given, redeliveryDelayMillis * 0.9)
      })
    )

    it.effect("hand an id out again if its claim is interrupted, or throws before it begins", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, items("interrupted"))
        const begun = yield* Deferred.make<void>()
        const claiming = yield* Effect.forkChild(
          near.next(queue, () => Effect.andThen(Deferred.succeed(begun, undefined), Effect.never))
        )
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(claiming)
        assert.deepEqual(yield* taken(far, queue, 1), ["interrupted"])
        yield* near.push(queue, items("thrown"))
        const exit = yield* Effect.exit(
          near.next(queue, (): Effect.Effect<never> => {
            throw new Error("a defect")
          })
        )
        assert.isTrue(Exit.isFailure(exit))
        assert.deepEqual(yield* taken(far, queue, 1), ["thrown"])
      })
    )

    it.effect("release a consumer immediately that is interrupted while it waits", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, items("a"))
        yield* taken(far, queue, 1)
        const comeAndGo = Effect.gen(function* () {
          const waiting = yield* Effect.forkChild(taken(far, queue, 1), { startImmediately: true })
          yield* Fiber.interrupt(waiting)
        })
        // The server keeps each pull for 3 s, and a consumer that waits for another one of its process would wait for ever.
        const twice = Effect.gen(function* () {
          yield* Effect.replicateEffect(comeAndGo, 8)
          const waits = yield* Effect.forkChild(taken(far, queue, 1), { startImmediately: true })
          yield* comeAndGo
          yield* near.push(queue, items("b"))
          return yield* Fiber.join(waits)
        })
        assert.deepEqual(yield* Effect.timeout(twice, "16 seconds"), ["b"])
      })
    )

    it.effect("lose no id to a consumer that is interrupted while it waits", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        const received: Array<string> = []
        const take = (peer: typeof near) => peer.next(queue, (id) => Effect.sync(() => received.push(id)))
        const ids = numbered(50)
        for (const id of ids) {
          const waiting = yield* Effect.forkChild(take(far), { startImmediately: true })
          // A round trip, so that some consumers are interrupted before the id is sent to them, and some after.
          yield* near.push(queue, items(id))
          yield* Fiber.interrupt(waiting)
        }
        while (received.length < ids.length) yield* take(near)
        assert.sameMembers(received, ids)
      })
    )

    it.effect("treat the same id and turn as one item if it is pushed again before it is claimed", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, items("a", "a", "b"))
        yield* far.push(queue, items("a"))
        const exit = yield* Effect.exit(near.next(queue, () => Effect.fail("not now")))
        assert.isTrue(Exit.isFailure(exit))
        yield* near.push(queue, items("a", "b", "c"))
        assert.sameMembers(yield* taken(far, queue, 3), ["a", "b", "c"])
        yield* near.push(queue, items("end"))
        assert.deepEqual(yield* taken(far, queue, 1), ["end"])
      })
    )

    it.effect("hand an id out once for each turn, and once more for each value of `again`", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, [
          { id: "a", turn: 0 },
          { id: "a", turn: 1 }
        ])
        assert.deepEqual(yield* taken(far, queue, 2), ["a", "a"])
        yield* near.push(queue, [{ id: "a", turn: 2 }])
        assert.deepEqual(yield* taken(far, queue, 1), ["a"])
        yield* near.push(queue, [{ id: "a", turn: 2, again: 1 }])
        assert.deepEqual(yield* taken(far, queue, 1), ["a"])
        yield* near.push(queue, [
          { id: "b", turn: 1 },
          { id: "b", turn: 0, again: 1 }
        ])
        assert.deepEqual(yield* taken(far, queue, 2), ["b", "b"])
      })
    )

    it.effect("hand ids of one push to as many consumers concurrently", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        const ids = numbered(10)
        const received: Array<string> = []
        const all = yield* Deferred.make<void>()
        const claim = (id: string) =>
          Effect.gen(function* () {
            if (received.push(id) === ids.length) yield* Deferred.succeed(all, undefined)
            yield* Deferred.await(all)
          })
        const consumers = yield* Effect.forEach(ids, () => Effect.forkChild(near.next(queue, claim)))
        yield* far.push(queue, items(...ids), 4)
        for (const consumer of consumers) yield* Fiber.join(consumer)
        assert.sameMembers(received, ids)
        yield* far.push(queue, items("end"), 4)
        assert.deepEqual(yield* taken(far, queue, 1), ["end"])
      })
    )

    it.effect("hand an id out again if its claim fails and the others of its push are claimed", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const queue = freshQueue()
        yield* near.push(queue, items("a", "b", "c"), 3)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(near.next(queue, () => Effect.fail("not now")))))
        assert.deepEqual(yield* taken(near, queue, 2), ["b", "c"])
        const again = yield* Effect.repeat(far.next(queue, Effect.succeed), { until: (id) => id === "a" })
        assert.strictEqual(again, "a")
      })
    )

    it.effect("separate queues by name", () =>
      Effect.gen(function* () {
        const { near, far } = yield* Peers
        const [one, other] = [freshQueue(), freshQueue()]
        yield* near.push(one, items("here"))
        yield* near.push(other, items("there", "here"))
        assert.deepEqual(yield* taken(far, other, 2), ["there", "here"])
        assert.deepEqual(yield* taken(far, one, 1), ["here"])
        yield* near.push(one, items("end"))
        assert.deepEqual(yield* taken(far, one, 1), ["end"])
      })
    )

    it.effect("accept an empty push", () =>
      Effect.gen(function* () {
        const { near } = yield* Peers
        yield* near.push(freshQueue(), [])
      })
    )
  })
}
