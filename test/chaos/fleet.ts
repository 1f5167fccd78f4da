import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Dice } from "@sightline/sandbox/Dice"
import { type Program, startProgram } from "../http/program.ts"
import { startNats } from "../services/nats.ts"
import type { EndedProcess } from "./history.ts"

/** A place in the fleet, in which processes run one after another. */
interface Place {
  readonly role: string
  readonly name: string
  program?: Program | undefined
  isPaused: boolean
}

/** The fleet: the role of the process in each place. */
const roles = ["api", "api", "worker", "worker", "scheduler"] as const

/** Waits in real time. */
export const pause = (millis: number) => new Promise<void>((resolve) => setTimeout(resolve, millis))

/** The number of starts before a process is given up. */
const triesMax = 30

/** The server drops a client that does not answer within seconds: a stopped process gets no more questions that others could answer. */
const config = ['ping_interval: "2s"', "ping_max: 2"]

/** A NATS server that can be killed and started again on its port, with its store or without. */
const startBroker = async () => {
  const store = await mkdtemp(join(tmpdir(), "sightline-chaos-nats-"))
  const server = await startNats({ store, config })
  let current: typeof server | undefined = server
  return {
    url: server.url,
    lose: async (awayMillis: number, isWiped: boolean) => {
      const last = current
      if (last === undefined) return
      current = undefined
      await last.stop("SIGKILL")
      if (isWiped) await rm(store, { recursive: true, force: true })
      await pause(awayMillis)
      current = await startNats({ port: server.port, store, config })
    },
    stop: async () => {
      await current?.stop("SIGKILL")
      await rm(store, { recursive: true, force: true })
    }
  }
}

/**
 * The service as an operator runs it: APIs, workers and a scheduler as processes on one database and one NATS server. Each is restarted
 * when it ends.
 */
export const makeFleet = async (env: Readonly<Record<string, string>>) => {
  const broker = await startBroker()
  const endedProcesses: Array<EndedProcess> = []
  const underWay = new Set<Promise<unknown>>()
  let isOver = false

  /** Work beside the storm. If it fails, waiting for the fleet to heal fails too. */
  const aside = (work: Promise<unknown>) => {
    underWay.add(work)
    void work.then(
      () => underWay.delete(work),
      () => undefined
    )
  }

  const recordEnd = ({ name }: Place, program: Program, ended: EndedProcess["ended"], code: number | null) =>
    endedProcesses.push({ name: `${name} (${program.process.pid})`, output: program.output(), ended, code })

  const start = async (place: Place): Promise<void> => {
    const program = await startProgram({ ...env, NATS_URL: broker.url, ROLES: place.role })
    place.program = program
    program.process.once("exit", (code) => {
      if (place.program !== program) return
      recordEnd(place, program, "by itself", code)
      place.program = undefined
      aside(restart(place))
    })
  }

  // A process that cannot reach NATS within seconds ends, and is restarted.
  const restart = async (place: Place): Promise<void> => {
    for (let left = triesMax; left > 0; left--) {
      if (isOver) return
      try {
        return await start(place)
      } catch (error) {
        if (left === 1) throw error
        await pause(500)
      }
    }
  }

  const places = roles.map((role, n): Place => ({ role, name: `${role} ${n + 1}`, isPaused: false }))

  const end = async (place: Place, signal: "SIGKILL" | "SIGTERM") => {
    const { program } = place
    if (program === undefined) return
    place.program = undefined
    // A draining process is replaced at the same time, as in a deployment.
    if (signal === "SIGTERM") aside(restart(place))
    const code = await program.stop(signal)
    recordEnd(place, program, signal === "SIGKILL" ? "killed" : "drained", code)
    if (signal === "SIGKILL") aside(restart(place))
  }

  const awake = (role?: string) =>
    places.filter((place) => place.program !== undefined && !place.isPaused && (role ?? place.role) === place.role)

  const someone = (dice: Dice, role?: string): Place | undefined => {
    const [first, ...others] = awake(role)
    return first === undefined ? undefined : dice.pick([first, ...others])
  }

  return {
    launch: () => Promise.all(places.map(restart)),
    /** Addresses of the running APIs, including stopped ones. */
    apis: () => places.flatMap(({ program, role }) => (program !== undefined && role === "api" ? [program.base] : [])),
    programs: () => places.flatMap(({ program }) => program ?? []),
    /** Waits until more than half of the fleet runs. */
    manned: async () => {
      while (awake().length <= roles.length / 2) await pause(50)
    },
    kill: async (dice: Dice) => {
      const place = someone(dice)
      if (place !== undefined) await end(place, "SIGKILL")
    },
    drain: (dice: Dice) => {
      const place = someone(dice)
      if (place !== undefined) aside(end(place, "SIGTERM"))
    },
    /** Stops a process for a while, like a machine that swaps or is migrated. */
    freeze: async (dice: Dice, role: string, millis: number) => {
      while (awake(role).length === 0) await pause(50)
      const place = someone(dice, role)
      const process = place?.program?.process
      if (place === undefined || process === undefined) return
      place.isPaused = true
      process.kill("SIGSTOP")
      const thaw = async () => {
        await pause(millis)
        process.kill("SIGCONT")
        place.isPaused = false
      }
      aside(thaw())
    },
    loseNats: (awayMillis: number, isWiped: boolean) => aside(broker.lose(awayMillis, isWiped)),
    /** Waits until everything runs again. */
    heal: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
    /** Ends every process, and returns the remains of all. */
    stop: async (): Promise<ReadonlyArray<EndedProcess>> => {
      isOver = true
      await Promise.allSettled(underWay)
      await Promise.all(
        places.map(async (place) => {
          place.program?.process.kill("SIGCONT")
          await end(place, "SIGKILL")
        })
      )
      await broker.stop()
      return endedProcesses
    }
  }
}

/** The processes of a storm. */
export type Fleet = Awaited<ReturnType<typeof makeFleet>>
