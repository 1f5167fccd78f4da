/**
 * Runs of watches from claim to delivery, over a real store, an in-process bus and scripted platforms.
 *
 * Planted faults, each seen red:
 * - answers from the cache
 * - an outage compared as the previous run
 * - the run of a poor wallet failed instead of skipped
 * - a run never given up, or given up one try early
 * - a delivery without a trigger
 * - evidence started anew with each run; every change counted as evidence
 * - the current result delivered as the previous one
 * - a second settlement accepted
 * - a run in a mode that is not on offer left open
 * - a run failed because its hold was lost
 * - a run ended by its former worker
 * - the senders not notified, too early, or under another name
 * - a page considered changed because of how it is cited, or unchanged because it has no URL
 * - no renewal, one in 35 s, one for an earlier try
 * - a delay measured with each try, or not at all
 * - the hold of an earlier try left to the sweeper; only the last try's hold released, or all but that one
 * - the order of the triggers lost in the run's row
 * - the charges of two runs of one moment mistaken for the same
 */
import { it } from "@effect/vitest"
import type { Answer } from "@sightline/domain/Answer"
import { credits, toCents, zero } from "@sightline/domain/Credits"
import { type EvidenceState, noEvidence, weigh } from "@sightline/domain/Evidence"
import { LlmPlatform, type Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import { Trigger, WatchResult } from "@sightline/domain/Watch"
import { AnswerSource } from "@sightline/engine/AnswerSource"
import { Auditor } from "@sightline/engine/Auditor"
import { type CheckOrder, CheckRunner } from "@sightline/engine/CheckRunner"
import { LiveSource } from "@sightline/engine/LiveSource"
import { WatchRunner } from "@sightline/engine/WatchRunner"
import { watchRendering } from "@sightline/server/handlers/WatchRendering"
import { Charges } from "@sightline/store/Charges"
import { Runs } from "@sightline/store/Runs"
import { Usage } from "@sightline/store/Usage"
import { Wallets } from "@sightline/store/Wallets"
import { Watches, type WatchInput } from "@sightline/store/Watches"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Metric, Option, Queue, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { assert, describe } from "vitest"
import { expire } from "../store/purse.ts"
import { ageRun, deliveriesOf, runsOf, wishes } from "../store/watching.ts"
import { deliveriesWhenNoticed, heldUp } from "./noticed.ts"
import { answer, failed, layerScripted, offering, outcomeOf, purse, scriptPlatforms } from "./scripted.ts"

const runner = WatchRunner.layer(watchRendering).pipe(
  Layer.provideMerge(
    Layer.fresh(CheckRunner.layer(offering)).pipe(Layer.provide([AnswerSource.layer, LiveSource.layer]))
  )
)

const layer = runner.pipe(
  Layer.provideMerge(
    Layer.mergeAll(Runs.layer, Usage.layer, Watches.layer(Redacted.make(new Uint8Array(32)))).pipe(
      Layer.provideMerge(layerScripted)
    )
  )
)

/** What a platform says: the rank of the brand, null if it is not named, or a failure; and the pages it cites. */
interface Said {
  readonly rank: number | null | "failed"
  readonly cites?: ReadonlyArray<string>
}

const others = ["Globex", "Initech", "Umbrella"]

const answerOf = (rank: number | null, cites: ReadonlyArray<string>): Answer => {
  const brands = [...others]
  if (rank !== null) brands.splice(rank - 1, 0, "Acme")
  return {
    ...answer,
    text: brands.map((brand, place) => `${place + 1}. **${brand}** is on the list.`).join("\n"),
    citations: cites.map((url) => ({ url, title: url }))
  }
}

/** Platforms that say this; those not named do not mention the brand. */
const say = (said: Partial<Readonly<Record<Platform, Said>>>) =>
  scriptPlatforms((platform) => {
    const { rank, cites = [] } = said[platform] ?? { rank: null }
    return rank === "failed" ? Effect.fail(failed(platform)) : Effect.succeed(answerOf(rank, cites))
  })

const every = (one: Said) => Object.fromEntries(LlmPlatform.literals.map((platform) => [platform, one]))

let queries = 0

/** A watch of a question that is in no cache. */
const watching = Effect.fnUntraced(function* (more: Partial<WatchInput> = {}, owner?: Wallet) {
  const wallet = owner ?? (yield* purse(10_000))
  const wished = wishes({ query: `watched ${queries++}`, triggerOn: Trigger.literals, ...more })
  const watch = yield* (yield* Watches).create(wallet, wished, Redacted.make("a secret of the receiver"))
  return { wallet, watch, id: watch.id }
})

type Watched = Effect.Success<ReturnType<typeof watching>>

/** A run that is claimed. */
const taken = Effect.fnUntraced(function* ({ wallet, id }: Watched) {
  const runs = yield* Runs
  const { id: runId } = Option.getOrThrow(yield* runs.start(wallet, id))
  return Option.getOrThrow(yield* runs.claim(runId))
})

/** Lets the lease of a run expire and claims it again. */
const takenOver = (id: string) =>
  Effect.andThen(
    ageRun("lease_expires_at", "1 second", [id]),
    Runs.use(({ claim }) => Effect.map(claim(id), Option.getOrThrow))
  )

/** A run claimed again `vain` times, whose platforms have been asked and wait to be released. */
const underWay = Effect.fnUntraced(function* (work: WatchRunner["Service"]["work"], owner?: Wallet, vain = 0) {
  const watched = yield* watching({}, owner)
  const [arrived, release] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const slow = Effect.andThen(Deferred.succeed(arrived, undefined), Deferred.await(release))
  yield* scriptPlatforms(() => Effect.as(slow, answerOf(3, [])))
  let first = yield* taken(watched)
  for (let nth = 0; nth < vain; nth++) first = yield* takenOver(first.id)
  const late = yield* Effect.forkChild(work(first))
  yield* Deferred.await(arrived)
  return { first, late, release, watched }
})

const Fired = Schema.fromJsonString(
  Schema.Struct({
    trigger: Schema.String,
    triggers_fired: Schema.Array(Schema.String),
    diff_summary: Schema.String,
    fired_at: Schema.String,
    delta: Schema.Struct({
      new_brands: Schema.Array(Schema.String),
      dropped_brands: Schema.Array(Schema.String),
      rank_changes: Schema.Array(Schema.Struct({ from_rank: Schema.Int, to_rank: Schema.Int }))
    }),
    previous_response: Schema.NullOr(
      Schema.Array(Schema.Struct({ brand: Schema.String, provider: Schema.String, rank: Schema.Int }))
    ),
    evidence: Schema.optionalKey(Schema.Struct({ runs_since: Schema.Int, by_trigger: Schema.Json }))
  })
)

/** Does a run while platforms say this: its row, and the payload of its delivery, if there is one. */
const runWhen = Effect.fnUntraced(function* (watched: Watched, said: Partial<Readonly<Record<Platform, Said>>>) {
  const script = yield* say(said)
  const run = yield* taken(watched)
  yield* (yield* WatchRunner).work(run)
  const row = (yield* runsOf(watched.id)).find(({ id }) => id === run.id) ?? assert.fail("no run")
  const deliveries = yield* deliveriesOf(run.id)
  assert.strictEqual(deliveries.length, row.triggersFired.length === 0 ? 0 : 1)
  const fired = yield* Effect.forEach(deliveries, ({ body }) =>
    Schema.decodeEffect(Fired)(Buffer.from(body).toString())
  )
  return { row, asked: script.asked.length, fired: fired[0] }
})

const triggersWhen = (watched: Watched, said: Partial<Readonly<Record<Platform, Said>>>) =>
  Effect.map(runWhen(watched, said), ({ row }) => row.triggersFired)

/** Does runs while platforms say this until one fires, three at most. Returns that run's id. */
const firedFirst = Effect.fnUntraced(function* (
  watched: Watched,
  said: Partial<Readonly<Record<Platform, Said>>>
): Effect.fn.Return<string, Effect.Error<ReturnType<typeof runWhen>>, Effect.Services<ReturnType<typeof runWhen>>> {
  for (let round = 0; round < 3; round++) {
    const { row } = yield* runWhen(watched, said)
    if (row.triggersFired.length > 0) return row.id
  }
  return assert.fail("it did not fire")
})

const balanceOf = (wallet: Wallet) => Effect.flatMap(Wallets, (wallets) => wallets.balanceOf(wallet))

it.layer(layer, { excludeTestServices: true })("WatchRunner", (test) => {
  describe("a run is a check like any other", () => {
    test.effect("priced by what answered, in the usage and in the audit", () =>
      Effect.gen(function* () {
        const watched = yield* watching()
        yield* runWhen(watched, every({ rank: 1 }))
        yield* runWhen(watched, { ...every({ rank: 1 }), claude_api: { rank: "failed" } })
        yield* runWhen(watched, every({ rank: "failed" }))
        const costs = Effect.map((yield* Runs).page(watched.id, { limit: 10 }), ({ rows }) =>
          rows.map(({ status, cost }) => [status, toCents(cost ?? zero)])
        )
        assert.deepStrictEqual(yield* costs, [
          ["completed", 0],
          ["completed", 112.5],
          ["completed", 150]
        ])
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(10_000 - 262.5), held: zero })
        const at = yield* DateTime.now
        const { kinds } = yield* (yield* Usage).of({
          wallet: watched.wallet,
          start: DateTime.subtract(at, { hours: 1 }),
          end: DateTime.add(at, { hours: 1 }),
          granularity: "total"
        })
        assert.lengthOf(kinds, 1)
        assert.deepInclude(kinds[0], { endpoint: "check", mode: "quick", cost: credits(262.5) })
        assert.deepStrictEqual((yield* (yield* Auditor).audit).differences, [])
      })
    )

    test.effect(
      "with a charge of its own, even if its id differs from that of a simultaneous run only in the last digit",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
          yield* say(every({ rank: 1 }))
          const [one, other] = [yield* watching(), yield* watching()]
          const { id } = Option.getOrThrow(yield* runs.start(one.wallet, one.id))
          const { id: begun } = Option.getOrThrow(yield* runs.start(other.wallet, other.id))
          const alike = `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`
          yield* sql`UPDATE runs SET id = ${alike} WHERE id = ${begun}`
          for (const run of [id, alike]) yield* work(Option.getOrThrow(yield* runs.claim(run)))
          const rows = [...(yield* runsOf(one.id)), ...(yield* runsOf(other.id))]
          for (const row of rows) assert.strictEqual(row.status, "completed")
          assert.strictEqual(new Set(rows.map(({ chargeId }) => chargeId)).size, 2)
        })
    )

    test.effect("but asked afresh, whatever is cached; its answers are cached for others", () =>
      Effect.gen(function* () {
        const watched = yield* watching()
        const { query, brand } = watched.watch
        const check = Effect.flatMap(CheckRunner, (checks) =>
          outcomeOf((reply: CheckOrder["reply"]) =>
            checks.run({
              wallet: watched.wallet,
              check: { query, brand, mode: "quick", platforms: LlmPlatform.literals, region: "us", models: {} },
              claim: Option.none(),
              reply
            })
          )
        )
        yield* say(every({ rank: 3 }))
        yield* check
        for (const rank of [1, 2]) {
          const { asked } = yield* runWhen(watched, every({ rank }))
          assert.strictEqual(asked, 4)
          const script = yield* say(every({ rank: null }))
          const { outcome } = yield* check
          assert.deepStrictEqual([script.asked.length, outcome.cache, toCents(outcome.charge)], [0, "hit-l1", 5])
          for (const { visibility } of outcome.sightings) assert.strictEqual(visibility.rank, rank)
        }
      })
    )

    test.effect("in its live mode if that is on offer; otherwise it fails and costs nothing", () =>
      Effect.gen(function* () {
        const wallet = yield* purse(1000, "live")
        const [offered, missing] = [
          yield* watching({ mode: "perplexity_live" }, wallet),
          yield* watching({ mode: "chatgpt_live" }, wallet)
        ]
        const { row } = yield* runWhen(offered, { perplexity_live: { rank: 1 } })
        assert.deepInclude(row, { status: "completed", triggersFired: ["mention_added"] })
        const none = yield* runWhen(missing, { chatgpt_live: { rank: 1 } })
        assert.deepInclude(none.row, { status: "failed", chargeId: null })
        assert.strictEqual(none.asked, 0)
        assert.deepStrictEqual(yield* balanceOf(wallet), { available: credits(915), held: zero })
      })
    )

    test.effect("skipped if the wallet cannot pay: no platform is asked, no money moves, nothing is delivered", () =>
      Effect.gen(function* () {
        const watched = yield* watching({}, yield* purse(149))
        const { row, asked } = yield* runWhen(watched, every({ rank: 1 }))
        assert.deepInclude(row, { status: "skipped_insufficient_balance", chargeId: null })
        assert.strictEqual(asked, 0)
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(149), held: zero })
        yield* (yield* Wallets).topUp({ wallet: watched.wallet, amount: credits(1) })
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: 1 })), ["mention_added"])
      })
    )
  })

  describe("what a run fires", () => {
    test.effect("is mention_added or nothing in the first run, without a previous result", () =>
      Effect.gen(function* () {
        const absent = yield* watching()
        const cites = ["https://a.com/"]
        assert.deepStrictEqual(yield* triggersWhen(absent, every({ rank: null, cites })), [])
        const named = yield* watching()
        const { fired } = yield* runWhen(named, every({ rank: 2, cites }))
        assert.deepStrictEqual(fired?.triggers_fired, ["mention_added"])
        assert.isNull(fired?.previous_response)
        assert.deepStrictEqual(fired?.delta.new_brands, ["Acme"])
        assert.isFalse(Number.isNaN(Date.parse(fired?.fired_at ?? "")))
      })
    )

    test.effect("is the difference from the previous run, delivered with that run's result", () =>
      Effect.gen(function* () {
        const watched = yield* watching()
        const two = { chatgpt_api: { rank: 1, cites: ["https://a.com/"] }, claude_api: { rank: 2 } }
        yield* runWhen(watched, two)
        assert.deepStrictEqual(yield* triggersWhen(watched, two), [])
        const { fired, row } = yield* runWhen(watched, {
          chatgpt_api: { rank: 3, cites: ["https://b.com/"] },
          gemini_api: { rank: 1 }
        })
        assert.deepStrictEqual([fired?.triggers_fired, row.triggersFired], [Trigger.literals, Trigger.literals])
        assert.strictEqual(fired?.trigger, "mention_added")
        assert.deepStrictEqual(fired?.delta, {
          new_brands: ["Acme"],
          dropped_brands: ["Acme"],
          rank_changes: [{ from_rank: 1, to_rank: 3 }]
        })
        assert.deepStrictEqual(
          fired?.previous_response?.map(({ rank }) => rank),
          [1, 2]
        )
        assert.isAbove(fired?.diff_summary.length ?? 0, 0)
      })
    )

    test.effect("excludes a page cited under another form of its URL; a source without a URL is compared as text", () =>
      Effect.gen(function* () {
        const watched = yield* watching({ triggerOn: ["citation_changed"] })
        for (const [url, triggers] of [
          ["https://www.a.com/shoes/?utm_source=openai", []],
          ["http://a.com/shoes", []],
          ["a.com, page 1", ["citation_changed"]],
          ["a.com, page 2", ["citation_changed"]]
        ] as const) {
          assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: 1, cites: [url] })), triggers, url)
        }
      })
    )

    test.effect("is limited to the triggers that the watch asks for", () =>
      Effect.gen(function* () {
        const watched = yield* watching({ triggerOn: ["mention_removed"] })
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: 1 })), [])
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: 2 })), [])
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: null })), ["mention_removed"])
      })
    )

    test.effect("and could not be delivered fires again in the next run, if it lasts", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const sensitivity of ["every_change", "evidence"] as const) {
          const watched = yield* watching({ sensitivity, triggerOn: ["mention_removed"] })
          for (let round = 0; round < 8; round++) yield* runWhen(watched, every({ rank: 1 }))
          const untold = yield* firedFirst(watched, every({ rank: null }))
          // While the delivery is pending, the change does not fire again.
          for (let round = 0; round < 2; round++)
            assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: null })), [])
          yield* sql`UPDATE deliveries SET status = 'failed' WHERE run_id = ${untold}`
          const runId = yield* firedFirst(watched, every({ rank: null }))
          yield* sql`UPDATE deliveries SET status = 'delivered' WHERE run_id = ${runId}`
          assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: null })), [])
        }
      })
    )

    test.effect("is never a removal where a platform failed; a full outage is no change and hides none", () =>
      Effect.gen(function* () {
        const watched = yield* watching()
        yield* runWhen(watched, every({ rank: 1 }))
        assert.deepStrictEqual(
          yield* triggersWhen(watched, { ...every({ rank: 1 }), claude_api: { rank: "failed" } }),
          []
        )
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: "failed" })), [])
        assert.deepStrictEqual(yield* triggersWhen(watched, every({ rank: "failed" })), [])
        const { fired } = yield* runWhen(watched, every({ rank: null }))
        assert.deepStrictEqual(fired?.triggers_fired, ["mention_removed"])
        assert.lengthOf(fired?.previous_response ?? [], 3)
      })
    )

    test.effect("with evidence is only what the watch's own noise does not explain, accumulated from run to run", () =>
      Effect.gen(function* () {
        const watched = yield* watching({ sensitivity: "evidence", triggerOn: ["mention_added", "mention_removed"] })
        let state: EvidenceState = noEvidence
        const expected: Array<ReadonlyArray<Trigger>> = []
        const seen: Array<ReadonlyArray<string>> = []
        for (let round = 0; round < 22; round++) {
          // One platform flickers; then none names the brand, except for one run in which all fail.
          const flicker = round % 3 === 0 ? null : 1
          const said = round < 14 ? { ...every({ rank: 1 }), claude_api: { rank: flicker } } : every({ rank: null })
          const { row, fired } = yield* runWhen(watched, round === 15 ? every({ rank: "failed" }) : said)
          const weighed = weigh(state, yield* Schema.decodeUnknownEffect(WatchResult)(row.result))
          state = weighed.state
          // A run without any answer stores no evidence: the next run starts from the state before it.
          const left = round === 15 ? null : JSON.parse(JSON.stringify(state))
          assert.deepStrictEqual(row.evidence, left, `round ${round}`)
          expected.push(
            watched.watch.triggerOn.filter((one) => weighed.findings.some(({ trigger }) => trigger === one))
          )
          seen.push(row.triggersFired)
          if (fired !== undefined) assert.isDefined(fired.evidence)
        }
        assert.deepStrictEqual(seen, expected)
        assert.deepStrictEqual(seen.slice(0, 14).flat(), [])
        assert.deepStrictEqual(seen.slice(14).flat(), ["mention_removed"])
        yield* SqlClient.SqlClient.use(
          (sql) => sql`UPDATE deliveries SET status = 'delivered' WHERE watch_id = ${watched.id}`
        )
        yield* runWhen(watched, every({ rank: null }))
        assert.lengthOf(
          (yield* runsOf(watched.id)).filter(({ evidence }) => evidence !== null),
          1
        )
      })
    )
  })

  test.effect("the senders are notified of a delivery at once, once it is stored", () =>
    Effect.gen(function* () {
      const watched = yield* watching()
      const found = yield* deliveriesWhenNoticed(watched.wallet)
      const { row } = yield* heldUp(runWhen(watched, every({ rank: 1 })))
      assert.deepEqual(row.triggersFired, ["mention_added"])
      assert.strictEqual(yield* Deferred.await(found), 1)
    })
  )

  test.effect("the delay of a run is measured at its first begin only", () =>
    Effect.gen(function* () {
      const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
      const delays = Effect.map(Metric.snapshot, (all) => {
        const found = all.find(({ id }) => id === "sightline_run_delay_seconds")
        return found?.type === "Histogram" ? found.state : { count: 0, sum: 0 }
      })
      yield* say(every({ rank: 1 }))
      const first = yield* taken(yield* watching())
      yield* ageRun("lease_expires_at", "1 second", [first.id])
      const [before, second] = [yield* delays, Option.getOrThrow(yield* runs.claim(first.id))]
      for (const run of [first, second]) {
        yield* work({ ...run, late: 100 })
        assert.deepInclude(yield* delays, { count: before.count + 1, sum: before.sum + 100 })
      }
    })
  )

  describe("a worker that is lost during its run", () => {
    test.effect("leaves the run to another, which does all of it; it is charged once", () =>
      Effect.gen(function* () {
        const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
        const watched = yield* watching()
        const arrived = yield* Deferred.make<void>()
        yield* scriptPlatforms(() => Effect.andThen(Deferred.succeed(arrived, undefined), Effect.never))
        const first = yield* taken(watched)
        const lost = yield* Effect.forkChild(work(first))
        yield* Deferred.await(arrived)
        assert.strictEqual((yield* balanceOf(watched.wallet)).held, credits(150))
        yield* Fiber.interrupt(lost)
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(10_000), held: zero })
        assert.deepStrictEqual(yield* runs.claim(first.id), Option.none())
        yield* ageRun("lease_expires_at", "1 second", [first.id])
        yield* say(every({ rank: 1 }))
        yield* work(Option.getOrThrow(yield* runs.claim(first.id)))
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 2 })
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(9850), held: zero })
      })
    )

    test.effect.each([
      [0, 1],
      [1, 0]
    ] as const)(
      "and returns after another did its run changes nothing, with %i and %i lost tries before and between: one charge, one delivery",
      ([before, between]) =>
        Effect.gen(function* () {
          const { work } = yield* WatchRunner
          // The wallet can pay for one hold only.
          const { first, late, release, watched } = yield* underWay(work, yield* purse(150), before)
          for (let nth = 0; nth < between; nth++) yield* takenOver(first.id)
          yield* say(every({ rank: 1 }))
          yield* work(yield* takenOver(first.id))
          const done = yield* runsOf(watched.id)
          assert.deepInclude(done[0], { status: "completed", attempts: 3 })
          yield* Deferred.succeed(release, undefined)
          yield* Fiber.join(late)
          assert.deepStrictEqual(yield* runsOf(watched.id), done)
          assert.lengthOf(yield* deliveriesOf(first.id), 1)
          assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: zero, held: zero })
          assert.deepStrictEqual((yield* (yield* Auditor).audit).differences, [])
        })
    )

    test.effect("and cannot pay for a second hold leaves the run alone", () =>
      Effect.gen(function* () {
        const { work } = yield* WatchRunner
        const { first: second, late, release, watched } = yield* underWay(work, yield* purse(150), 1)
        yield* work({ ...second, attempt: 1, tries: 1 })
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "running", attempts: 2 })
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(late)
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 2 })
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: zero, held: zero })
      })
    )

    test.effect("four times does not stop the fifth try from completing the run", () =>
      Effect.gen(function* () {
        const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
        const watched = yield* watching()
        yield* say(every({ rank: 1 }))
        let run = yield* taken(watched)
        while (run.attempt < 5) {
          yield* ageRun("lease_expires_at", "1 second", [run.id])
          run = Option.getOrThrow(yield* runs.claim(run.id))
        }
        yield* work(run)
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 5 })
      })
    )

    test.effect("because it gave its job back has used no try, however often", () =>
      Effect.gen(function* () {
        const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
        const watched = yield* watching()
        yield* say(every({ rank: 1 }))
        let run = yield* taken(watched)
        while (run.attempt < 8) {
          yield* runs.release(run)
          run = Option.getOrThrow(yield* runs.claim(run.id))
        }
        yield* work(run)
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 8 })
      })
    )

    test.effect("so long that its hold was released leaves the run to the next worker that claims it", () =>
      Effect.gen(function* () {
        const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
        const { first, late, release, watched } = yield* underWay(work)
        const sql = yield* SqlClient.SqlClient
        const [held] = yield* sql<{ id: string }>`
          SELECT id FROM charges WHERE account_id = ${watched.wallet.accountId} AND state = 'held'`
        yield* expire(held?.id ?? assert.fail("no hold"))
        assert.strictEqual(yield* Charges.use(({ sweepExpired }) => sweepExpired), 1)
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(late)
        yield* ageRun("lease_expires_at", "1 second", [first.id])
        yield* work(Option.getOrThrow(yield* runs.claim(first.id)))
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 2 })
        assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(9850), held: zero })
      })
    )

    test.effect("is not assumed while its work lasts: the lease is renewed every 10 s", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const renewals = yield* Queue.unbounded<boolean>()
        const renew: Runs["Service"]["renew"] = (job) =>
          Effect.tap(runs.renew(job), (renewed) => Queue.offer(renewals, renewed))
        const built = yield* Effect.provideService(Layer.build(Layer.fresh(runner)), Runs, { ...runs, renew })
        const { work } = Context.get(built, WatchRunner)
        const { first, late, release, watched } = yield* underWay(work)
        yield* Fiber.interrupt(late)
        yield* ageRun("lease_expires_at", "1 second", [first.id])
        const second = yield* Effect.forkChild(work(Option.getOrThrow(yield* runs.claim(first.id))))
        const sql = yield* SqlClient.SqlClient
        // The test clock passes the time between renewals; the leases run on the database's clock.
        for (let round = 0; round < 3; round++) {
          yield* ageRun("lease_expires_at", "-5 seconds", [first.id])
          yield* TestClock.adjust("10 seconds")
          assert.isTrue(yield* Queue.take(renewals))
          assert.lengthOf(
            yield* sql`SELECT FROM runs WHERE id = ${first.id} AND lease_expires_at > clock_timestamp() + interval '20 seconds'`,
            1
          )
        }
        yield* Deferred.succeed(release, undefined)
        yield* Fiber.join(second)
        assert.deepInclude((yield* runsOf(watched.id))[0], { status: "completed", attempts: 2 })
      }).pipe(Effect.provide(TestClock.layer()))
    )

    test.effect(
      "five times has its run given up at the sixth: it fails, no platform is asked, nothing is charged",
      () =>
        Effect.gen(function* () {
          const [runs, work] = [yield* Runs, (yield* WatchRunner).work]
          const watched = yield* watching()
          const script = yield* say(every({ rank: 1 }))
          const run = yield* taken(watched)
          for (let attempt = 2; attempt <= 6; attempt++) {
            yield* ageRun("lease_expires_at", "1 second", [run.id])
            const again = Option.getOrThrow(yield* runs.claim(run.id))
            assert.strictEqual(again.attempt, attempt)
            if (attempt === 6) yield* work(again)
          }
          assert.deepInclude((yield* runsOf(watched.id))[0], { status: "failed", chargeId: null })
          assert.strictEqual(script.asked.length, 0)
          assert.deepStrictEqual(yield* balanceOf(watched.wallet), { available: credits(10_000), held: zero })
        })
    )
  })
})
