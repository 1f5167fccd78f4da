import { Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"

/** The id of a row and the wallet that owns it, as statements take them. */
export const OwnedId = Schema.Struct({ accountId: Schema.String, environment: Schema.String, id: Schema.String })

/** SQL for the rows of a table that a wallet owns: the condition that hides the rows of others. */
export const isOwnedBy = (
  sql: SqlClient.SqlClient,
  { accountId, environment }: Pick<typeof OwnedId.Type, "accountId" | "environment">
): Statement.Fragment => sql`account_id = ${accountId} AND environment = ${environment}`
