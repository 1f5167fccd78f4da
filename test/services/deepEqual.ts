import { chai } from "vitest"

/** Of two errors, whether they say the same; no answer for anything else. */
const sameError = (one: unknown, other: unknown): boolean | null =>
  one instanceof Error && other instanceof Error
    ? one.name === other.name && one.message === other.message && equal(Object.entries(one), Object.entries(other))
    : null

const equal = (one: unknown, other: unknown): boolean => chai.util.eql(one, other, { comparator: sameError })

// By itself it compares no fields of errors: a refusal would be told from another of its kind by its message alone, and ours have none.
chai.config.deepEqual = equal
