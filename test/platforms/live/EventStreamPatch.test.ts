/**
 * The effect of one change on a streamed document, and its cost.
 *
 * Planted and seen red:
 * - the length of lists for insertions and removals has no bound, or one that is off by one
 * - the length of paths has no bound, or one that is off by one
 * - a change beyond a bound is made all the same, or an append beyond it is not
 * - an escaped character of a pointer is not read
 * - appending a value of another kind does not replace
 * - an unknown operation is taken for a known one
 * - an operation on the whole document is not made, or is made where it is unknown
 */
import { applyPatch } from "@sightline/platforms/live/EventStreamPatch"
import { assert, it } from "vitest"

const most = 1_000

const list = (length: number) => Array.from({ length }, (_, place) => place)

it(`a list of ${most} elements accepts only replacements and appends, so that no change shifts its elements`, () => {
  const [first, ...others] = list(most - 1)
  assert.deepEqual(applyPatch(list(most - 1), { op: "add", path: "/0", value: "new" }), ["new", first, ...others])
  assert.deepEqual(applyPatch(list(most - 1), { op: "remove", path: "/0", value: undefined }), others)
  for (const op of ["add", "remove"])
    assert.deepEqual(applyPatch(list(most), { op, path: "/0", value: "new" }), list(most), op)
  assert.deepEqual(applyPatch(list(most), { op: "replace", path: "/0", value: 0 }), list(most))
  for (const op of ["add", "append"])
    for (const path of ["/-", `/${most}`])
      assert.deepEqual(applyPatch(list(most), { op, path, value: most }), list(most + 1), `${op} ${path}`)
})

it("a path of 512 characters is followed, and a longer one is not", () => {
  const field = "a".repeat(511)
  assert.deepEqual(applyPatch({}, { op: "add", path: `/${field}`, value: 1 }), { [field]: 1 })
  assert.deepEqual(applyPatch({}, { op: "add", path: `/${field}a`, value: 1 }), {})
})

it.each<[document: unknown, op: string, path: string, value: unknown, after: unknown]>([
  [{ "a/b": 1, "c~d": 1 }, "replace", "/a~1b", 2, { "a/b": 2, "c~d": 1 }],
  [{ "a/b": 1, "c~d": 1 }, "replace", "/c~0d", 2, { "a/b": 1, "c~d": 2 }],
  [{ a: [{ b: 1 }] }, "replace", "/a/0/b", 2, { a: [{ b: 2 }] }],
  [{ a: [1] }, "replace", "/a/x0", 2, { a: [1] }],
  [{ a: [1] }, "replace", "/a/0x", 2, { a: [1] }],
  [{ a: [1] }, "replace", "/a/2", 2, { a: [1] }],
  [{ a: [1] }, "remove", "/a/1", undefined, { a: [1] }],
  [{ a: "one" }, "append", "/a", " two", { a: "one two" }],
  [{ a: "one" }, "append", "/a", 2, { a: 2 }],
  [{ a: 1 }, "append", "/a", { b: 2 }, { a: { b: 2 } }],
  [{ a: { b: 1 } }, "append", "/a", { c: 2 }, { a: { b: 1, c: 2 } }],
  [{ a: { b: 1 } }, "append", "/a", "one", { a: "one" }],
  [{ a: [1] }, "append", "/a", [2, 3], { a: [1, 2, 3] }],
  [{ a: [1] }, "append", "/a", 2, { a: [1, 2] }],
  [{ a: 1, b: 2 }, "remove", "/a", undefined, { b: 2 }],
  [{ a: 1 }, "test", "/a", 2, { a: 1 }],
  [{ a: 1 }, "replace", "/b/c", 2, { a: 1 }],
  [{ a: 1 }, "replace", "", 2, 2],
  [{ a: 1 }, "add", "", 2, 2],
  ["one", "append", "", " two", "one two"],
  [{ a: 1 }, "remove", "", undefined, { a: 1 }]
])("%j after %s %s %j", (document, op, path, value, after) => {
  assert.deepStrictEqual(applyPatch(structuredClone(document), { op, path, value }), after)
})
