/**
 * Faults planted once, and the tests that saw them:
 * - the digest not compared, or computed without the key; the version not compared; no bound on the body; bad entries not deleted;
 *   a future time accepted ("damaged, too large, of another version, another key's body or from the future")
 * - deleted by key alone ("stored meanwhile")
 * - no maximum age, l2 for two hours ("tier")
 * - all pruned at once ("prunes")
 * - deleted in the order they were found, stored in the order they were offered ("in key order")
 * - all that was found together given to each caller ("in one statement")
 */
import { assert, layer } from "@effect/vitest"
import { Array, Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { Answer } from "@sightline/domain/Answer"
import type { AnswerKey } from "@sightline/store/AnswerKey"
import { Answers } from "@sightline/store/Answers"
import { layerDatabase } from "./database.ts"
import { keepOpen, untilLocked } from "./locks.ts"
import { newKey } from "./newKey.ts"

const answer = (text: string): Answer => ({
  text,
  raw: `**${text}**`,
  citations: [{ url: "https://example.com/a?b=1", title: "T", snippet: "s" }],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "gpt-5-2026-01-01",
  tokens: { input: 10, output: 20, reasoning: 5 },
  finish: "stop"
})

const stored = Effect.fnUntraced(function* (text = "Nike, Asics") {
  const key = newKey()
  yield* Answers.use((answers) => answers.store(key, answer(text)))
  return key
})

/** Stores them concurrently, in this order. */
const storeAll = (entries: ReadonlyArray<{ readonly key: AnswerKey; readonly answer: Answer }>) =>
  Answers.use(({ store }) =>
    Effect.forEach(entries, ({ key, answer }) => store(key, answer), { concurrency: "unbounded", discard: true })
  )

const find = (...keys: ReadonlyArray<AnswerKey>) => Answers.use((answers) => answers.find(keys))

const rowsOf = (key: AnswerKey) =>
  SqlClient.SqlClient.use((sql) => sql`SELECT 1 FROM answers WHERE key = decode(${key}, 'hex')`)

const age = (key: AnswerKey, interval: string) =>
  SqlClient.SqlClient.use(
    (sql) => sql`UPDATE answers SET stored_at = stored_at - ${interval}::interval WHERE key = decode(${key}, 'hex')`
  )

layer(Answers.layer.pipe(Layer.provideMerge(layerDatabase)), { excludeTestServices: true })("Answers", (it) => {
  it.effect("finds exactly what was stored under each key, whatever characters are in it", () =>
    Effect.gen(function* () {
      const texts = ["plain", "\u0000 and \u2028", "\ud83d\udc5f", '"}]', "é".repeat(100_000)]
      const entries = texts.map((text) => ({ key: newKey(), answer: answer(text) }))
      yield* storeAll(entries)
      const found = yield* find(...entries.map(({ key }) => key), newKey())
      const byKey = new Map(found.map((one) => [one.key, one.answer]))
      assert.strictEqual(byKey.size, texts.length)
      for (const entry of entries) assert.deepStrictEqual(byKey.get(entry.key), entry.answer)
      assert.deepStrictEqual(yield* find(), [])
    })
  )

  it.effect("keeps the newest answer of a key, even within one statement", () =>
    Effect.gen(function* () {
      const key = yield* stored("old")
      // While the first one is written, the other two wait for the same statement.
      yield* storeAll([
        { key: newKey(), answer: answer("another") },
        { key, answer: answer("newer") },
        { key, answer: answer("newest") }
      ])
      const [found] = yield* find(key)
      assert.strictEqual(found?.answer.text, "newest")
      assert.strictEqual((yield* rowsOf(key)).length, 1)
    })
  )

  it.effect("gives each caller the entries of its own keys only, though others are found in one statement", () =>
    Effect.gen(function* () {
      const keys = yield* Effect.replicateEffect(stored(), 3)
      // While the first one is read, the other two wait for the same statement.
      const found = yield* Effect.forEach(keys, (key) => find(key), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        found.map((entries) => entries.map(({ key }) => key)),
        keys.map((key) => [key])
      )
    })
  )

  it.effect("gives an entry the tier of its age by the database's clock: l2 to 1 h, l3 to 24 h, then none", () =>
    Effect.gen(function* () {
      const key = yield* stored()
      const tiers: Array<string | undefined> = []
      for (const step of ["0 min", "59 min", "2 min", "22 h 58 min", "2 min"]) {
        yield* age(key, step)
        const [found] = yield* find(key)
        tiers.push(found?.tier)
      }
      assert.deepStrictEqual(tiers, ["l2", "l2", "l3", "l3", undefined])
    })
  )

  it.effect(
    "misses and deletes an entry that is damaged, too large, of another version, another key's body or from the future",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const other = yield* stored("Adidas")
        const damages = [
          sql`body = left(body, 20)`,
          sql`body = ''`,
          sql`body = replace(body, 'Nike', 'Puma')`,
          sql`body = repeat('x', 5000000)`,
          sql`body = repeat('x', 20000000)`,
          sql`digest = '\\x00'`,
          sql`schema_version = schema_version + 1`,
          sql`stored_at = stored_at + interval '1 day'`,
          sql`stored_at = 'infinity'`,
          sql`(body, digest, model) = (SELECT body, digest, model FROM answers WHERE key = decode(${other}, 'hex'))`
        ]
        for (const damage of damages) {
          const [key, healthy] = [yield* stored(), yield* stored()]
          yield* sql`UPDATE answers SET ${damage} WHERE key = decode(${key}, 'hex')`
          const found = yield* find(key, healthy)
          assert.deepStrictEqual(
            found.map((one) => one.key),
            [healthy]
          )
          assert.strictEqual((yield* rowsOf(key)).length, 0)
          yield* Answers.use((answers) => answers.store(key, answer("again")))
          assert.strictEqual((yield* find(key)).length, 1)
        }
      })
  )

  it.effect("does not delete an answer that was stored meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const key = yield* stored("fresh")
      const [fresh] = yield* sql`SELECT body, digest FROM answers WHERE key = decode(${key}, 'hex')`
      yield* Answers.use((answers) => answers.store(key, answer("stale")))
      yield* sql`UPDATE answers SET body = '' WHERE key = decode(${key}, 'hex')`
      const commit = yield* keepOpen(
        sql`UPDATE answers SET ${sql.update(fresh ?? {})} WHERE key = decode(${key}, 'hex')`
      )
      const reader = yield* Effect.forkChild(find(key))
      // The reader has seen the bad body and waits for the row to delete it.
      yield* untilLocked
      yield* commit
      assert.deepStrictEqual(yield* Fiber.join(reader), [])
      assert.strictEqual((yield* find(key))[0]?.answer.text, "fresh")
    })
  )

  it.effect("deletes in key order, so that two deletions cannot deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* Effect.forEach(Array.range(1, 12), () => stored())
      const [first = "", ...others] = keys.toSorted()
      const row = (key: string) => sql`SELECT FROM answers WHERE key = decode(${key}, 'hex') FOR UPDATE NOWAIT`
      yield* sql`UPDATE answers SET body = '' WHERE encode(key, 'hex') IN ${sql.in(keys)}`
      const release = yield* keepOpen(row(first))
      const reader = yield* Effect.forkChild(find(...keys))
      yield* untilLocked
      // While a deletion waits for the first row, it has locked none of the others.
      for (const key of others) assert.lengthOf(yield* row(key), 1)
      yield* release
      yield* Fiber.join(reader)
      assert.lengthOf(yield* Effect.filter(keys, (key) => Effect.map(rowsOf(key), (rows) => rows.length > 0)), 0)
    })
  )

  it.effect("stores in key order, so that two processes that store the same answers cannot deadlock", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = (yield* Effect.forEach(Array.range(1, 12), () => stored())).toSorted()
      const [first = assert.fail(), ...others] = keys
      const row = (key: AnswerKey) => sql`SELECT FROM answers WHERE key = decode(${key}, 'hex') FOR UPDATE NOWAIT`
      const release = yield* keepOpen(row(first))
      const again = [newKey(), ...keys.toReversed()].map((key) => ({ key, answer: answer("again") }))
      const storing = yield* Effect.forkChild(storeAll(again))
      yield* untilLocked
      // While the statement waits for the first row, it has locked none of the others.
      for (const key of others) assert.lengthOf(yield* row(key), 1)
      yield* release
      yield* Fiber.join(storing)
      assert.deepStrictEqual(new Set((yield* find(...keys)).map((found) => found.answer.text)), new Set(["again"]))
    })
  )

  it.effect("does not store an answer that exceeds the size limit of a row", () =>
    Effect.gen(function* () {
      const key = yield* stored("x".repeat(5_000_000))
      assert.strictEqual((yield* rowsOf(key)).length, 0)
    })
  )

  it.effect("prunes only what is too old to be found, a thousand at a time", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`DELETE FROM answers`
      const young = yield* stored()
      yield* age(young, "23 h 59 min")
      const entries = Array.makeBy(2500, () => ({ key: newKey(), answer: answer("old") }))
      yield* storeAll(entries)
      yield* sql`UPDATE answers SET stored_at = stored_at - interval '25 h' WHERE key <> decode(${young}, 'hex')`
      const { prune } = yield* Answers
      assert.deepStrictEqual([yield* prune, yield* prune, yield* prune, yield* prune], [1000, 1000, 500, 0])
      assert.strictEqual((yield* rowsOf(young)).length, 1)
    })
  )
})
