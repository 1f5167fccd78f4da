import { Effect } from "effect"
import { Command } from "effect/cli"
import { KeyCreated, KeyList } from "@sightline/contract/KeyApi"
import { answer, done } from "./Answer.ts"
import { customer } from "./Connection.ts"
import { responseMode } from "./Exchange.ts"
import { id, readOnly } from "./Flags.ts"
import { fields, type Screen, table } from "./Table.ts"

const showAll = ({ keys: all }: KeyList, screen: Screen): string =>
  table(
    screen,
    ["key", "environment", "read only", "created", "revoked", "this one"],
    all.map((one) => [one.id, one.environment, one.read_only, one.created_at, one.revoked_at, one.current])
  )

const showCreated = ({ key }: KeyCreated): string =>
  fields({ key: key.id, environment: key.environment, "read only": key.read_only, text: key.text })

const list = Command.make(
  "list",
  {},
  Effect.fnUntraced(function* () {
    const client = yield* customer
    yield* answer(client.keys.list({ responseMode }), KeyList, showAll)
  })
).pipe(Command.withDescription("List the account's keys, without their secret text"))

const create = Command.make(
  "create",
  {
    read_only: readOnly
  },
  Effect.fnUntraced(function* (payload) {
    const client = yield* customer
    yield* answer(client.keys.create({ payload, responseMode }), KeyCreated, showCreated)
  })
).pipe(Command.withDescription("Create a key of the same environment; it is shown once"))

const revoke = Command.make(
  "revoke",
  { id },
  Effect.fnUntraced(function* (params) {
    const client = yield* customer
    yield* done(client.keys.revoke({ params, responseMode }), `key ${params.id} is revoked`)
  })
).pipe(Command.withDescription("Revoke a key"))

/** `sightline keys`: the account's own keys. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("The account's own keys"),
  Command.withSubcommands([list, create, revoke])
)
