import { Array, Context, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { LRUCache } from "lru-cache"
import type { WebhookEvent } from "@sightline/domain/Webhook"
import { makeBegin, makeEnd, type Step } from "./AttemptStatements.ts"
import * as Batch from "./Batch.ts"
import { nil } from "./RowId.ts"
import * as Sealed from "./Sealed.ts"

/** How long a delivery waits: after its first failed attempt and after its second. */
export type RetryDelays = readonly [first: Duration.Duration, second: Duration.Duration]

/**
 * An attempt that the books have begun and that is to be made now.
 *
 * Shape: `id` is the attempt's own, `number` counts from 1, and the first knows how `late` it is, in seconds; `begunSeconds` is when,
 * in Unix seconds of the database's clock; `receiverId` is the endpoint's or the watch's. `url` and `secret` are the receiver's as they
 * are now; a secret that does not open is none.
 */
export interface Attempt {
  readonly id: string
  readonly deliveryId: string
  readonly accountId: string
  readonly number: number
  readonly late: Option.Option<number>
  readonly begunSeconds: number
  readonly event: WebhookEvent
  readonly watchId: Option.Option<string>
  readonly receiverId: string
  readonly url: string
  readonly body: Uint8Array
  readonly secret: Option.Option<Redacted.Redacted>
}

/** What came of an attempt; without an error the delivery is delivered, without an address nobody was reached. */
export interface AttemptEnd {
  readonly attempt: Pick<Attempt, "deliveryId" | "number">
  readonly durationMillis: number
  readonly remoteAddress: string | null
  readonly statusCode: number | null
  readonly error: string | null
  readonly excerpt: string | null
}

/** Where a round over the receivers has got to. */
export interface Place {
  readonly accountId: string
  readonly receiverId: string
}

/** One step of a round: what it began, whether it wrote anything at all, and where the next one starts. */
export interface Begun {
  readonly attempts: ReadonlyArray<Attempt>
  readonly moved: boolean
  readonly next: Option.Option<Place>
}

/** Before all receivers. */
const start: Place = { accountId: nil, receiverId: nil }

const endsMax = 500

/** Opened secrets that are remembered. */
const secretsMax = 10_000

/**
 * The attempts of deliveries: begun in the books before a request leaves, ended once it is known what came of it.
 *
 * Laws, in any number of processes: a delivery has at most three attempts and at most one at a time; at most 10 are under way
 * to one receiver; no receiver waits for another one's turns. An attempt that nobody ends within 30 s counts as one without an
 * answer. At most 50 are under way for one account: over all processes as far as the receivers of one step show it, and in each
 * process whatever they show. By the database's clock.
 * Source: decisions D2, D4.
 */
export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Begins up to `limit` attempts that are due; a round over all receivers starts without a place. `busy` says how many
     * attempts of which accounts the caller has under way.
     */
    readonly begin: (
      limit: number,
      from: Option.Option<Place>,
      busy: ReadonlyMap<string, number>
    ) => Effect.Effect<Begun>
    /** Ends an attempt: the delivery is delivered, waits for its next attempt, or has failed. */
    readonly end: (end: AttemptEnd) => Effect.Effect<void>
  }
>()("@sightline/store/Attempts") {
  /** `key` is the 32 bytes that the receivers' secrets are sealed with. */
  static readonly layer = (options: {
    readonly key: Redacted.Redacted<Uint8Array>
    readonly retryDelays: RetryDelays
  }) =>
    Layer.effect(
      Attempts,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const delays = options.retryDelays.map(Duration.toSeconds)
        const [begin, endAll] = [makeBegin(sql), makeEnd(sql)]

        // Opening one costs more than all else of an attempt in here.
        const opened = new LRUCache<string, Redacted.Redacted>({ max: secretsMax })
        const secretOf = Effect.fnUntraced(function* (table: string, id: string, sealed: Uint8Array) {
          const key = `${id} ${Buffer.from(sealed).toString("latin1")}`
          const secret = opened.get(key) ?? (yield* Sealed.open(options.key, { table, id, column: "secret" }, sealed))
          opened.set(key, secret)
          return secret
        }, Effect.option)

        const attemptOf = Effect.fnUntraced(function* (row: Extract<typeof Step.Type, { readonly id: string }>) {
          const { secret: sealed, watchId, ...begun } = row
          const table = watchId === null ? "webhook_endpoints" : "watches"
          const secret = sealed === null ? Option.none() : yield* secretOf(table, row.receiverId, sealed)
          return { ...begun, watchId: Option.fromNullOr(watchId), secret } satisfies Attempt
        })

        const end = yield* Batch.make({
          name: "attempt_ends",
          max: endsMax,
          run: (ends: Array.NonEmptyReadonlyArray<AttemptEnd>) =>
            endAll({
              ends: ends.map(({ attempt, durationMillis, error, excerpt, remoteAddress, statusCode }) => ({
                delivery_id: attempt.deliveryId,
                number: attempt.number,
                duration_ms: durationMillis,
                status_code: statusCode,
                error,
                response_excerpt: excerpt,
                remote_address: remoteAddress
              })),
              delays
            }).pipe(Effect.as(ends))
        })

        return Attempts.of({
          begin: Effect.fnUntraced(function* (limit, from, busy) {
            const place = Option.getOrElse(from, () => start)
            const rows = yield* begin({ ...place, limit, delays, busy: Object.fromEntries(busy) })
            const [last] = rows
            if (last === undefined) return { attempts: [], moved: false, next: Option.none() }
            return {
              attempts: yield* Effect.forEach(
                rows.flatMap((row) => (row.id === null ? [] : [row])),
                attemptOf
              ),
              moved: last.moved,
              next: last.isLast
                ? Option.none()
                : Option.some({ accountId: last.lastAccountId, receiverId: last.lastReceiverId })
            }
          }, Effect.orDie),
          end: (one) => end(one).pipe(Effect.asVoid, Effect.orDie)
        })
      })
    )
}
