import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { Platform } from "@sightline/domain/Platform"
import type { Wallet } from "@sightline/domain/Wallet"
import * as Batch from "./Batch.ts"
import { pruned } from "./RowCount.ts"

/** What cools down, which means that it is not asked: one platform from one country (ISO 3166-1 alpha-2), for one wallet. */
export interface CooldownScope {
  readonly wallet: Wallet
  readonly platform: Platform
  readonly country: string
}

const Row = Schema.Struct({ key: Schema.String, seconds: Schema.Int })

/**
 * The keys that a cooldown applies to, as in `capture_rests.environment`: all live keys, because they ask the same site, or the test keys
 * of one account, because its simulated platforms are no other account's.
 */
const sharedBy = ({ accountId, environment }: Wallet): string =>
  environment === "live" ? environment : `${environment} ${accountId}`

const keyOf = ({ wallet, platform, country }: CooldownScope): string => `${sharedBy(wallet)} ${platform} ${country}`

/**
 * Platforms that are not asked for a while because they demanded a pause, over all processes, by the database's clock.
 *
 * Laws: a cooldown applies in every process until it is over: for all live keys, or for the test keys of the account that caused it. It is
 * never shortened by another.
 */
export class Cooldowns extends Context.Service<
  Cooldowns,
  {
    /** Starts a cooldown of `seconds` from now. */
    readonly start: (one: CooldownScope, seconds: number) => Effect.Effect<void>
    /** The seconds that are left of the cooldown, rounded up; 0 if the platform may be asked. */
    readonly secondsLeft: (one: CooldownScope) => Effect.Effect<number>
    /** Deletes cooldowns that are over or too far ahead, up to a thousand at a time. Returns how many. */
    readonly prune: Effect.Effect<number>
  }
>()("@sightline/store/Cooldowns") {
  static readonly layer = Layer.effect(
    Cooldowns,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insert = ({ wallet, platform, country }: CooldownScope, seconds: number) => sql`
        INSERT INTO capture_rests AS kept (environment, platform, country, rests_until)
        VALUES (${sharedBy(wallet)}, ${platform}, ${country}, clock_timestamp() + make_interval(secs => ${seconds}))
        ON CONFLICT (environment, platform, country) DO UPDATE
          SET rests_until = greatest(kept.rests_until, excluded.rests_until)`

      const select = SqlSchema.findAll({
        Request: Schema.Array(Schema.String),
        Result: Row,
        execute: (keys) => sql`
          SELECT key, ceil(extract(epoch FROM rests_until - clock_timestamp()))::integer AS seconds
          FROM capture_rests, LATERAL concat_ws(' ', environment, platform, country) AS key
          WHERE rests_until > clock_timestamp() AND key = ANY (${keys}::text[])`
      })

      const secondsLeftAll = Effect.fnUntraced(function* (asked: ReadonlyArray<CooldownScope>) {
        const keys = asked.map(keyOf)
        const rows = yield* select([...new Set(keys)])
        const found = new Map(rows.map(({ key, seconds }) => [key, seconds]))
        return keys.map((key) => found.get(key) ?? 0)
      })
      const secondsLeft = yield* Batch.make({ name: "rests", max: 100, run: secondsLeftAll })

      return Cooldowns.of({
        start: (one, seconds) => Effect.orDie(Effect.asVoid(insert(one, seconds))),
        secondsLeft: (one) => Effect.orDie(secondsLeft(one)),
        // No cooldown lasts two minutes, so one that does was written before the clock was set back.
        prune: pruned(
          sql,
          "capture_rests",
          "ctid",
          "rests_until <= clock_timestamp() OR rests_until > clock_timestamp() + interval '2 minutes'"
        )
      })
    })
  )
}
