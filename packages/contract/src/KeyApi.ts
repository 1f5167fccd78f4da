import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { Environment } from "@sightline/domain/Platform"
import { Authorization } from "./Authorization.ts"
import { withDefault } from "./Default.ts"
import { instant } from "./Instant.ts"
import { Conflict, NotFound } from "./Problem.ts"

const record = {
  id: Schema.String,
  environment: Environment,
  read_only: Schema.Boolean.annotate({ description: "Whether the key can neither spend nor change anything." }),
  created_at: instant,
  revoked_at: Schema.NullOr(instant).annotate({ description: "null while the key is valid." })
}

/** The account's keys of the caller's environment, newest first. */
export const KeyList = Schema.Struct({
  request_id: Schema.String,
  keys: Schema.Array(
    Schema.Struct({
      ...record,
      current: Schema.Boolean.annotate({ description: "Whether this call was made with this key, or a session of it." })
    }).annotate({ identifier: "Key" })
  )
}).annotate({ identifier: "KeyList", description: "The valid keys and the last 100 revoked ones, newest first." })
export type KeyList = typeof KeyList.Type

/** Body of `POST /v1/keys`: a key of the caller's own environment, with the rate limits of the key that makes it. */
export const CreateOwnKey = Schema.Struct({
  read_only: withDefault(Schema.Boolean, false)
}).annotate({ identifier: "CreateOwnKey" })

/** A new key; its text is shown only here. */
export const KeyCreated = Schema.Struct({
  request_id: Schema.String,
  key: Schema.Struct({ ...record, text: Schema.String })
}).annotate({ identifier: "KeyCreated", description: "The new key; its secret text is shown only in this answer." })
export type KeyCreated = typeof KeyCreated.Type

/** `/v1/keys`: the account's own keys. A key sees only keys of its own environment. */
export class KeyApi extends HttpApiGroup.make("keys")
  .add(
    HttpApiEndpoint.get("list", "/v1/keys", { success: KeyList }).annotateMerge(
      OpenApi.annotations({
        summary: "List keys",
        description: "Extension. The account's keys, without their secret text."
      })
    ),
    HttpApiEndpoint.post("create", "/v1/keys", {
      payload: CreateOwnKey,
      success: KeyCreated.pipe(HttpApiSchema.status(201)),
      error: Conflict
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a key",
        description: "Extension. Creates a key of the same environment. At most 100 may be valid."
      })
    ),
    HttpApiEndpoint.delete("revoke", "/v1/keys/:id", {
      params: { id: Schema.String },
      success: HttpApiSchema.NoContent.annotate({ description: "The key is revoked." }),
      error: NotFound
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Revoke a key",
        description: "Extension. Revokes a key; every process refuses it within two seconds."
      })
    )
  )
  .middleware(Authorization) {}
