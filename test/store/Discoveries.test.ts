/**
 * Planted faults, each seen red:
 * - kept for 8 days, or for 6
 * - the first result, or its age, kept when it is stored again
 * - scope, industry, count or language left out of the key; fields joined without a boundary
 * - case of the language, whitespace or decomposed letters counted as a difference
 * - an unreadable row treated as a defect
 * - more than a thousand pruned at once; young rows pruned
 * - a row found whose time is ahead because the clock was set back
 */
import { assert, layer } from "@effect/vitest"
import { Array, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Candidate, Discovery } from "@sightline/domain/Discover"
import { Discoveries, type Discovered } from "@sightline/store/Discoveries"
import { layerDatabase } from "./database.ts"

const discovery = (more: Partial<Discovery> = {}): Discovery => ({
  brand: randomUUID(),
  count: 50,
  language: "en",
  ...more
})

const candidate = (query: string): Candidate => ({ query, intent: "commercial", score: 0.125, rationale: "So." })
const discovered = (...queries: ReadonlyArray<string>): Discovered => ({
  candidates: queries.map(candidate),
  outcomes: { chatgpt_api: "ok", claude_api: "ok" }
})

const store = (one: Discovery, found: Discovered, scope = "shared") =>
  Discoveries.use((discoveries) => discoveries.store(scope, one, found))
const find = (one: Discovery, scope = "shared") => Discoveries.use((discoveries) => discoveries.find(scope, one))
const prune = Discoveries.use((discoveries) => discoveries.prune)

const rows = SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM discoveries`)
const age = (interval: string) =>
  SqlClient.SqlClient.use((sql) => sql`UPDATE discoveries SET stored_at = stored_at - ${interval}::interval`)
const empty = SqlClient.SqlClient.use((sql) => sql`DELETE FROM discoveries`)

layer(Discoveries.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Discoveries", (it) => {
  it.effect("finds exactly what was stored, whatever characters it contains, the newest if it was stored again", () =>
    Effect.gen(function* () {
      const [one, other] = [discovery({ industry: "shoes" }), discovery()]
      yield* store(one, discovered("old"))
      yield* store(one, discovered("a \u2028 \ud83d\udc5f \"}]' \\", "b", "a"))
      yield* store(other, discovered())
      assert.deepStrictEqual(yield* find(one), Option.some(discovered("a \u2028 \ud83d\udc5f \"}]' \\", "b", "a")))
      assert.deepStrictEqual(yield* find(other), Option.some(discovered()))
      assert.deepStrictEqual(yield* find(discovery()), Option.none())
    })
  )

  it.effect(
    "another brand, industry, count, language or scope is another discovery; whitespace and the case of a code are not",
    () =>
      Effect.gen(function* () {
        const one = discovery({ brand: "Café", industry: "null,x", language: "pt-br" })
        yield* store(one, discovered("a"))
        const { industry: _, ...without } = one
        for (const other of [
          without,
          { ...one, brand: "Cafe" },
          { ...one, brand: "café" },
          { ...one, industry: "shoes" },
          { ...one, count: 51 },
          { ...one, language: "pt" },
          { ...one, brand: "Café,null", industry: "x" }
        ])
          assert.deepStrictEqual(yield* find(other), Option.none(), JSON.stringify(other))
        assert.deepStrictEqual(yield* find(one, "seed 1"), Option.none())
        for (const same of [
          { ...one, brand: " Cafe\u0301 " },
          { ...one, industry: "null,x " },
          { ...one, language: "pt-BR" }
        ])
          assert.isTrue(Option.isSome(yield* find(same)), JSON.stringify(same))
      })
  )

  it.effect("are kept for 7 days by the database's clock, counted from the last time they were stored", () =>
    Effect.gen(function* () {
      const one = discovery()
      yield* store(one, discovered("a"))
      yield* age("6 days 23 hours 59 minutes")
      assert.isTrue(Option.isSome(yield* find(one)))
      yield* age("1 minute")
      assert.deepStrictEqual(yield* find(one), Option.none())
      yield* store(one, discovered("b"))
      assert.deepStrictEqual(yield* find(one), Option.some(discovered("b")))
    })
  )

  it.effect("a row that cannot be read, or is from the future, is a miss, and can be stored again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const one = discovery()
      for (const damage of [
        sql`candidates = '[{"query": "a"}]'`,
        sql`outcomes = '{"chatgpt_api": "fine"}'`,
        sql`stored_at = stored_at + interval '1 day'`
      ]) {
        yield* store(one, discovered("a"))
        yield* sql`UPDATE discoveries SET ${damage}`
        assert.deepStrictEqual(yield* find(one), Option.none())
      }
      yield* store(one, discovered("a"))
      assert.deepStrictEqual(yield* find(one), Option.some(discovered("a")))
    })
  )

  it.effect("prunes only what is too old to be found, a thousand at a time", () =>
    Effect.gen(function* () {
      yield* empty
      yield* Effect.forEach(
        Array.makeBy(1200, () => discovery()),
        (one) => store(one, discovered()),
        {
          concurrency: 8
        }
      )
      yield* age("7 days")
      const young = discovery()
      yield* store(young, discovered("a"))
      assert.deepStrictEqual([yield* prune, yield* prune, yield* prune], [1000, 200, 0])
      assert.lengthOf(yield* rows, 1)
      assert.isTrue(Option.isSome(yield* find(young)))
    })
  )
})
