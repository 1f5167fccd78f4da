import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { layerDatabase } from "./database.ts"

layer(layerDatabase, { excludeTestServices: true })("Migrations", (it) => {
  it.effect("x", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`select * from migrations`
      console.log(rows)
    })
  )
})
