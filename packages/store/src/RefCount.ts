import { Effect, Schedule } from "effect"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { createServer, type Server } from "node:net"

const taken = (error: NodeJS.ErrnoException): boolean => error.code === "EADDRINUSE"

/** Binds a socket in Linux's abstract namespace. It disappears with its process, however that ends, so it cannot become stale. */
const bind = (name: string): Effect.Effect<Server, NodeJS.ErrnoException> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen({ path: `\0${name}` }, () => {
      server.unref()
      resume(Effect.succeed(server))
    })
  })

const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.close(() => resume(Effect.void))
  })

/** A reference to a name. `release` ends it and says whether it was the last one on this machine. */
export interface Reference {
  readonly release: Effect.Effect<{ readonly last: boolean }>
}

/** Adds a reference to `name`. Acquire and release it inside `withLock`, else "last" may be out of date. */
export const acquire = (name: string): Effect.Effect<Reference> =>
  bind(`${name}.${randomUUID()}`).pipe(
    Effect.map((server) => ({
      release: Effect.map(close(server), () => ({
        last: !readFileSync("/proc/net/unix", "utf8").includes(`@${name}.`)
      }))
    })),
    Effect.orDie
  )

/** Runs `effect` while no other process runs one under the same name; waits for its turn. */
export const withLock =
  (name: string) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.acquireUseRelease(
      bind(`${name}-lock`).pipe(Effect.retry({ while: taken, schedule: Schedule.spaced("20 millis") }), Effect.orDie),
      () => effect,
      close
    )
