import { Effect } from "effect"

/** How many rows a statement returns. A statement that fails is a defect. */
export const rowCount = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>): Effect.Effect<number> =>
  Effect.orDie(Effect.map(statement, (rows) => rows.length))
