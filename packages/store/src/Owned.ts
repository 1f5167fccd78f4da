import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** One row of a wallet's own, as statements take it. */
export const OwnId = Schema.Struct({ accountId: Schema.String, environment: Schema.String, id: Schema.String })

/** SQL for the rows of a table that are a wallet's own: the condition by which nobody sees what is another's. */
export const isOwn = (
  sql: SqlClient.SqlClient,
  { accountId, environment }: Pick<typeof OwnId.Type, "accountId" | "environment">
): Statement.Fragment => sql`account_id = ${accountId} AND environment = ${environment}`
