/**
 * What one change to a streamed document makes of it, and what it may cost.
 *
 * Planted and seen red: no bound to the lists into which is inserted or out of which is taken, or one more or less; no bound to paths,
 * or one more or less; what is beyond a bound changed all the same, or what grows at its end not; a sign of a pointer that is written
 * otherwise not read; what grows by something of another kind not replaced; an operation that nobody knows taken for one that somebody
 * does; one on the whole document not done, or done where it is not known.
 */
import { changed } from "@sightline/platforms/live/EventStreamPatch"
import { assert, it } from "vitest"

const most = 1_000

const list = (length: number) => Array.from({ length }, (_, place) => place)

it(`a list of ${most} elements is changed at its end and in its places alone, so that no change moves what it does not say`, () => {
  const [first, ...others] = list(most - 1)
  assert.deepEqual(changed(list(most - 1), { op: "add", path: "/0", value: "new" }), ["new", first, ...others])
  assert.deepEqual(changed(list(most - 1), { op: "remove", path: "/0", value: undefined }), others)
  for (const op of ["add", "remove"])
    assert.deepEqual(changed(list(most), { op, path: "/0", value: "new" }), list(most), op)
  assert.deepEqual(changed(list(most), { op: "replace", path: "/0", value: 0 }), list(most))
  for (const op of ["add", "append"])
    for (const path of ["/-", `/${most}`])
      assert.deepEqual(changed(list(most), { op, path, value: most }), list(most + 1), `${op} ${path}`)
})

it("a path of 512 characters is followed, and no longer one", () => {
  const field = "a".repeat(511)
  assert.deepEqual(changed({}, { op: "add", path: `/${field}`, value: 1 }), { [field]: 1 })
  assert.deepEqual(changed({}, { op: "add", path: `/${field}a`, value: 1 }), {})
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
  assert.deepStrictEqual(changed(structuredClone(document), { op, path, value }), after)
})
