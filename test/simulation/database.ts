import { PgClient } from "@effect/sql-pg"
import { Config, Context, Effect, Exit, Layer, Option, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlError } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as Postgres from "@sightline/store/Postgres"

/** They shadow Postgres's own functions of these names, for every statement and function without a schema name. */
const simulated = [
  "CREATE SCHEMA simulated",
  "CREATE SEQUENCE simulated.ids",
  `CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$
     SELECT coalesce(nullif(current_setting('simulated.now', true), '')::timestamptz, pg_catalog.clock_timestamp()) $$`,
  `CREATE FUNCTION simulated.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT simulated.clock_timestamp() $$`,
  `CREATE FUNCTION simulated.gen_random_uuid() RETURNS uuid LANGUAGE sql AS $$
     SELECT overlay(overlay(md5(current_setting('simulated.seed', true) || nextval('simulated.ids'))
       PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid $$`
]

const withSql = <A, E>(address: Postgres.Address, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.runPromise(
    SqlClient.SqlClient.use(use).pipe(Effect.provide(Postgres.layer(address, { maxConnections: 2 }), { local: true }))
  )

/** Makes a database like the product's, except for its clock and its ids. Returns its name; it is the template of all runs. */
export const makeTemplate = async (): Promise<string> => {
  const socket = await Effect.runPromise(Config.String("SIGHTLINE_TEST_POSTGRES"))
  const database = `simulation_${randomUUID().replaceAll("-", "")}`
  await withSql({ socket }, (sql) =>
    Effect.andThen(
      sql.unsafe(`CREATE DATABASE ${database}`),
      sql.unsafe(`ALTER DATABASE ${database} SET search_path = simulated, pg_catalog, public`)
    )
  )
  await withSql({ socket, database }, (sql) =>
    Effect.gen(function* () {
      yield* Effect.forEach(simulated, (statement) => sql.unsafe(statement))
      yield* Effect.provide(
        Effect.void,
        Postgres.layerMigrations.pipe(Layer.provide(Layer.succeed(SqlClient.SqlClient, sql)))
      )
      // Otherwise the storage order of rows, and query plans, would depend on when autovacuum runs.
      const tables = yield* sql<{ name: string }>`
        SELECT c.oid::regclass::text AS name FROM pg_class c
        WHERE c.relkind = 'r' AND c.relnamespace = 'simulated'::regnamespace`
      yield* Effect.forEach(tables, ({ name }) => sql.unsafe(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`))
    })
  )
  return database
}

type Rows = ReadonlyArray<unknown>

/** One world's database. */
export interface Database {
  /** The product's own client, without the simulation. */
  readonly client: PgClient.PgClient
  /** Runs a statement of the product, at this moment of the simulated clock. */
  readonly run: (statement: string, parameters: Rows, now: number) => Promise<Exit.Exit<Rows, SqlError.SqlError>>
  /** Runs a query that is not part of the simulation. */
  readonly beside: <A>(look: Effect.Effect<A, unknown, SqlClient.SqlClient>) => Promise<A>
  readonly close: () => Promise<void>
}

/** A copy of the template, dropped when it is closed. */
export const openDatabase = async (template: string, seed: number): Promise<Database> => {
  const socket = await Effect.runPromise(Config.String("SIGHTLINE_TEST_POSTGRES"))
  const database = `${template}_${seed}_${randomUUID().slice(0, 8)}`
  await withSql({ socket }, (sql) =>
    Effect.andThen(
      sql.unsafe(`CREATE DATABASE ${database} TEMPLATE ${template} STRATEGY FILE_COPY`),
      sql.unsafe(`ALTER DATABASE ${database} SET search_path = simulated, pg_catalog, public`)
    )
  )
  const scope = Scope.makeUnsafe()
  const services = await Effect.runPromise(
    Layer.buildWithScope(Postgres.layer({ socket, database }, { maxConnections: 1 }), scope)
  )
  const client = Context.get(services, PgClient.PgClient)
  // One connection, on which the clock and the statement that reads it are sent together.
  const line = await Effect.runPromise(
    Effect.provide(Scope.provide(PgClient.makeClient({ ...client.config, multiplex: true }), scope), Reactivity.layer)
  )
  const { unsafe } = line.withoutTransforms()
  const run: Database["run"] = async (statement, parameters, now) => {
    const exit = await Effect.runPromiseExit(
      Effect.zipWith(
        unsafe("SELECT set_config('simulated.now', $1, false)", [new Date(now).toISOString()]),
        unsafe(statement, parameters),
        (_, rows) => rows,
        { concurrent: true }
      )
    )
    // A real failure of the database does not depend on the seed.
    const error = Option.getOrUndefined(Exit.findErrorOption(exit))
    if (error?.reason._tag === "ConnectionError" || error?.reason._tag === "StatementTimeoutError") throw error
    return exit
  }
  await run(`SELECT set_config('simulated.seed', $1, false)`, [`seed ${seed} `], 0)
  return {
    client,
    run,
    beside: (look) => Effect.runPromise(Effect.orDie(Effect.provideContext(look, services))),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await withSql({ socket }, (sql) => sql.unsafe(`DROP DATABASE ${database} WITH (FORCE)`))
    }
  }
}

/** Drops the template. */
export const dropTemplate = async (template: string): Promise<void> => {
  const socket = await Effect.runPromise(Config.String("SIGHTLINE_TEST_POSTGRES"))
  await withSql({ socket }, (sql) => sql.unsafe(`DROP DATABASE ${template} WITH (FORCE)`))
}
