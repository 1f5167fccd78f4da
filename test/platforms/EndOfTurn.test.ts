/**
 * When answers are read: all those of a turn of the event loop together, up to a number of bytes.
 *
 * Planted and seen red: each answer read at once, or by a reader of its own; the last one first; no limit on the bytes, or one that lets an
 * answer more through; an answer above the limit never read; the rest never read, also after a read that throws; what arrives during
 * reading read in the same turn.
 */
import { assert, describe, it } from "@effect/vitest"
import { setImmediate } from "node:timers/promises"
import { atEndOfTurn } from "@sightline/platforms/EndOfTurn"

const half = 128 * 1024

/** What is read in each turn, until the given number of answers is read, or after as many turns. */
const turns = async (count: number, read: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
  const seen: Array<string> = []
  let before = 0
  while (before < count && seen.length < count) {
    await setImmediate()
    seen.push(read.slice(before).join(""))
    before = read.length
  }
  return seen
}

describe("the end of a turn", () => {
  it("reads all short answers of a turn in order of arrival, and none before its end", async () => {
    const read: Array<string> = []
    for (const name of "abcdefgh") atEndOfTurn(1000, () => read.push(name))
    assert.deepEqual(read, [])
    assert.deepEqual(await turns(8, read), ["abcdefgh"])
  })

  it("leaves answers beyond 256 KiB to the next turn", async () => {
    const read: Array<string> = []
    for (const name of "abcde") atEndOfTurn(half, () => read.push(name))
    assert.deepEqual(await turns(5, read), ["ab", "cd", "e"])
  })

  it("reads answers of 500 KB one at a turn", async () => {
    const read: Array<string> = []
    for (const name of "abc") atEndOfTurn(500_000, () => read.push(name))
    assert.deepEqual(await turns(3, read), ["a", "b", "c"])
  })

  it("reads an answer of any size, alone in its turn", async () => {
    const read: Array<string> = []
    for (const name of "abc") atEndOfTurn(4 * 1024 * 1024, () => read.push(name))
    assert.deepEqual(await turns(3, read), ["a", "b", "c"])
  })

  it("reads in the next turn what arrives during reading", async () => {
    const read: Array<string> = []
    atEndOfTurn(1, () => {
      read.push("a")
      atEndOfTurn(1, () => read.push("c"))
    })
    atEndOfTurn(1, () => read.push("b"))
    assert.deepEqual(await turns(3, read), ["ab", "c"])
  })

  it("goes on after a read that throws, which is seen as an uncaught exception", async () => {
    const read: Array<string> = []
    const uncaught: Array<Error> = []
    process.setUncaughtExceptionCaptureCallback((error) => uncaught.push(error))
    atEndOfTurn(1, () => read.push("a"))
    atEndOfTurn(1, () => {
      throw new Error("no")
    })
    atEndOfTurn(1, () => read.push("b"))
    const seen = await turns(2, read)
    process.setUncaughtExceptionCaptureCallback(null)
    assert.deepEqual(seen, ["a", "b"])
    assert.deepEqual(
      uncaught.map(({ message }) => message),
      ["no"]
    )
  })
})
