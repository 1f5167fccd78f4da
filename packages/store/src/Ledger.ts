import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { AccountId } from "@sightline/domain/Account"
import { Entry } from "@sightline/domain/Ledger"
import { Environment } from "@sightline/domain/Platform"
import { Amount, Count, entryColumns } from "./Columns.ts"
import { BelowSequence, type Page, type PageRequest, topSequence } from "./Page.ts"
import { isOwnedBy } from "./Ownership.ts"

const Row = Schema.Struct({
  ...Entry.fields,
  sequence: Count,
  amount: Amount,
  availableAfter: Amount,
  heldAfter: Amount
})

/** For each wallet of the account, the sequence number below which the next page lies. */
export type LedgerPosition = Readonly<Record<Environment, number>>

const top: LedgerPosition = { live: topSequence, test: topSequence }

/** The newest `limit` entries of all wallets. The entries of each wallet are given newest first. */
const merge = (entries: ReadonlyArray<Entry>, from: LedgerPosition, limit: number): Page<Entry, LedgerPosition> => {
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
  return { rows: taken, next: more ? position : null }
}

const newestFirst = (a: Entry | undefined, b: Entry | undefined): number =>
  (b?.createdAt ?? "").localeCompare(a?.createdAt ?? "")

/** The entries of the books, as operators and owners read them. */
export class Ledger extends Context.Service<
  Ledger,
  {
    /** Newest first, of both wallets of an account unless one environment is named. */
    readonly page: (
      request: PageRequest<LedgerPosition> & { readonly accountId: AccountId; readonly environment?: Environment }
    ) => Effect.Effect<Page<Entry, LedgerPosition>>
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
        page: Effect.fn("Ledger.page")(function* ({ accountId, environment, after = top, limit }) {
          const environments = environment === undefined ? Environment.literals : [environment]
          const found = yield* Effect.forEach(environments, (each) =>
            before({ accountId, environment: each, sequence: after[each], limit: limit + 1 })
          )
          return merge(found.flat(), after, limit)
        }, Effect.orDie)
      })
    })
  )
}
