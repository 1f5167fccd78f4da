/**
 * Faults planted once, and the laws that saw them: fields joined with "|" instead of length-prefixed ("can imitate"); absent written
 * as empty ("sweep"); the city counted for every platform, or for none ("sweep"); the environment left out ("sweep"); NFC left out
 * ("normalised"); lone surrogates hashed as UTF-8, where all become one ("tricks").
 */
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Platform } from "@sightline/domain/Platform"
import { answerKey, type AnswerSubject } from "@sightline/store/AnswerKey"

const base: AnswerSubject = {
  environment: "live",
  platform: "chatgpt_api",
  question: { turns: [{ role: "user", content: "best running shoes" }], model: "gpt-5", webSearch: true },
  scope: "shared"
}

type Change = (subject: AnswerSubject) => AnswerSubject

const ask =
  (change: Partial<AnswerSubject["question"]>): Change =>
  (subject) => ({ ...subject, question: { ...subject.question, ...change } })

/** One change of every field, and whether it matters to a platform. */
const changes: ReadonlyArray<{ readonly change: Change; readonly heeds: (platform: Platform) => boolean }> = [
  { change: (subject) => ({ ...subject, environment: "test" }), heeds: () => true },
  { change: (subject) => ({ ...subject, scope: "3f2c" }), heeds: () => true },
  { change: ask({ turns: [{ role: "user", content: "best shoes" }] }), heeds: () => true },
  { change: ask({ model: "gpt-5-mini" }), heeds: () => true },
  { change: ask({ system: "" }), heeds: () => true },
  { change: ask({ country: "GB" }), heeds: (platform) => platform !== "gemini_api" },
  { change: ask({ city: "Leeds" }), heeds: (platform) => platform === "chatgpt_api" || platform === "claude_api" },
  { change: ask({ webSearch: false }), heeds: () => true },
  { change: ask({ temperature: 0 }), heeds: () => true },
  { change: ask({ maxTokens: 1 }), heeds: () => true }
]

it("over the 2^10 sweep of changed fields, on every platform: one key per set of changes that matter", () => {
  const seen = new Map<string, string>()
  for (const platform of Platform.literals) {
    for (let set = 0; set < 2 ** changes.length; set++) {
      const chosen = changes.filter((_, nth) => set & (2 ** nth))
      const key = answerKey(
        chosen.reduce<AnswerSubject>((subject, { change }) => change(subject), { ...base, platform })
      )
      const heeded = changes.map(({ heeds }, nth) => (set & (2 ** nth) && heeds(platform) ? 1 : 0))
      const meaning = `${platform} ${heeded.join("")}`
      assert.strictEqual(seen.get(key) ?? meaning, meaning)
      seen.set(key, meaning)
    }
  }
  const heededBy = (platform: Platform) => changes.filter(({ heeds }) => heeds(platform)).length
  assert.strictEqual(
    seen.size,
    Platform.literals.reduce((sum, platform) => sum + 2 ** heededBy(platform), 0)
  )
})

/** Texts full of the characters a key is written with. Cut into fields in two ways, they try to look the same. */
const sources = fc.string({ unit: fc.constantFrom("a", "0", "1", "2", ":", "[", "-", "|"), maxLength: 8 })
const cuts = fc.array(fc.nat(8), { minLength: 6, maxLength: 6 }).map((places) => places.toSorted((a, b) => a - b))

const cutAt = (source: string, places: ReadonlyArray<number>, turns: number): AnswerSubject => {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = places
  const first = { role: "user", content: source.slice(0, a) } as const
  const second = { role: "user", content: source.slice(a, b) } as const
  const question: AnswerSubject["question"] = {
    turns: turns === 1 ? [{ role: "user", content: source.slice(0, b) }] : [first, second],
    system: source.slice(b, c),
    city: source.slice(c, d),
    country: source.slice(d, e).toUpperCase(),
    model: source.slice(e, f),
    webSearch: true
  }
  return { ...base, question, scope: source.slice(f) }
}

it("answerKey(a) = answerKey(b) exactly when a = b: no value can imitate the boundary between fields", () =>
  fc.assert(
    fc.property(sources, cuts, cuts, fc.constantFrom(1, 2), fc.constantFrom(1, 2), (source, one, two, n, m) => {
      const [a, b] = [cutAt(source, one, n), cutAt(source, two, m)]
      assert.strictEqual(answerKey(a) === answerKey(b), JSON.stringify(a) === JSON.stringify(b))
    }),
    { numRuns: 20_000 }
  ))

it("distinguishes the classic tricks with delimiters", () => {
  const pairs: ReadonlyArray<readonly [AnswerSubject, AnswerSubject]> = [
    [ask({ city: "a|b", model: "m" })(base), ask({ city: "b", model: "m|a" })(base)],
    [ask({ system: "x", country: "YZ" })(base), ask({ system: "xY", country: "Z" })(base)],
    [ask({ city: "Leeds" })(base), ask({ country: "Leeds" })(base)],
    [
      ask({
        turns: [
          { role: "user", content: "a" },
          { role: "user", content: "b" }
        ]
      })(base),
      ask({ turns: [{ role: "user", content: "ab" }] })(base)
    ],
    [ask({ temperature: 1 })(base), ask({ maxTokens: 1 })(base)],
    [ask({ system: "\ud800" })(base), ask({ system: "\ud801" })(base)]
  ]
  for (const [a, b] of pairs) assert.notStrictEqual(answerKey(a), answerKey(b))
})

it("is the same for normalised forms: composed or not, with surrounding whitespace or not", () => {
  const typed = (content: string, city: string) => answerKey(ask({ turns: [{ role: "user", content }], city })(base))
  assert.strictEqual(typed("café", "Zürich"), typed(" cafe\u0301\n", "Zu\u0308rich "))
  assert.notStrictEqual(typed("café", "Zürich"), typed("cafe", "Zürich"))
  assert.strictEqual(answerKey(ask({ country: "gb" })(base)), answerKey(ask({ country: "GB" })(base)))
})
