import { Array, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { randomBytes, randomUUID } from "node:crypto"
import type { Wallet } from "@sightline/domain/Wallet"
import type { AccountDetached } from "@sightline/domain/Account"
import { TooManyWebhooks, WebhookEvent, WebhookId } from "@sightline/domain/Webhook"
import { inTurn } from "./Accounts.ts"
import { recorded } from "./Actions.ts"
import { isoTime } from "./Columns.ts"
import { failPending } from "./Deliveries.ts"
import { isOwnedBy } from "./Ownership.ts"
import * as Sealed from "./Sealed.ts"

const Row = Schema.Struct({
  id: WebhookId,
  url: Schema.String,
  description: Schema.NullOr(Schema.String),
  events: Schema.Array(WebhookEvent),
  enabled: Schema.Boolean,
  createdAt: Schema.String,
  updatedAt: Schema.String
})

/** An endpoint as its owner may see it at any time. */
export type WebhookEndpoint = typeof Row.Type

/** The settings of an endpoint that its owner chooses. */
type EndpointInput = Pick<WebhookEndpoint, "url" | "description" | "events" | "enabled">

/** A new endpoint with its first secret. */
interface Created {
  readonly endpoint: WebhookEndpoint
  readonly secret: Redacted.Redacted
}

/** An endpoint after an update, with its new secret if one was requested. */
interface Updated {
  readonly endpoint: WebhookEndpoint
  readonly secret: Option.Option<Redacted.Redacted>
}

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const columns = `id, url, description, events, enabled, ${isoTime("created_at")} AS created_at,
  ${isoTime("updated_at")} AS updated_at`

const endpointsMax = 100

const makeSecret = () => Redacted.make(randomBytes(32).toString("hex"))

/** The statements on the table. Each sees only its owner's endpoints that are not deleted. */
const statements = (sql: SqlClient.SqlClient) => {
  const shown = sql.literal(columns)
  const own = (wallet: Wallet) => sql`${isOwnedBy(sql, wallet)} AND deleted_at IS NULL`
  return {
    select: (wallet: Wallet) =>
      sql`SELECT ${shown} FROM webhook_endpoints WHERE ${own(wallet)} ORDER BY webhook_endpoints.created_at DESC, id DESC`,
    selectOne: (wallet: Wallet, id: WebhookId) =>
      sql`SELECT ${shown} FROM webhook_endpoints WHERE ${own(wallet)} AND id = ${id}`,
    insert: (
      wallet: Wallet,
      id: WebhookId,
      { url, description, events, enabled }: EndpointInput,
      secret: Uint8Array,
      record: Statement.Fragment
    ) => sql`
      INSERT INTO webhook_endpoints (id, account_id, environment, url, description, events, enabled, secret, created_at, updated_at)
      SELECT ${id}::uuid, ${wallet.accountId}::uuid, ${wallet.environment}, ${url}, ${description}::text, ${events}::text[],
        ${enabled}::boolean, ${secret}::bytea, moment, moment
      FROM clock_timestamp() AS moment
      WHERE (SELECT count(*) FROM webhook_endpoints WHERE ${own(wallet)}) < ${endpointsMax}
      RETURNING ${shown}, ${record}`,
    update: (
      wallet: Wallet,
      id: WebhookId,
      change: Partial<EndpointInput>,
      secret: Uint8Array | null,
      record: Statement.Fragment
    ) => sql`
      UPDATE webhook_endpoints
      SET url = coalesce(${change.url ?? null}::text, url),
        description = CASE WHEN ${change.description === undefined}::boolean THEN description ELSE ${change.description ?? null}::text END,
        events = coalesce(${change.events ?? null}::text[], events),
        enabled = coalesce(${change.enabled ?? null}::boolean, enabled),
        secret = coalesce(${secret}::bytea, secret),
        updated_at = clock_timestamp()
      WHERE ${own(wallet)} AND id = ${id}
      RETURNING ${shown}, ${record}`,
    remove: (wallet: Wallet, id: WebhookId, record: Statement.Fragment) => sql`
      UPDATE webhook_endpoints SET deleted_at = clock_timestamp(), enabled = false, secret = NULL
      WHERE ${own(wallet)} AND id = ${id}
      RETURNING id, ${record}`,
    stop: (wallet: Wallet, id: WebhookId) =>
      failPending(sql, "endpoint_disabled", sql`${isOwnedBy(sql, wallet)} AND receiver_id = ${id}`)
  }
}

/** The host of an endpoint, for the record of actions: a path or a query may contain a secret. */
const hostOf = ({ url }: Partial<EndpointInput>) => (url === undefined ? {} : { host: new URL(url).host })

/**
 * The webhook endpoints of customers: up to 100 per account and environment.
 *
 * Laws: the text of a secret leaves through the call that made it, and through `Attempts` to sign; the table alone reveals none. A
 * deleted endpoint can no longer be found and its secret is erased, but its row remains as the receiver of its deliveries. Disabling or
 * deleting an endpoint fails its pending deliveries in the same commit, and the deliveries of asks that finish later are failed from
 * the start. Enabling it again restores none of them.
 * Source: decisions D1, D4.
 */
export class WebhookEndpoints extends Context.Service<
  WebhookEndpoints,
  {
    readonly create: (wallet: Wallet, input: EndpointInput) => Effect.Effect<Created, TooManyWebhooks | AccountDetached>
    /** Newest first. */
    readonly list: (wallet: Wallet) => Effect.Effect<ReadonlyArray<WebhookEndpoint>>
    readonly find: (wallet: Wallet, id: WebhookId) => Effect.Effect<Option.Option<WebhookEndpoint>>
    /** Changes the given settings, all or none. A rotated secret is void from the commit. */
    readonly update: (
      wallet: Wallet,
      id: WebhookId,
      change: Partial<EndpointInput> & { readonly rotateSecret?: boolean }
    ) => Effect.Effect<Option.Option<Updated>>
    /** Deletes an endpoint. Returns whether there was one. */
    readonly remove: (wallet: Wallet, id: WebhookId) => Effect.Effect<boolean>
  }
>()("@sightline/store/WebhookEndpoints") {
  /** `key` is 32 bytes. With another one no stored secret opens. */
  static readonly layer = (key: Redacted.Redacted<Uint8Array>) =>
    Layer.effect(
      WebhookEndpoints,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { insert, remove, select, selectOne, stop, update } = statements(sql)
        const seal = (id: WebhookId, secret: Redacted.Redacted) =>
          Sealed.seal(key, { table: "webhook_endpoints", id, column: "secret" }, secret)

        return WebhookEndpoints.of({
          create: Effect.fn("WebhookEndpoints.create")(function* (wallet, input) {
            const [id, secret] = [WebhookId.make(randomUUID()), makeSecret()]
            const facts = { environment: wallet.environment, ...hostOf(input) }
            const record = yield* recorded(sql, "webhook_created", facts)
            const [endpoint] = yield* insert(wallet, id, input, seal(id, secret), record).pipe(
              Effect.flatMap(decodeRows),
              Effect.orDie,
              inTurn(sql, wallet)
            )
            if (endpoint === undefined) return yield* new TooManyWebhooks({ most: endpointsMax })
            return { endpoint, secret }
          }),
          list: (wallet) => select(wallet).pipe(Effect.flatMap(decodeRows), Effect.orDie),
          find: (wallet, id) =>
            selectOne(wallet, id).pipe(Effect.flatMap(decodeRows), Effect.map(Array.head), Effect.orDie),
          update: Effect.fn("WebhookEndpoints.update")(
            function* (wallet, id, { rotateSecret = false, ...change }) {
              const secret = rotateSecret ? Option.some(makeSecret()) : Option.none()
              const sealed = Option.map(secret, (text) => seal(id, text))
              const fields = [...Object.keys(change), ...(rotateSecret ? ["secret"] : [])].sort()
              const record = yield* recorded(sql, "webhook_updated", { fields, ...hostOf(change) })
              // First, because once this transaction has recorded an action, all other actions wait until it commits.
              if (change.enabled === false) yield* stop(wallet, id)
              const rows = yield* decodeRows(yield* update(wallet, id, change, Option.getOrNull(sealed), record))
              return Option.map(Array.head(rows), (endpoint) => ({ endpoint, secret }))
            },
            sql.withTransaction,
            Effect.orDie
          ),
          remove: Effect.fn("WebhookEndpoints.remove")(
            function* (wallet, id) {
              yield* stop(wallet, id)
              return Array.isReadonlyArrayNonEmpty(yield* remove(wallet, id, yield* recorded(sql, "webhook_deleted")))
            },
            sql.withTransaction,
            Effect.orDie
          )
        })
      })
    )
}
