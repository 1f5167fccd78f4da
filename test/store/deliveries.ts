import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import type { WebhookId } from "@sightline/domain/Webhook"
import { Accounts } from "@sightline/store/Accounts"
import * as Sealed from "@sightline/store/Sealed"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"

/** The key that receivers' secrets are sealed with. */
export const key = Redacted.make(new Uint8Array(32).fill(7))

/** An account with an endpoint at `url`. */
export const newEndpoint = Effect.fnUntraced(function* (url: string) {
  const { id: accountId } = yield* (yield* Accounts).create("Acme")
  return yield* endpointOf(accountId, url)
})

/** One more endpoint of an account. */
export const endpointOf = Effect.fnUntraced(function* (accountId: Parameters<typeof walletOf>[0], url: string) {
  const wallet = walletOf(accountId)
  const wishes = { url, description: null, events: ["ask.completed"], enabled: true } as const
  const { endpoint, secret } = yield* (yield* WebhookEndpoints).create(wallet, wishes)
  return { wallet, id: endpoint.id, secret: Redacted.value(secret) }
})

const walletOf = (accountId: Effect.Success<ReturnType<Accounts["Service"]["create"]>>["id"]) =>
  ({ accountId, environment: "live" }) as const

/** An endpoint with what tests need of it. */
export interface Endpoint {
  readonly wallet: { readonly accountId: string; readonly environment: string }
  readonly id: WebhookId
}

/** Writes `count` deliveries to an endpoint, due now. Returns their ids. */
export const write = Effect.fnUntraced(function* (
  { id, wallet }: Endpoint,
  count = 1,
  body = JSON.stringify({ type: "ask.completed" })
) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ id: string }>`
    INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
    SELECT gen_random_uuid(), ${wallet.accountId}::uuid, ${wallet.environment}, 'ask.completed', ${id}::uuid, gen_random_uuid(),
      'https://old.acme.com/', ${Buffer.from(body)}::bytea, 'pending', moment, moment
    FROM clock_timestamp() AS moment, generate_series(1, ${count}::integer)
    RETURNING id`
  return rows.map((row) => row.id)
})

/** A watch with one due delivery, of a new account unless an owner is given. */
export const writeForWatch = Effect.fnUntraced(function* (url: string, enabled = true, owner?: string) {
  const sql = yield* SqlClient.SqlClient
  const accountId = owner ?? (yield* (yield* Accounts).create("Acme")).id
  const [watchId, deliveryId, secret] = [randomUUID(), randomUUID(), "the watch's own secret"]
  const sealed = Sealed.seal(key, { table: "watches", id: watchId, column: "secret" }, Redacted.make(secret))
  yield* sql`
    INSERT INTO watches (id, account_id, environment, query, brand, mode, "interval", webhook_url, secret, trigger_on,
      sensitivity, enabled, next_run_at, created_at)
    VALUES (${watchId}, ${accountId}, 'live', 'q', 'b', 'quick', 'daily', ${url}, ${sealed}, '{mention_added}',
      'every_change', ${enabled}, now(), now())`
  yield* sql`
    INSERT INTO deliveries (id, account_id, environment, event, watch_id, run_id, url, body, status, created_at, next_attempt_at)
    VALUES (${deliveryId}, ${accountId}, 'live', 'watch.fired', ${watchId}, gen_random_uuid(), ${url}, '\\x7b7d', 'pending',
      clock_timestamp(), clock_timestamp())`
  return { accountId, watchId, deliveryId, secret }
})

/** Lets `seconds` pass for all deliveries. */
export const pass = (seconds: number) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.andThen(
      sql`UPDATE deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}::float8),
        lease_expires_at = lease_expires_at - make_interval(secs => ${seconds}::float8)
        WHERE status = 'pending'`,
      sql`UPDATE attempts SET started_at = started_at - make_interval(secs => ${seconds}::float8)`
    )
  )

/** Lets `seconds` pass for one delivery. */
export const passFor = (id: string, seconds: number) =>
  SqlClient.SqlClient.use(
    (sql) => sql`
      UPDATE deliveries SET next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}::float8)
      WHERE id = ${id} AND status = 'pending' AND lease_expires_at IS NULL`
  )

/** The row of a delivery; `waits` is how many seconds it still waits. */
export const deliveryRow = (id: string) =>
  SqlClient.SqlClient.use((sql) =>
    Effect.map(
      sql<{
        status: string
        reason: string | null
        attempts: number
        url: string
        waits: number | null
        leased: boolean
      }>`
        SELECT status, reason, attempts, url, lease_expires_at IS NOT NULL AS leased,
          extract(epoch FROM next_attempt_at - clock_timestamp())::float8 AS waits
        FROM deliveries WHERE id = ${id}`,
      ([row]) => row ?? assertNever(id)
    )
  )

const assertNever = (id: string): never => {
  throw new Error(`no delivery ${id}`)
}

/** The attempts of a delivery in their order. */
export const attemptRows = (deliveryId: string) =>
  SqlClient.SqlClient.use(
    (sql) =>
      sql<{
        id: string
        number: number
        durationMs: number | null
        remoteAddress: string | null
        statusCode: number | null
        error: string | null
        responseExcerpt: string | null
      }>`
        SELECT id, number, duration_ms, remote_address, status_code, error, response_excerpt FROM attempts
        WHERE delivery_id = ${deliveryId} ORDER BY number`
  )
