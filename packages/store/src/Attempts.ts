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
 * An attempt that is recorded as begun and is to be made now.
 *
 * Shape: `id` is the id of the attempt, and `number` counts from 1. `late` is how late the first attempt is, in seconds. `begunSeconds`
 * is when it began, in Unix seconds of the database's clock. `receiverId` is the id of the endpoint or of the watch. `url` and `secret`
 * are the current ones of the receiver; a secret that cannot be opened is none.
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

/** The outcome of an attempt. Without an error the delivery is delivered; without an address no server was reached. */
export interface AttemptEnd {
  readonly attempt: Pick<Attempt, "deliveryId" | "number">
  readonly durationMillis: number
  readonly remoteAddress: string | null
  readonly statusCode: number | null
  readonly error: string | null
  readonly excerpt: string | null
}

/** A position in a round over the receivers. */
export interface RoundPosition {
  readonly accountId: string
  readonly receiverId: string
}

/** One step of a round: what it began, whether it wrote anything at all, and where the next one starts. */
export interface Begun {
  readonly attempts: ReadonlyArray<Attempt>
  readonly moved: boolean
  readonly next: Option.Option<RoundPosition>
}

/** Before all receivers. */
const start: RoundPosition = { accountId: nil, receiverId: nil }

const endsMax = 500

/** The most opened secrets in the cache. */
const secretsMax = 10_000

/**
 * The attempts of deliveries: recorded as begun before a request is sent, and as ended when the outcome is known.
 *
 * Laws, for any number of processes: a delivery has at most three attempts, one at a time. At most 10 are in progress to one receiver,
 * and no receiver waits for the attempts of another. An attempt that is not ended within 30 s counts as unanswered. At most 50 are in
 * progress for one account: in each process always, and over all processes as far as the receivers of one step show them. Times are
 * those of the database's clock.
 * Source: decisions D2, D4.
 */
export class Attempts extends Context.Service<
  Attempts,
  {
    /**
     * Begins up to `limit` attempts that are due. A round over all receivers starts without a place. `busy` is how many attempts the
     * caller has in progress, by account.
     */
    readonly begin: (
      limit: number,
      from: Option.Option<RoundPosition>,
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

        // Opening a secret costs more than the rest of an attempt here.
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
