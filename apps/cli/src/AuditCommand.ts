import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Duration, Effect, Layer, Option, Schema } from "effect"
import { Command } from "effect/cli"
import { Audit } from "@sightline/contract/AdminApi"
import { answer } from "./Answer.ts"
import { operator } from "./Connection.ts"
import { Patience, responseMode } from "./Exchange.ts"
import { NegativeAnswer } from "./Failure.ts"
import { fields, parts, type Screen, table } from "./Table.ts"

const show = ({ ok, accounts, charges, differences }: typeof Audit.Type, screen: Screen): string => {
  const rows = differences.map((difference) => [JSON.stringify(difference)])
  return parts(
    fields({ ok, accounts, charges, differences: differences.length }),
    ok ? "" : table(screen, ["difference"], rows)
  )
}

const agreed = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Struct({ ok: Schema.Literal(true) })))

/**
 * `sightline audit`: the auditor's recomputation of every charge, balance and chain. Exits with 1 if the books do not agree.
 *
 * Choice: not `fetch`, which gives up if the answer does not begin within five minutes. The recomputation takes as long as it needs.
 */
export const audit = Command.make(
  "audit",
  {},
  Effect.fnUntraced(
    function* () {
      const client = yield* operator
      const body = yield* answer(client.admin.audit({ responseMode }), Audit, show)
      if (Option.isNone(agreed(body))) return yield* new NegativeAnswer()
    },
    Effect.provide(Layer.merge(NodeHttpClient.layerNodeHttp, Layer.succeed(Patience, Duration.infinity)))
  )
).pipe(Command.withDescription("Recompute every charge, balance and chain of hashes (operators, with ADMIN_TOKEN)"))
