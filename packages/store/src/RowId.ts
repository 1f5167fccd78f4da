import { randomUUIDv7 } from "node:crypto"

/**
 * A new id for a row of a table that every call or run adds to: a UUID of version 7 (RFC 9562).
 *
 * Its first bits are the time, so that rows written together stand together in their index: a table of any size is written at
 * its end, where a random id would touch another page for every row.
 */
export const makeRowId = (): string => randomUUIDv7()

/** The nil UUID (RFC 9562), which stands before every id. */
export const nil = "00000000-0000-0000-0000-000000000000"
