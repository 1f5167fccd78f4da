import { Config, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import * as Postgres from "@sightline/store/Postgres"

/** The address of a fresh, empty database on the run's shared server; each pool on it stands for a process. */
export const makeDatabase = Effect.gen(function* () {
  const socket = yield* Config.String("SIGHTLINE_TEST_POSTGRES")
  const database = `test_${randomUUID().replaceAll("-", "")}`
  const create = Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE DATABASE ${sql(database)}`
  })
  yield* Effect.provide(create, Postgres.layer({ socket }, { maxConnections: 1 }), { local: true })
  return { socket, database }
})

/** A fresh database with every migration applied. */
export const layerDatabase = Layer.unwrap(
  Effect.map(makeDatabase, (address) => Postgres.layerMigrations.pipe(Layer.provideMerge(Postgres.layer(address))))
)
