import { Api } from "@sightline/contract/Api"
import { Caller } from "@sightline/contract/Authorization"
import { CreateOwnKey, type KeyCreated, type KeyList } from "@sightline/contract/KeyApi"
import { KeyId } from "@sightline/domain/ApiKey"
import type { Wallet } from "@sightline/domain/Wallet"
import { keyInvalid, refuse } from "@sightline/server/http/Refusal"
import { decodeJson, withBody } from "@sightline/server/http/RequestBody"
import { respond } from "@sightline/server/http/Respond"
import { changing } from "@sightline/server/keys/ChangeGate"
import { Keyring } from "@sightline/server/keys/Keyring"
import { owner } from "@sightline/server/keys/Owner"
import { counted } from "@sightline/server/keys/RateLimit"
import { ApiKeys, type KeyRecord } from "@sightline/store/ApiKeys"
import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { withOwn } from "./PathId.ts"

const decode = decodeJson(CreateOwnKey)

const render = ({ id, environment, readOnly, createdAt, revokedAt }: KeyRecord) => ({
  id,
  environment,
  read_only: readOnly,
  created_at: createdAt,
  revoked_at: revokedAt
})

const renderFor = (current: KeyId) => (record: KeyRecord) => ({ ...render(record), current: record.id === current })

const list = Effect.gen(function* () {
  const { keyId } = yield* Caller
  const records = yield* (yield* ApiKeys).list(yield* owner)
  return yield* respond<KeyList>({
    keys: records.map(renderFor(keyId))
  })
})

const create = Effect.fnUntraced(
  function* ({ read_only: readOnly }: typeof CreateOwnKey.Type) {
    const { keyId: maker } = yield* Caller
    const { record, key } = yield* (yield* ApiKeys).createOwn(yield* owner, { maker, readOnly })
    return yield* respond<KeyCreated>({ key: { ...render(record), text: key } }, 201)
  },
  Effect.catchTags({
    TooManyKeys: ({ most }) => refuse(409, "conflict", `There are ${most} valid keys already. Revoke one first.`),
    KeyRevoked: () => keyInvalid,
    AccountDetached: () => keyInvalid
  })
)

const revoke = Effect.fnUntraced(function* (text: string) {
  const keys = yield* ApiKeys
  const keyring = yield* Keyring
  const revoked = (wallet: Wallet, id: string) =>
    Effect.map(keys.revokeOwn(wallet, KeyId.make(id)), Option.liftPredicate(Boolean))
  return yield* withOwn(text, revoked, {
    missing: refuse(404, "not_found", "There is no such key."),
    use: () => Effect.as(keyring.forget, HttpServerResponse.empty())
  })
})

/** `/v1/keys`. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(Api, "keys", (handlers) => {
  const post = withBody(decode, (input) => counted(changing(create(input))))
  return handlers
    .handle("list", () => counted(list))
    .handleRaw("create", ({ request }) => post(request))
    .handle("revoke", ({ params }) => counted(changing(revoke(params.id))))
})
