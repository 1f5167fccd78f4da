/**
 * Attempts as rows: which may begin, how many at a time, and what follows from their ends.
 *
 * Planted faults, each seen red:
 * - 11 to one receiver; no limit for an account, or one for each step alone
 * - a lease not respected; an attempt that was never ended made again at once; an end that fences nothing
 * - deliveries to disabled endpoints
 * - receivers without turns; a round that ends with its first step
 * - the delay measured for a retry too
 * - an attempt under way given up when its endpoint is disabled; a disabling that waits for a step that begins attempts
 * - a lost attempt waited for while its end is being written; all attempts of a delivery counted as lost with its last
 * - a secret in another's row opened from the cache
 * - a step that wrote nothing not distinguished from one that did, or only by what it began
 * - rows found by a plan for empty tables, in the step or in the end
 */
import { assert, layer } from "@effect/vitest"
import { Clock, Duration, Effect, Layer, Option, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Accounts } from "@sightline/store/Accounts"
import { type Attempt, type AttemptEnd, Attempts, type RoundPosition } from "@sightline/store/Attempts"
import { WebhookEndpoints } from "@sightline/store/WebhookEndpoints"
import { layerDatabase } from "./database.ts"
import { attemptRows, deliveryRow, endpointOf, key, newEndpoint, pass, write, writeForWatch } from "./deliveries.ts"
import { keepOpen } from "./locks.ts"
import { rowsRead } from "./rowsRead.ts"

const retryDelays = [Duration.seconds(60), Duration.seconds(300)] as const

const layerStore = Layer.mergeAll(
  Accounts.layer,
  Attempts.layer({ key, retryDelays }),
  WebhookEndpoints.layer(key)
).pipe(Layer.provideMerge(layerDatabase))

const url = "https://hooks.acme.com/in"

/** One whole round: every receiver has its turn. */
const begin = (limit = 500) =>
  Effect.map(
    Attempts.use((attempts) => attempts.begin(limit, Option.none(), new Map())),
    ({ attempts }) => attempts
  )

const end = (attempt: AttemptEnd["attempt"], more: Partial<AttemptEnd> = {}) =>
  Attempts.use((attempts) =>
    attempts.end({
      attempt,
      durationMillis: 12,
      remoteAddress: "192.0.2.7",
      statusCode: 200,
      error: null,
      excerpt: "ok",
      ...more
    })
  )

const failing = { statusCode: 500, error: "http_500" }

/** Removes the deliveries of other tests. */
const clear = SqlClient.SqlClient.use((sql) => sql`DELETE FROM deliveries`)

const one = Effect.map(begin(), (begun) => {
  assert.lengthOf(begun, 1)
  return begun[0] ?? assert.fail("nothing was begun")
})

