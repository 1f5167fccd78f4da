import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Layer, Stream } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, type SqlConnection, SqlError, Statement } from "effect/sql"
import type { Database } from "./database.ts"
import type { Machine } from "./machine.ts"
import type { World } from "./world.ts"

type Rows = ReadonlyArray<unknown>

/** The error of a connection that broke: its outcome is unknown. */
const broken = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({
    cause: new Error("simulated"),
    message: "the connection broke",
    operation: "execute"
  })
})

const deadlocked = new SqlError.SqlError({
  reason: new SqlError.DeadlockError({
    cause: new Error("simulated"),
    message: "deadlock detected",
    operation: "execute"
  })
})

/** The first words of a statement, and the product's functions that it calls. */
const nameOf = (statement: string): string => {
  const words = statement.replaceAll(/\s+/g, " ").trim()
  const called = words.match(
    /\b(?:post_movements|top_up|keep_asks|write_checks|keep_runs|queue_ask|begin_attempts|end_attempts)\b/g
  )
  return called === null ? words.slice(0, 48) : called.join(" ")
}

/** How long the server waits for the next statement of a transaction. */
const idleMillis = 30_000

/** The longest delay of a statement on its way. */
const slowMillis = 20_000

/** The longest lease of a machine's work. */
const leaseMillis = 30_000

/** Statements that take a lease: on a key, a question, a job, a run or attempts. */
const leasing = /\bexcluded\.lease_expires_at\b|\battempts \+ 1\b|\bbegin_attempts\b/

/** Whether a lease was taken: a row with a null id or token means that it was not. */
const hasLease = (statement: string, exit: Exit.Exit<Rows, SqlError.SqlError>): boolean =>
  Exit.isSuccess(exit) &&
  leasing.test(statement) &&
  exit.value.map((row) => Object(row)).some(({ id, token }) => id !== null && token !== null)

/** One connection of a machine. A transaction has its own, which cannot be used again once it broke. */
class Line {
  isBroken = false
  readonly isTransaction: boolean

  constructor(isTransaction: boolean) {
    this.isTransaction = isTransaction
  }
}

/**
 * The product's SQL client for one machine: every statement waits for its turn in the world. The world may fail it before or after it is
 * done, or kill the machine there. A transaction has the database to itself from `BEGIN` on.
 */
const makeClient = (world: World, machine: Machine, database: Database) => {
  const end = async (line: Line) => {
    if (world.transaction !== line) return
    world.transaction = undefined
    await database.run("ROLLBACK", [], world.now)
  }

  /** The database rolls back a transaction whose client is gone, or is idle for too long. */
  const giveUp = (line: Line) => {
    if (world.transaction !== line) return
    const name = `${machine.name}'s transaction is given up`
    const happen = async () => {
      if (world.transaction !== line) return
      world.note(name)
      line.isBroken = true
      await end(line)
    }
    world.gate({ name, owner: null, isStatement: true, transaction: line, happen })
  }

  const begin = (line: Line) => {
    world.transaction = line
    world.after(idleMillis, null, () => giveUp(line))
    machine.onDeath(() => giveUp(line))
  }

  const happen = async (
    line: Line,
    statement: string,
    parameters: Rows
  ): Promise<Exit.Exit<Rows, SqlError.SqlError>> => {
    const fail = (error: SqlError.SqlError, rows: Rows = []) => {
      world.failed.push([...parameters, ...rows.map((row) => Object(row).id)].join(" "))
      return Exit.fail(error)
    }
    const note = (outcome: string) => world.note(`${machine.name} ${nameOf(statement)}: ${outcome}`)
    if (line.isBroken) return Exit.fail(broken)
    if (world.strikes("deadlock") && !line.isTransaction) {
      note("deadlock")
      return fail(deadlocked)
    }
    const breaks = async (outcome: string, rows?: Rows) => {
      note(outcome)
      line.isBroken = line.isTransaction
      await end(line)
      return fail(broken, rows)
    }
    if (world.strikes("statementRefused")) return breaks("not sent")
    const dies = world.strikes("crash")
    if (dies && world.dice() < 0.5) {
      machine.kill()
      await end(line)
      return Exit.fail(broken)
    }
    if (line.isTransaction && statement.startsWith("BEGIN")) begin(line)
    const exit = await database.run(statement, parameters, world.now)
    if (statement === "COMMIT" || statement === "ROLLBACK") world.transaction = undefined
    note(Exit.isSuccess(exit) ? `${exit.value.length} rows` : "refused")
    if (dies) {
      machine.kill()
      await end(line)
      return exit
    }
    return world.strikes("statementUnknown") ? breaks("answer lost", Exit.isSuccess(exit) ? exit.value : []) : exit
  }

  const send = (line: Line, statement: string, parameters: Rows) =>
    Effect.callback<Rows, SqlError.SqlError>((resume) => {
      let isAwaited = true
      const wait = (): (() => void) =>
        world.gate({
          name: nameOf(statement),
          owner: machine,
          isStatement: true,
          ...(line.isTransaction ? { transaction: line } : {}),
          happen: async () => {
            if (world.strikes("standstill")) {
              machine.stand(world.standMillis)
              cancel = wait()
              return
            }
            if (!line.isTransaction && world.strikes("statementSlow")) {
              cancel = world.after(world.between(1_000, slowMillis), machine, () => {
                cancel = wait()
              })
              return
            }
            const exit = await happen(line, statement, parameters)
            if (hasLease(statement, exit) && world.strikes("leaseOutlived"))
              machine.stand(world.between(leaseMillis, 2.5 * leaseMillis))
            if (machine.isAlive && isAwaited) resume(exit)
          }
        })
      let cancel = wait()
      return Effect.sync(() => {
        isAwaited = false
        // A statement on its way to the database may or may not arrive.
        if (world.dice() < 0.5) cancel()
      })
    })

  const connectionOf = (line: Line): SqlConnection.Connection => {
    const execute: SqlConnection.Connection["execute"] = (statement, parameters, transform) => {
      const sent = send(line, statement, parameters)
      return transform === undefined ? sent : Effect.map(sent, (rows) => transform(rows.map((row) => Object(row))))
    }
    const notUsed = () => Effect.die(new Error("the simulation has no such statements"))
    return {
      execute,
      executeUnprepared: execute,
      executeRaw: notUsed,
      executeValues: notUsed,
      executeValuesUnprepared: notUsed,
      executeStream: () => Stream.die(new Error("the simulation has no such statements"))
    }
  }

  const { transformJson, transformQueryNames, transformResultNames } = database.client.config
  return SqlClient.make({
    acquirer: Effect.succeed(connectionOf(new Line(false))),
    transactionAcquirer: Effect.sync(() => connectionOf(new Line(true))),
    compiler: PgClient.makeCompiler(transformQueryNames, transformJson),
    driver: "simulated",
    spanAttributes: [],
    ...(transformResultNames === undefined
      ? {}
      : { transformRows: Statement.defaultTransforms(transformResultNames, transformJson).array })
  })
}

/** The database as seen by a machine. */
export const layer = (world: World, machine: Machine, database: Database): Layer.Layer<SqlClient.SqlClient> =>
  Layer.effect(SqlClient.SqlClient, makeClient(world, machine, database)).pipe(Layer.provide(Reactivity.layer))
