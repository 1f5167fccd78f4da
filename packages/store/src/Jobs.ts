import { Effect, Option, Schema, Semaphore } from "effect"
import { type SqlClient, SqlSchema } from "effect/sql"
import type { AccountId } from "@sightline/domain/Account"
import { rowCount } from "./RowCount.ts"
import { nil } from "./RowId.ts"

/**
 * A job without a worker. `turn` is how often it was claimed, and `again` is how often its wait has doubled since it was 10 s. `tries`
 * is how often it was claimed and not released: a claim that was released is no try.
 */
const DueJob = Schema.Struct({ id: Schema.String, turn: Schema.Int, again: Schema.Int, tries: Schema.Int })
export type DueJob = typeof DueJob.Type

/** One attempt at a job. `attempt` distinguishes the current worker from earlier ones. */
export interface JobAttempt {
  readonly id: string
  readonly attempt: number
}

/** The jobs that a claim is for: those with exactly this many `tries` if `isExact`, otherwise all others. */
export interface TriesFilter {
  readonly tries: number
  readonly isExact: boolean
}

/** Allows any number of tries. */
const anyTries: TriesFilter = { tries: -1, isExact: false }

/** SQL for how often a job was claimed and not released, including its current claim. */
export const tries = "attempts - given_back"

/** SQL for whether a job had a try before its current claim. */
export const isBegunBefore = `${tries} > 1`

/** A claim of one job, by its id. */
export const Claim = Schema.Struct({ id: Schema.String, tries: Schema.Int, isExact: Schema.Boolean })

/** A claim, for an announcement of the job `id`, of the next job in the lanes after that of the account `after`. */
export const LaneClaim = Schema.Struct({ id: Schema.String, tries: Schema.Int, after: Schema.String })

const dueMax = 500

/** Whether a statement found the job in the expected state. */
export const isDone = (statement: Effect.Effect<ReadonlyArray<unknown>, unknown>): Effect.Effect<boolean> =>
  Effect.map(rowCount(statement), (rows) => rows > 0)

/**
 * The differences between the tables of jobs: the account of a job, since when it waits, and the function that finds the next one in
 * the lanes.
 */
const differences = {
  asks: { account: "account_id", since: "created_at", next: "next_ask" },
  runs: {
    account: "(SELECT account_id FROM watches WHERE watches.id = watch_id)",
    since: "scheduled_for",
    next: "next_run"
  }
} as const

/**
 * The statements and conditions that the tables of jobs share.
 *
 * Shape: `isClaimable` is the condition of a claim, and `setClaimed` is what it sets. For a release, these are `isHeldBy` and
 * `setReleased`. `inLane` are the table expressions of a claim from the lanes: `next` has the id of the job to claim, and
 * `aside` puts the announced job into its lane, because its announcement is used up.
 * Laws: a job belongs to one worker for 30 s after its claim or last renewal, by the database's clock. A job that is announced again
 * has waited for 10 s, and waits in its account's lane from then on.
 */
export const makeJobs = (sql: SqlClient.SqlClient, table: "asks" | "runs") => {
  const account = sql.literal(differences[table].account)
  const since = sql.literal(differences[table].since)
  const isClaimable = sql.literal(
    `${table}.finished_at IS NULL AND (${table}.lease_expires_at IS NULL OR ${table}.lease_expires_at <= clock_timestamp())`
  )
  const due = SqlSchema.findAll({
    Request: Schema.Void,
    Result: DueJob,
    execute: () => sql`
      UPDATE ${sql(table)} SET announced_at = clock_timestamp(), lane = ${account} WHERE id IN (
        SELECT id FROM ${sql(table)}
        -- The clock is read once: a volatile function in the condition could not bound the index search, and every open job would be read.
        WHERE ${isClaimable} AND announced_at <= (SELECT clock_timestamp() - interval '10 seconds')
        ORDER BY announced_at LIMIT ${dueMax} FOR UPDATE SKIP LOCKED)
      RETURNING id, attempts AS turn,
        floor(log(2, greatest(1, extract(epoch FROM clock_timestamp() - ${since}) / 10)))::integer AS again,
        ${sql.literal(tries)} AS tries`
  })
  const isHeldBy = ({ id, attempt }: JobAttempt) =>
    sql`${sql(table)}.id = ${id} AND attempts = ${attempt} AND finished_at IS NULL`
  const renew = (job: JobAttempt) => sql`
    UPDATE ${sql(table)} SET lease_expires_at = clock_timestamp() + interval '30 seconds' WHERE ${isHeldBy(job)} RETURNING 1`
  const inLane = ({ id, tries, after }: typeof LaneClaim.Type) => sql`
    next AS MATERIALIZED (SELECT ${sql(differences[table].next)}(${after}, ${tries}) AS id),
    aside AS (
      UPDATE ${sql(table)} SET lane = ${account} WHERE id = (
        SELECT id FROM ${sql(table)}
        WHERE id = ${id} AND ${isClaimable} AND lane IS NULL AND id <> (SELECT id FROM next)
        FOR UPDATE SKIP LOCKED)
    )`
  return {
    due: Effect.orDie(due(undefined)),
    renew: (job: JobAttempt) => isDone(renew(job)),
    isClaimable,
    isHeldBy,
    // A job without an earlier try becomes `queued` again, as before its claim.
    setReleased: sql.literal(`lease_expires_at = clock_timestamp(), announced_at = clock_timestamp(),
      given_back = given_back + 1, status = CASE WHEN ${isBegunBefore} THEN status ELSE 'queued' END`),
    inLane,
    setClaimed: sql.literal(
      "status = 'running', attempts = attempts + 1, lease_expires_at = clock_timestamp() + interval '30 seconds'"
    )
  }
}

/**
 * Claims a job for each announcement: the next one in the lanes or, if none waits there, the announced one.
 *
 * Laws: claims take one job from each lane in turn. As many jobs are claimed as were announced. A claim with `isExact` is for the
 * announced job alone.
 */
export const makeClaim = <Job extends { readonly accountId: AccountId }, E>(
  announced: (claim: typeof Claim.Type) => Effect.Effect<Option.Option<Job>, E>,
  inLane: (claim: typeof LaneClaim.Type) => Effect.Effect<Option.Option<Job>, E>
) => {
  const lock = Semaphore.makeUnsafe(1)
  let last: string = nil
  const takeAfter = (id: string, tries: number, after: string) =>
    Effect.tap(inLane({ id, tries, after }), (job) =>
      Effect.sync(() => (last = Option.match(job, { onNone: () => nil, onSome: ({ accountId }) => accountId })))
    )
  const takeTurn = Effect.fnUntraced(function* (id: string, tries: number) {
    const after = last
    const job = yield* takeAfter(id, tries, after)
    return Option.isSome(job) || after === nil ? job : yield* takeAfter(id, tries, nil)
  }, lock.withPermits(1))
  return Effect.fnUntraced(function* (id: string, { tries, isExact }: TriesFilter = anyTries) {
    const job = isExact ? Option.none() : yield* takeTurn(id, tries)
    return Option.isSome(job) ? job : yield* announced({ id, tries, isExact })
  }, Effect.orDie)
}