layer(layerStore, { excludeTestServices: true })("Attempts", (it) => {
  it.effect("are begun with all that is needed to send, and have their row beforehand", () =>
    Effect.gen(function* () {
      yield* clear
      const endpoint = yield* newEndpoint(url)
      const [delivery = ""] = yield* write(endpoint, 1, '{"a":"\u2028é</script>"}')
      const attempt = yield* one
      assert.deepInclude(attempt, {
        number: 1,
        event: "ask.completed",
        receiverId: endpoint.id,
        url,
        watchId: Option.none()
      })
      assert.strictEqual(Buffer.from(attempt.body).toString(), '{"a":"\u2028é</script>"}')
      assert.deepStrictEqual(Option.map(attempt.secret, Redacted.value), Option.some(endpoint.secret))
      assert.deepStrictEqual(yield* attemptRows(delivery), [
        {
          id: attempt.id,
          number: 1,
          durationMs: null,
          remoteAddress: null,
          statusCode: null,
          error: null,
          responseExcerpt: null
        }
      ])
      assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", attempts: 1, url, leased: true })
      assert.isEmpty(yield* begin())
    })
  )

  it.effect("report the delay of the delivery, the first one only", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      yield* write(yield* newEndpoint(url))
      const before = yield* Clock.currentTimeMillis
      yield* sql`UPDATE deliveries SET created_at = clock_timestamp() - interval '90 seconds'`
      const first = yield* one
      const late = Option.getOrThrow(first.late)
      assert.isAtLeast(late, 90)
      assert.isAtMost(late, 91 + ((yield* Clock.currentTimeMillis) - before) / 1000)
      yield* end(first, failing)
      yield* sql`UPDATE deliveries SET next_attempt_at = clock_timestamp()`
      assert.deepInclude(yield* one, { number: 2, late: Option.none() })
    })
  )

  it.effect("have the time of the database's clock at which they began", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      const now = sql<{ readonly at: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 AS at`
      yield* write(yield* newEndpoint(url))
      const [before] = yield* now
      const { begunSeconds } = yield* one
      const [after] = yield* now
      assert.isAtLeast(begunSeconds, before?.at ?? NaN)
      assert.isAtMost(begunSeconds, after?.at ?? NaN)
    })
  )

  it.effect("that succeed end their delivery", () =>
    Effect.gen(function* () {
      yield* clear
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      yield* end(yield* one)
      assert.deepInclude(yield* deliveryRow(delivery), {
        status: "delivered",
        reason: null,
        waits: null,
        leased: false
      })
      assert.deepInclude((yield* attemptRows(delivery))[0], {
        durationMs: 12,
        remoteAddress: "192.0.2.7",
        statusCode: 200,
        error: null,
        responseExcerpt: "ok"
      })
    })
  )

  it.effect("that fail are retried after 60 s and after 300 s, and not after the third", () =>
    Effect.gen(function* () {
      yield* clear
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      for (const delay of [60, 300]) {
        yield* end(yield* one, failing)
        const { waits, ...row } = yield* deliveryRow(delivery)
        assert.deepInclude(row, { status: "pending", reason: null, leased: false })
        assert.approximately(waits ?? 0, delay, 5)
        yield* pass(delay - 6)
        assert.isEmpty(yield* begin())
        yield* pass(6)
      }
      yield* end(yield* one, failing)
      assert.deepInclude(yield* deliveryRow(delivery), {
        status: "failed",
        reason: "http_500",
        attempts: 3,
        waits: null
      })
      yield* pass(100_000)
      assert.isEmpty(yield* begin())
      assert.lengthOf(yield* attemptRows(delivery), 3)
    })
  )

  it.effect("without an end within 30 s count as timed out after 10 s, and the third of them is the last", () =>
    Effect.gen(function* () {
      yield* clear
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      for (const delay of [60, 300]) {
        yield* one
        yield* pass(29)
        assert.isEmpty(yield* begin())
        yield* pass(2)
        assert.isEmpty(yield* begin())
        const { waits, ...row } = yield* deliveryRow(delivery)
        assert.deepInclude(row, { status: "pending", leased: false })
        assert.approximately(waits ?? 0, delay - 21, 5)
        yield* pass(delay)
      }
      yield* one
      yield* pass(31)
      assert.isEmpty(yield* begin())
      assert.deepInclude(yield* deliveryRow(delivery), { status: "failed", reason: "unknown", attempts: 3 })
      assert.deepStrictEqual(
        (yield* attemptRows(delivery)).map(({ error }) => error),
        ["unknown", "unknown", "unknown"]
      )
    })
  )

  it.effect("that have ended keep their end when a later one is counted as lost", () =>
    Effect.gen(function* () {
      yield* clear
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      yield* end(yield* one, failing)
      yield* pass(60)
      yield* one
      yield* pass(31)
      assert.isEmpty(yield* begin())
      const [first, second] = yield* attemptRows(delivery)
      assert.deepInclude(first, { error: "http_500", statusCode: 500 })
      assert.deepInclude(second, { error: "unknown", statusCode: null })
    })
  )

  it.effect("whose end is being written are not waited for by the step that counts lost ones", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      const late = yield* one
      yield* pass(31)
      const letGo = yield* keepOpen(sql`SELECT id FROM attempts WHERE delivery_id = ${delivery} FOR UPDATE`)
      assert.isEmpty(yield* begin())
      assert.deepInclude((yield* attemptRows(delivery))[0], { error: null, durationMs: null })
      yield* letGo
      yield* end(late)
      assert.deepInclude((yield* attemptRows(delivery))[0], { error: null, statusCode: 200 })
      assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", attempts: 1, leased: false })
    })
  )

  it.effect("that end too late get their real end, and their delivery stays as decided", () =>
    Effect.gen(function* () {
      yield* clear
      const [delivery = ""] = yield* write(yield* newEndpoint(url))
      const late = yield* one
      yield* pass(31)
      yield* begin()
      yield* end(late)
      assert.deepInclude((yield* attemptRows(delivery))[0], { error: null, statusCode: 200 })
      assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", attempts: 1 })
      yield* pass(300)
      const next = yield* one
      yield* end(late, failing)
      assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", attempts: 2, leased: true })
      yield* end(next)
      assert.deepInclude(yield* deliveryRow(delivery), { status: "delivered" })
    })
  )

  it.effect("are made to the URL and with the secret current when they begin", () =>
    Effect.gen(function* () {
      yield* clear
      const endpoint = yield* newEndpoint(url)
      const [delivery = ""] = yield* write(endpoint)
      yield* end(yield* one, failing)
      const change = { url: "https://new.acme.com/", rotateSecret: true }
      yield* WebhookEndpoints.use((endpoints) => endpoints.update(endpoint.wallet, endpoint.id, change))
      yield* pass(61)
      const next = yield* one
      assert.strictEqual(next.url, "https://new.acme.com/")
      assert.notStrictEqual(Option.getOrUndefined(Option.map(next.secret, Redacted.value)), endpoint.secret)
      assert.strictEqual((yield* deliveryRow(delivery)).url, "https://new.acme.com/")
    })
  )

  it.effect.each(["deleted", "disabled"])(
    "are not made for an endpoint that is %s: the delivery fails for that reason",
    (how) =>
      Effect.gen(function* () {
        yield* clear
        const endpoint = yield* newEndpoint(url)
        const [delivery = ""] = yield* write(endpoint)
        const attempt = yield* one
        yield* WebhookEndpoints.use((endpoints): Effect.Effect<unknown> =>
          how === "deleted"
            ? endpoints.remove(endpoint.wallet, endpoint.id)
            : endpoints.update(endpoint.wallet, endpoint.id, { enabled: false })
        )
        // The attempt under way ends first.
        assert.deepInclude(yield* deliveryRow(delivery), { status: "pending", leased: true })
        yield* end(attempt, failing)
        assert.deepInclude((yield* attemptRows(delivery))[0], { error: "http_500", statusCode: 500 })
        yield* pass(61)
        assert.isEmpty(yield* begin())
        assert.deepInclude(yield* deliveryRow(delivery), {
          status: "failed",
          reason: "endpoint_disabled",
          attempts: 1,
          waits: null
        })
      })
  )

  it.effect("that are being begun are not waited for when their endpoint is disabled", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* newEndpoint(url)
      const [beingBegun = "", waiting = ""] = yield* write(endpoint, 2)
      const letGo = yield* keepOpen(sql`SELECT id FROM deliveries WHERE id = ${beingBegun} FOR UPDATE`)
      yield* WebhookEndpoints.use((endpoints) => endpoints.update(endpoint.wallet, endpoint.id, { enabled: false }))
      assert.deepInclude(yield* deliveryRow(waiting), { status: "failed", reason: "endpoint_disabled" })
      assert.deepInclude(yield* deliveryRow(beingBegun), { status: "pending" })
      yield* letGo
      assert.isEmpty(yield* begin())
      assert.deepInclude(yield* deliveryRow(beingBegun), { status: "failed", reason: "endpoint_disabled" })
    })
  )

  it.effect("are begun or given up, one of both for each delivery, while its endpoint is disabled and enabled", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* newEndpoint(url)
      const change = (enabled: boolean) =>
        WebhookEndpoints.use((endpoints) => endpoints.update(endpoint.wallet, endpoint.id, { enabled }))
      const serve = Effect.flatMap(begin(5), (begun) => Effect.forEach(begun, (attempt) => end(attempt)))
      for (let round = 0; round < 10; round++) {
        yield* write(endpoint, 40)
        yield* Effect.all([serve, serve, serve, change(false), change(false), serve], { concurrency: "unbounded" })
        yield* begin()
        yield* change(true)
      }
      const kinds = yield* sql<{ kind: string }>`
        SELECT DISTINCT concat_ws(' ', status, reason, attempts, next_attempt_at, lease_expires_at) AS kind FROM deliveries`
      assert.includeMembers(
        ["delivered 1", "failed endpoint_disabled 0"],
        kinds.map(({ kind }) => kind)
      )
    })
  )

  it.effect("of a watch are made with the watch's secret; none for a paused one", () =>
    Effect.gen(function* () {
      yield* clear
      const paused = yield* writeForWatch(url, false)
      const active = yield* writeForWatch(url)
      const attempt = yield* one
      assert.deepInclude(attempt, {
        event: "watch.fired",
        watchId: Option.some(active.watchId),
        receiverId: active.watchId,
        url
      })
      assert.deepStrictEqual(Option.map(attempt.secret, Redacted.value), Option.some(active.secret))
      assert.deepInclude(yield* deliveryRow(paused.deliveryId), {
        status: "failed",
        reason: "watch_paused",
        attempts: 0
      })
    })
  )

  it.effect("with a secret that cannot be opened are begun without it, and do not block others", () =>
    Effect.gen(function* () {
      yield* clear
      const [broken, whole] = [yield* newEndpoint(url), yield* newEndpoint(url)]
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE webhook_endpoints SET secret = set_byte(secret, 20, get_byte(secret, 20) # 1) WHERE id = ${broken.id}`
      yield* write(broken)
      yield* write(whole)
      const begun = yield* begin()
      assert.sameDeepMembers(
        begun.map(({ receiverId, secret }) => [receiverId, Option.isSome(secret)]),
        [
          [broken.id, false],
          [whole.id, true]
        ]
      )
      // The other's secret, which was just opened, does not open in this row.
      yield* sql`
        UPDATE webhook_endpoints SET secret = (SELECT secret FROM webhook_endpoints WHERE id = ${whole.id})
        WHERE id = ${broken.id}`
      yield* write(broken)
      assert.deepStrictEqual((yield* one).secret, Option.none())
    })
  )

  it.effect("report whether a step wrote something, even if it began nothing", () =>
    Effect.gen(function* () {
      yield* clear
      yield* write(yield* newEndpoint(url))
      const step = Effect.map(
        Attempts.use((attempts) => attempts.begin(500, Option.none(), new Map())),
        ({ attempts, moved }) => [attempts.length, moved]
      )
      assert.deepStrictEqual(yield* step, [1, true])
      assert.deepStrictEqual(yield* step, [0, false])
      yield* pass(31)
      assert.deepStrictEqual(yield* step, [0, true])
    })
  )

  it.effect("are at most 10 to one receiver and 50 for one account at a time, oldest first", () =>
    Effect.gen(function* () {
      yield* clear
      const endpoint = yield* newEndpoint(url)
      const first = yield* write(endpoint, 10)
      yield* write(endpoint, 100)
      const begun = yield* begin()
      const sql = yield* SqlClient.SqlClient
      const leased = yield* sql<{ id: string }>`SELECT id FROM deliveries WHERE lease_expires_at IS NOT NULL`
      assert.sameMembers(
        leased.map(({ id }) => id),
        first
      )
      assert.isEmpty(yield* begin())
      yield* end(begun[0] ?? assert.fail("nothing was begun"))
      assert.lengthOf(yield* begin(), 1)

      for (const _ of Array.from({ length: 9 })) {
        yield* write(yield* endpointOf(endpoint.wallet.accountId, url), 20)
      }
      assert.lengthOf(yield* begin(), 40)
      assert.isEmpty(yield* begin())
    })
  )

  it.effect("are at most 50 for one account in one process, however many receivers wait", () =>
    Effect.gen(function* () {
      yield* clear
      const [{ accountId: large }, { accountId: other }] = [yield* writeForWatch(url), yield* writeForWatch(url)]
      for (const _ of Array.from({ length: 250 })) yield* writeForWatch(url, true, large)
      const { begin } = yield* Attempts
      const busy = new Map<string, number>()
      const round = Effect.fnUntraced(function* () {
        const begun: Array<Attempt> = []
        let from = Option.none<RoundPosition>()
        do {
          const step = yield* begin(100, from, busy)
          for (const { accountId } of step.attempts) busy.set(accountId, (busy.get(accountId) ?? 0) + 1)
          begun.push(...step.attempts)
          from = step.next
        } while (Option.isSome(from))
        return begun
      })
      const begun = yield* round()
      assert.deepStrictEqual(Object.fromEntries(busy), { [large]: 50, [other]: 1 })
      assert.isEmpty(yield* round())

      const ended = begun.filter(({ accountId }) => accountId === large).slice(0, 20)
      for (const attempt of ended) yield* end(attempt)
      busy.set(large, 30)
      assert.lengthOf(yield* round(), 20)
    })
  )

  it.effect("take turns between receivers: the first of each comes before the second of any", () =>
    Effect.gen(function* () {
      yield* clear
      const endpoints = yield* Effect.forEach(Array.from({ length: 6 }), () => newEndpoint(url))
      for (const endpoint of endpoints) yield* write(endpoint, 50)
      const begun = yield* begin(6)
      assert.sameMembers(
        begun.map(({ receiverId }) => receiverId),
        endpoints.map(({ id }) => id)
      )
      assert.lengthOf(yield* begin(12), 12)
    })
  )

  it.effect("belong to one process each when eight begin concurrently, within the limits", () =>
    Effect.gen(function* () {
      yield* clear
      const endpoints = yield* Effect.forEach(Array.from({ length: 8 }), () => newEndpoint(url))
      for (const endpoint of endpoints) yield* write(endpoint, 30)
      const rounds = yield* Effect.forEach(Array.from({ length: 8 }), () => begin(20), { concurrency: "unbounded" })
      const begun = [...rounds.flat(), ...(yield* begin())]
      assert.lengthOf(begun, 80)
      assert.strictEqual(new Set(begun.map(({ id }) => id)).size, 80)
      for (const { id } of endpoints)
        assert.lengthOf(
          begun.filter(({ receiverId }) => receiverId === id),
          10
        )
    })
  )

  it.effect("reach every receiver, even if there are more than one step reads", () =>
    Effect.gen(function* () {
      yield* clear
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* newEndpoint(url)
      // Endpoints that do not exist: their deliveries fail, which shows that they had their turn.
      yield* sql`
        INSERT INTO deliveries (id, account_id, environment, event, webhook_id, ask_id, url, body, status, created_at, next_attempt_at)
        SELECT gen_random_uuid(), ${endpoint.wallet.accountId}::uuid, 'live', 'ask.completed', gen_random_uuid(), gen_random_uuid(),
          '', '', 'pending', now(), now() - interval '1 second' FROM generate_series(1, 2500)`
      const attempts = yield* Attempts
      const left = Effect.map(
        sql<{ left: bigint }>`SELECT count(*) AS left FROM deliveries WHERE status = 'pending'`,
        ([row]) => Number(row?.left)
      )
      const round = Effect.gen(function* () {
        let from = Option.none<RoundPosition>()
        let steps = 0
        do {
          const { next } = yield* attempts.begin(5000, from, new Map())
          from = next
          steps++
        } while (Option.isSome(from))
        return steps
      })
      assert.strictEqual(yield* round, 10)
      assert.strictEqual(yield* left, 2000)
      for (let rounds = 1; (yield* left) > 0; rounds++) {
        if (rounds > 50) assert.fail("some are never reached")
        yield* round
      }
    })
  )

  it.effect("read only their own rows, even if the tables were empty when the plans were made", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const endpoint = yield* newEndpoint(url)
      const read = Effect.gen(function* () {
        yield* sql`TRUNCATE deliveries, attempts`
        yield* sql`ANALYZE deliveries, attempts`
        const step = Effect.andThen(begin(100), sql`SELECT end_attempts('[]', '{60,300}')`)
        yield* step
        yield* write(endpoint, 2000)
        yield* sql`INSERT INTO attempts (id, delivery_id, number, started_at) SELECT id, id, 2, now() FROM deliveries`
        const before = yield* rowsRead("deliveries", "attempts")
        const begun = yield* begin(100)
        const ends = JSON.stringify(begun.map(({ deliveryId, number }) => ({ delivery_id: deliveryId, number })))
        yield* sql`SELECT end_attempts(${ends}::json, '{60,300}')`
        const after = yield* rowsRead("deliveries", "attempts")
        assert.lengthOf(begun, 10)
        return after - before
      })
      assert.isAtMost(yield* sql.withTransaction(read), 100)
      yield* clear
    })
  )
})
