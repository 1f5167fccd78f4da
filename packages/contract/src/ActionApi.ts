import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { AccountId } from "@sightline/domain/Account"
import { ActionName, PrincipalKind } from "@sightline/domain/Action"
import { AdminAuthorization } from "./AdminAuthorization.ts"
import { instant } from "./Instant.ts"
import { nextCursor, pageQuery } from "./Page.ts"
import { InvalidRequest } from "./Problem.ts"

/**
 * A recorded action and its principal: the operator's token, a key, a session of that key, or the program itself (`service`)
 * when it starts.
 *
 * Shape: `sequence` counts all actions; `hash` chains each to the one before. `key_id` is the key that was sent or that the
 * session belongs to. `subject` is the id of the resource that the action changed, `facts` are its further details; neither
 * contains a secret.
 */
export const ActionFound = Schema.Struct({
  sequence: Schema.Int,
  created_at: instant,
  action: ActionName,
  principal: PrincipalKind,
  key_id: Schema.optionalKey(Schema.String),
  request_id: Schema.optionalKey(Schema.String),
  account_id: Schema.String,
  subject: Schema.String,
  facts: Schema.Record(Schema.String, Schema.Json),
  hash: Schema.String
})

/** Actions, newest first. */
export const ActionPage = Schema.Struct({
  actions: Schema.Array(ActionFound),
  next_cursor: nextCursor,
  request_id: Schema.String
})

/** Which actions to show: those of one account, or of all. */
export const ActionQuery = Schema.Struct({
  account_id: Schema.optionalKey(AccountId),
  ...pageQuery
})

/** The record of actions, for operators. */
export class ActionApi extends HttpApiGroup.make("actions")
  .add(
    HttpApiEndpoint.get("list", "/admin/actions", {
      query: ActionQuery.fields,
      success: ActionPage,
      error: InvalidRequest
    })
  )
  .middleware(AdminAuthorization) {}
