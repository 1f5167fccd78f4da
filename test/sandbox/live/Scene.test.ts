/**
 * What directives make a page or a vendor do with a question.
 *
 * Planted and seen red:
 * - a directive for another surface applies
 * - absence is left to chance although the directive gives the ending, or every latency gets an answer
 * - there is an answer in spite of `no-answer`
 * - a slow stream's time is taken for latency
 * - standing faults win over those of the question
 * - half an answer has the text or the sources of the whole; a refusal has its searches or adverts
 * - tries are counted for the question without its directives
 */
import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { makeScript } from "@sightline/sandbox/Fault"
import { liveAnswer } from "@sightline/sandbox/live/LiveAnswer"
import { sceneOf, type Showing } from "@sightline/sandbox/live/Scene"

const base = { seed: 1, surface: "ai_overview", captureRoute: "web", question: "best crm", country: "GB" } as const

const scene = (clause: string, over: Partial<Showing> = {}) =>
  Result.getOrThrow(sceneOf({ ...base, question: `best crm [[sandbox:${clause}]]`, ...over }))

const kindOf = (clause: string, over: Partial<Showing> = {}) => scene(clause, over).ending?.kind

describe("a scene", () => {
  it("has the question without its directives, and its answer", () => {
    const { answer, question } = scene("answer")
    assert.strictEqual(question, "best crm")
    assert.deepStrictEqual(answer, liveAnswer(base))
  })

  it.each(["consent", "captcha", "login-wall", "region", "container-empty", "broken"])(
    "%s keeps the answer",
    (clause) => {
      const { answer, ending } = scene(clause)
      assert.strictEqual(ending?.kind, clause.replace("-", "_"))
      assert.deepStrictEqual(answer, liveAnswer(base))
    }
  )

  it("no-answer has results and no answer", () => {
    const { answer, results } = scene("no-answer")
    assert.isUndefined(answer)
    assert.isNotEmpty(results)
  })

  it("separates the latency of the answer from the duration of its stream", () => {
    const { latencyMillis, slowMillis } = scene("latency=2s;slow=300ms")
    assert.deepStrictEqual([latencyMillis, slowMillis], [2000, 300])
  })

  it("applies to the surface or the route that it names, and to no other", () => {
    assert.strictEqual(kindOf("ai_overview:captcha"), "captcha")
    assert.isUndefined(kindOf("ai_mode:captcha"))
    assert.strictEqual(kindOf("web:captcha"), "captcha")
    assert.isUndefined(kindOf("dataforseo:captcha"))
    assert.strictEqual(kindOf("dataforseo:captcha", { captureRoute: "dataforseo" }), "captcha")
    assert.isUndefined(kindOf("openai:captcha"))
  })

  it("limited to some tries is counted per surface and route", () => {
    const script = makeScript()
    const tries = (over: Partial<Showing>) => [1, 2].map(() => kindOf("captcha;times=1", { script, ...over }))
    assert.deepStrictEqual(tries({}), ["captcha", undefined])
    assert.deepStrictEqual(tries({ captureRoute: "cloro" }), ["captcha", undefined])
    assert.deepStrictEqual(tries({ surface: "ai_mode" }), ["captcha", undefined])
    assert.strictEqual(kindOf("region;times=1", { script }), "region")
  })

  it("without a script treats every try as the first", () => {
    assert.deepStrictEqual([kindOf("captcha;times=1"), kindOf("captcha;times=1")], ["captcha", "captcha"])
  })

  it("from standing faults gives way to the question's own", () => {
    const faults = [{ ending: { kind: "captcha" } } as const]
    assert.strictEqual(kindOf("region", { faults }), "region")
    assert.strictEqual(Result.getOrThrow(sceneOf({ ...base, faults })).ending?.kind, "captcha")
  })

  it("from an LLM outcome covers those that a surface can have", () => {
    const chat = { surface: "chatgpt_live" } as const
    const [whole, refusal, truncated] = [
      liveAnswer({ ...base, ...chat }),
      scene("refusal", chat).answer,
      scene("truncated", chat).answer
    ]
    const { adverts, entities, fanOut, sources, spans } = refusal ?? whole
    assert.deepStrictEqual([adverts, entities, fanOut, sources], [[], [], [], []])
    assert.lengthOf(spans, 1)
    const words = truncated?.markdown ?? "-"
    assert.isTrue(whole.markdown.startsWith(words))
    assert.isAtMost(words.length, whole.markdown.length / 2)
    const used = new Set(truncated?.spans.flatMap(({ cites }) => cites))
    assert.deepStrictEqual(truncated?.sources, whole.sources.slice(0, used.size))
    assert.strictEqual(kindOf("empty"), "container_empty")
    assert.strictEqual(kindOf("silent-refusal"), "container_empty")
  })

  it("has an answer for every question that states an ending or a stream", () => {
    for (let index = 0; index < 40; index++) {
      const question = (clause: string) => `best crm ${index} [[sandbox:${clause}]]`
      for (const clause of ["answer", "slow=1ms", "consent"]) {
        assert.isDefined(Result.getOrThrow(sceneOf({ ...base, question: question(clause) })).answer)
      }
    }
    const shown = (more: string) =>
      Array.from({ length: 40 }, (_, index) => sceneOf({ ...base, question: `best crm ${index}${more}` })).map(
        (result) => Result.getOrThrow(result).answer !== undefined
      )
    assert.include(shown(""), false)
    assert.deepStrictEqual(shown(" [[sandbox:latency=1ms]]"), shown(""))
  })

  it("is refused when a clause is unknown", () => {
    const result = sceneOf({ ...base, question: "best crm [[sandbox:capcha]]" })
    assert.strictEqual(Result.getOrThrow(Result.flip(result)).clause, "capcha")
  })
})
