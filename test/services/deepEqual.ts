import { chai } from "vitest"

/** Whether two errors are equal; null for anything else. */
const sameError = (one: unknown, other: unknown): boolean | null =>
  one instanceof Error && other instanceof Error
    ? one.name === other.name && one.message === other.message && equal(Object.entries(one), Object.entries(other))
    : null

const equal = (one: unknown, other: unknown): boolean => chai.util.eql(one, other, { comparator: sameError })

// By default chai compares no fields of errors. Two refusals of one kind would differ by their message only, and ours have none.
chai.config.deepEqual = equal
