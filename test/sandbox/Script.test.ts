/**
 * For how many questions the sandbox remembers which faults they have met.
 *
 * Planted and seen red: every question is remembered, or one more or one less; the oldest question by first use is forgotten; a fault
 * occurs once more than it says.
 */
import { type Fault, makeScript } from "@sightline/sandbox/Fault"
import { assert, it } from "vitest"

const most = 10_000

const fault = (times: number): Fault => ({ times, ending: { kind: "hang" } })

/** A script; `meets` asks a question under a fault for `times` tries, and `askOthers` asks that many other questions. */
const asking = (times: number) => {
  const script = makeScript()
  const meets = (question: string) => script([fault(times)], ["openai"], question).ending !== undefined
  let last = 0
  const askOthers = (count: number) => {
    for (let asked = 0; asked < count; asked++) meets(`another ${last++}`)
  }
  return { meets, askOthers }
}

it(`${most} questions are remembered, and no more`, () => {
  const { askOthers, meets } = asking(1)
  assert.deepEqual([meets("first"), meets("first")], [true, false])
  askOthers(most - 1)
  assert.isFalse(meets("first"))
  askOthers(1)
  assert.isTrue(meets("first"))
})

it("the least recently asked question is forgotten first", () => {
  const { askOthers, meets } = asking(3)
  assert.isTrue(meets("first"))
  askOthers(most - 1)
  assert.isTrue(meets("first"))
  askOthers(1)
  assert.deepEqual([meets("first"), meets("first")], [true, false])
})
