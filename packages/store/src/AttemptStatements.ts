import { Schema } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import { WebhookEvent } from "@sightline/domain/Webhook"

const round = {
  isLast: Schema.Boolean,
  lastAccountId: Schema.String,
  lastReceiverId: Schema.String,
  moved: Schema.Boolean
}

const Begun = Schema.Struct({
  ...round,
  id: Schema.String,
  deliveryId: Schema.String,
  accountId: Schema.String,
  number: Schema.Int,
  late: Schema.OptionFromNullOr(Schema.Finite),
  begunSeconds: Schema.Finite,
  event: WebhookEvent,
  watchId: Schema.NullOr(Schema.String),
  receiverId: Schema.String,
  url: Schema.String,
  secret: Schema.NullOr(Schema.Uint8Array),
  body: Schema.Uint8Array
})

/** A step that began no attempt. It still reports its position in the round. */
const Nothing = Schema.Struct({ ...round, id: Schema.Null })

/** A row of `begin_attempts`: an attempt that was begun, or the report that none was. */
export const Step = Schema.Union([Begun, Nothing])

/** Calls the database function `begin_attempts`. */
export const makeBegin = (sql: SqlClient.SqlClient) =>
  SqlSchema.findAll({
    Request: Schema.Struct({
      accountId: Schema.String,
      receiverId: Schema.String,
      limit: Schema.Int,
      delays: Schema.Array(Schema.Finite),
      busy: Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))
    }),
    Result: Step,
    execute: ({ accountId, busy, delays, limit, receiverId }) => sql`
      SELECT begun.*, extract(epoch FROM clock_timestamp())::float8 AS begun_seconds
      FROM begin_attempts(${accountId}::uuid, ${receiverId}::uuid, ${limit}::integer, ${delays}::float8[], ${busy}::jsonb) AS begun`
  })

/** The end of an attempt as it is written, with the names of the columns. */
const Ended = Schema.Struct({
  delivery_id: Schema.String,
  number: Schema.Int,
  duration_ms: Schema.Int,
  status_code: Schema.NullOr(Schema.Int),
  error: Schema.NullOr(Schema.String),
  response_excerpt: Schema.NullOr(Schema.String),
  remote_address: Schema.NullOr(Schema.String)
})

/** Calls the database function `end_attempts`. */
export const makeEnd = (sql: SqlClient.SqlClient) =>
  SqlSchema.void({
    Request: Schema.Struct({
      ends: Schema.fromJsonString(Schema.Array(Ended)),
      delays: Schema.Array(Schema.Finite)
    }),
    execute: ({ delays, ends }) => sql`SELECT end_attempts(${ends}::json, ${delays}::float8[])`
  })
