/**
 * Which checks count in a wallet's visibility figures. The figures themselves are tested in `test/http/visibility.test.ts`.
 *
 * Planted faults, each seen red:
 * - a check at the end of the window counted; one at its start not
 * - checks of the other environment counted, by any of the statements
 * - a result shared by several checks counted once
 * - a record without a shared result skipped
 * - names beyond the commonest lost, listed singly, or chosen alphabetically
 * - the followed brand counted among the others
 */
import { assert, layer } from "@effect/vitest"
import type { Wallet } from "@sightline/domain/Wallet"
import { Charges } from "@sightline/store/Charges"
import { Visibility } from "@sightline/store/Visibility"
import { DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes, randomUUID } from "node:crypto"
import { ending, layerMoney, order, seenAs, wallet } from "./purse.ts"

const name = { brand: "Acme", query: "best shoes" }

/** A check at that time that saw the brand, in the text with that hash. */
const check = Effect.fnUntraced(function* (purse: Wallet, moment: string, hash: string | null = null) {
  const id = randomUUID()
  const snapshot = seenAs({
    result: { sightings: [], failures: [] },
    platforms: ["ai_mode"],
    mentioned: [true],
    ranks: [1],
    texts: [hash],
    sites: ["a.com"]
  })
  const record = { id, ...name, region: "us" as const, request: {}, durationMs: 1, snapshot }
  yield* (yield* Charges).charge({ ...order(purse), ...ending(4), check: record })
  yield* SqlClient.SqlClient.use(
    (sql) => sql`UPDATE check_records SET created_at = ${moment}::timestamptz WHERE id = ${id}`
  )
})

const windowOf = (wallet: Wallet) => ({
  wallet,
  ...name,
  start: DateTime.makeUnsafe("2026-01-01T00:00:00Z"),
  end: DateTime.makeUnsafe("2026-01-02T00:00:00Z")
})

/** The numbers of checks, of answers, and of answers that cite a site. */
const counts = Effect.fnUntraced(function* (purse: Wallet) {
  const visibility = yield* Visibility
  const window = windowOf(purse)
  const [answers, sites] = [yield* visibility.answers(window, "day"), yield* visibility.sites(window)]
  return [yield* visibility.checks(window), ...[answers, sites].map((rows) => rows.map((row) => row.answers))]
})

layer(Visibility.layer.pipe(Layer.provideMerge(layerMoney)), { excludeTestServices: true })("Visibility", (it) => {
  it.effect("counts checks from the start of a window up to, but not including, its end", () =>
    Effect.gen(function* () {
      const purse = yield* wallet(1000)
      yield* check(purse, "2025-12-31T23:59:59.999999Z")
      yield* check(purse, "2026-01-01T00:00:00Z")
      assert.deepStrictEqual(yield* counts(purse), [1, [1], [1]])
      yield* check(purse, "2026-01-01T23:59:59.999999Z")
      yield* check(purse, "2026-01-02T00:00:00Z")
      assert.deepStrictEqual(yield* counts(purse), [2, [2], [2]])
    })
  )

  it.effect("counts the checks of one environment", () =>
    Effect.gen(function* () {
      const visibility = yield* Visibility
      const purse = yield* wallet(1000, "test")
      const other = { ...purse, environment: "live" } as const
      yield* check(purse, "2026-01-01T00:00:00Z")
      assert.deepStrictEqual(yield* counts(purse), [1, [1], [1]])
      assert.deepStrictEqual(yield* counts(other), [0, [], []])
      assert.lengthOf(yield* visibility.pairs(purse), 1)
      assert.deepStrictEqual(yield* visibility.pairs(other), [])
      assert.deepStrictEqual(yield* visibility.latest(purse), Option.some(name))
      assert.deepStrictEqual(yield* visibility.latest(other), Option.none())
    })
  )

  it.effect("lists the 200 commonest names of a platform, the followed brand first, and sums up the others", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const purse = yield* wallet(1000)
      const texts = [["Common"], Array.from({ length: 220 }, (_, nth) => `Brand ${String(nth).padStart(3, "0")}`)]
      for (const [nth, brands] of texts.entries()) {
        const hash = randomBytes(32).toString("hex")
        yield* sql`INSERT INTO answer_texts VALUES (decode(${hash}, 'hex'), ${`text ${nth}`}, ${brands}::text[], clock_timestamp())`
        yield* check(purse, "2026-01-01T00:00:00Z", hash)
        if (nth === 0) yield* check(purse, "2026-01-01T01:00:00Z", hash)
      }
      const named = yield* (yield* Visibility).brands(windowOf(purse))
      const answersOf = new Map(named.map(({ name, answers }) => [name, answers]))
      assert.deepStrictEqual(
        ["", "Common", "Brand 000", "Brand 197", "Brand 198", null].map((name) => answersOf.get(name)),
        [3, 2, 1, 1, undefined, 22]
      )
      assert.lengthOf(named, 201)
    })
  )

  it.effect(
    "counts a result once for each check that shares it, including older records with a result of their own",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const visibility = yield* Visibility
        const purse = yield* wallet(1000)
        for (const hour of ["01", "01", "02"]) yield* check(purse, `2026-01-01T${hour}:00:00Z`)
        yield* sql`
        UPDATE check_records k SET (result_id, result, platforms, mentioned, ranks, texts, sites, pages) =
          (SELECT NULL::bigint, r.result, r.platforms, r.mentioned, r.ranks, r.texts, r.sites, r.pages FROM check_results r WHERE r.id = k.result_id)
        WHERE id = (SELECT id FROM check_records WHERE account_id = ${purse.accountId} ORDER BY created_at LIMIT 1)`
        assert.deepStrictEqual(yield* counts(purse), [3, [3], [3]])
        const hours = yield* visibility.answers(windowOf(purse), "hour")
        const snapshot = hours.map(({ answers, mentions, ranked, rankSum }) => [answers, mentions, ranked, rankSum])
        assert.sameDeepMembers(snapshot, [
          [2, 2, 2, 2],
          [1, 1, 1, 1]
        ])
      })
  )
})
