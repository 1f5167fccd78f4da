/**
 * Planted and seen red:
 * - `raw` kept in place of the text, either way
 * - an answer whose body cannot be read in SQL that fails its statement
 * - two equal texts in one statement
 * - one text for answers with other entities
 * - texts pruned after 29 days, or 30 days after they were first kept
 * - a text kept again only after a day
 */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { Answer } from "@sightline/domain/Answer"
import { digestOf } from "@sightline/store/AnswerDigest"
import { Answers } from "@sightline/store/Answers"
import { AnswerTexts } from "@sightline/store/AnswerTexts"
import { layerDatabase } from "./database.ts"
import { newKey } from "./newKey.ts"

const answer = (text: string, more: Partial<Answer> = {}): Answer => ({
  text,
  raw: `**${text}**`,
  citations: [],
  fanOut: [],
  brandEntities: [],
  searched: true,
  model: "gpt-5",
  finish: "stop",
  ...more
})

interface Kept {
  readonly text: string
  readonly brands: ReadonlyArray<string>
}

const keptOf = (of: Answer) =>
  SqlClient.SqlClient.use(
    (sql) => sql<Kept>`SELECT text, brands FROM answer_texts WHERE hash = decode(${digestOf(of).hash}, 'hex')`
  )

/** The two ways in which a fresh answer is kept. */
const ways = {
  "of an LLM API": (answers: ReadonlyArray<Answer>) =>
    Answers.use(({ store }) =>
      Effect.forEach(answers, (one) => store(newKey(), one), { concurrency: "unbounded", discard: true })
    ),
  "of a live surface": (answers: ReadonlyArray<Answer>) =>
    AnswerTexts.use((store) => Effect.forEach(answers, store.keep, { discard: true }))
}

const texts = Layer.merge(Answers.layer, AnswerTexts.layer).pipe(Layer.provideMerge(layerDatabase))

layer(texts, { excludeTestServices: true })("AnswerTexts", (it) => {
  for (const [name, keep] of Object.entries(ways)) {
    it.effect(`keeps the text of a fresh answer ${name} with the brands it names`, () =>
      Effect.gen(function* () {
        const list = answer(`1. **Globex** leads ${randomUUID()}.\n2. **Initech** follows.`)
        const marked = answer(`Zorg and Vandelay (${randomUUID()})`, {
          brandEntities: [{ name: "Vandelay" }, { name: "Zorg" }, { name: "Acme" }]
        })
        yield* keep([list, marked])
        assert.deepStrictEqual(yield* keptOf(list), [{ text: list.text, brands: ["Globex", "Initech"] }])
        assert.deepStrictEqual(yield* keptOf(marked), [{ text: marked.text, brands: ["Zorg", "Vandelay"] }])
      })
    )

    it.effect(`keeps every text that Postgres can hold, ${name}, whatever else the answer has`, () =>
      Effect.gen(function* () {
        const held = ['"}]\\', "\\u0000 and \\ud800", "👟 é ", "a".repeat(300_000)].map((text) =>
          answer(`${text}${randomUUID()}`)
        )
        const odd = answer(randomUUID(), { raw: "\u0000 \ud800", fanOut: ["\u0000"] })
        const lost = [answer(`${randomUUID()}\u0000`), answer(`${randomUUID()}\ud800`), answer("")]
        yield* keep([...held, odd, ...lost])
        for (const one of [...held, odd]) assert.strictEqual((yield* keptOf(one))[0]?.text, one.text)
        for (const one of lost) assert.isNull(digestOf(one).hash)
      })
    )

    it.effect(`keeps a text once ${name}, and a separate one if the surface marks other brands`, () =>
      Effect.gen(function* () {
        const one = answer(`Globex or Acme ${randomUUID()}`, { brandEntities: [{ name: "Acme" }] })
        const other = { ...one, brandEntities: [{ name: "Globex" }] }
        yield* keep([one, { ...one, model: "another" }, other])
        yield* keep([one])
        assert.deepStrictEqual((yield* keptOf(one))[0]?.brands, ["Acme"])
        assert.deepStrictEqual((yield* keptOf(other))[0]?.brands, ["Globex"])
      })
    )
  }

  it.effect("stores the time of a text again once it is an hour old and asked afresh, and writes nothing before", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { keep } = yield* AnswerTexts
      for (const [minutes, left] of [
        [61, 0],
        [50, 50]
      ]) {
        const one = answer(randomUUID())
        const { hash } = digestOf(one)
        yield* keep(one)
        yield* sql`
          UPDATE answer_texts SET kept_at = clock_timestamp() - make_interval(mins => ${minutes})
          WHERE hash = decode(${hash}, 'hex')`
        yield* keep(one)
        const [row] = yield* sql`
          SELECT floor(extract(epoch FROM clock_timestamp() - kept_at) / 60)::float8 AS minutes
          FROM answer_texts WHERE hash = decode(${hash}, 'hex')`
        assert.strictEqual(row?.["minutes"], left)
      }
    })
  )

  it.effect("prunes texts that were not asked afresh for 30 days, and nothing else", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { keep, prune } = yield* AnswerTexts
      const [old, young, again] = [answer(randomUUID()), answer(randomUUID()), answer(randomUUID())]
      yield* Effect.forEach([old, young, again], keep)
      const age = (of: Answer, by: string) => sql`
        UPDATE answer_texts SET kept_at = clock_timestamp() - ${by}::interval WHERE hash = decode(${digestOf(of).hash}, 'hex')`
      yield* age(old, "30 days 1 second")
      yield* age(young, "29 days 23 hours")
      yield* age(again, "31 days")
      yield* keep(again)
      assert.strictEqual(yield* prune, 1)
      assert.lengthOf(yield* keptOf(old), 0)
      assert.lengthOf(yield* keptOf(young), 1)
      assert.lengthOf(yield* keptOf(again), 1)
    })
  )
})
