import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { AccountId } from "@sightline/domain/Account"
import { Entry } from "@sightline/domain/Ledger"
import { Environment } from "@sightline/domain/Platform"
import { Amount, Count, entryColumns } from "./Columns.ts"
import { BelowSequence, cursorOf, CursorUnknown, type Page, type PageRequest, readCursor } from "./Cursor.ts"
import { isOwnedBy } from "./Ownership.ts"

const Row = Schema.Struct({
  ...Entry.fields,
  sequence: Count,
  amount: Amount,
  availableAfter: Amount,
  heldAfter: Amount
})

/** For each wallet of the account, the sequence number below which the next page lies. */
type Position = Readonly<Record<Environment, number>>

const top: Position = { live: Number.MAX_SAFE_INTEGER, test: Number.MAX_SAFE_INTEGER }

const parse = (cursor: string): Effect.Effect<Position, CursorUnknown> => {
  const [, live, test] = /^(\d{1,16})-(\d{1,16})$/.exec(readCursor("ledger", cursor) ?? "") ?? []
  const position = { live: Number(live), test: Number(test) }
  return Number.isSafeInteger(position.live) && Number.isSafeInteger(position.test)
    ? Effect.succeed(position)
    : Effect.fail(new CursorUnknown({ cursor }))
}

/** The newest `limit` entries of all wallets. The entries of each wallet are given newest first. */
const merge = (entries: ReadonlyArray<Entry>, from: Position, limit: number): Page<Entry> => {
  const queues = Environment.literals.map((environment) => entries.filter((entry) => entry.environment === environment))
  const taken: Array<Entry> = []
  const position = { ...from }
  while (taken.length < limit) {
    const [next] = queues.filter((queue) => queue.length > 0).sort(([a], [b]) => newestFirst(a, b))
    const entry = next?.shift()
    if (entry === undefined) break
    taken.push(entry)
    position[entry.environment] = entry.sequence
  }
  const more = queues.some((queue) => queue.length > 0)
  return { rows: taken, nextCursor: more ? cursorOf("ledger", `${position.live}-${position.test}`) : null }
}

const newestFirst = (a: Entry | undefined, b: Entry | undefined): number =>
  (b?.createdAt ?? "").localeCompare(a?.createdAt ?? "")

/** The entries of the books, as operators and owners read them. */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** Newest first, of both wallets of an account unless one environment is named. */
    readonly page: (
      request: PageRequest & { readonly accountId: AccountId; readonly environment?: Environment }
    ) => Effect.Effect<Page<Entry>, CursorUnknown>
  }
>()("@sightline/store/Ledger") {
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const before = SqlSchema.findAll({
        Request: BelowSequence,
        Result: Row,
        execute: ({ sequence, limit, ...wallet }) => sql`
          SELECT ${sql.literal(entryColumns)} FROM ledger_entries
          WHERE ${isOwnedBy(sql, wallet)} AND sequence < ${sequence}
          ORDER BY sequence DESC LIMIT ${limit}`
      })

      return Ledger.of({
        page: Effect.fn("Ledger.page")(function* ({ accountId, environment, cursor, limit }) {
          const from = cursor === undefined ? top : yield* parse(cursor)
          const environments = environment === undefined ? Environment.literals : [environment]
          const found = yield* Effect.forEach(environments, (each) =>
            Effect.orDie(before({ accountId, environment: each, sequence: from[each], limit: limit + 1 }))
          )
          return merge(found.flat(), from, limit)
        })
      })
    })
  )
}
