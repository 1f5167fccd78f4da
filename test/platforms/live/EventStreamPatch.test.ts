/**
 * What one change to a streamed document may cost.
 *
 * Planted and seen red: no bound to the lists into which is inserted or out of which is taken, or one more or less; no bound to paths,
 * or one more or less; what is beyond a bound changed all the same, or what grows at its end not.
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
