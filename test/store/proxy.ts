import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { createConnection, createServer, type Socket } from "node:net"
import { standIn } from "./standIn.ts"

/** A connection path to the database that a test can cut, clog and mend. */
export interface Proxy {
  readonly socket: string
  /** Ends every connection and accepts no more. */
  readonly cut: Effect.Effect<void>
  /** Keeps connections open and drops what is sent, as a half-open network does. */
  readonly clog: Effect.Effect<void>
  /** Waits until something was dropped. */
  readonly swallowed: Effect.Effect<void>
  readonly mend: Effect.Effect<void>
  /** Mends it for new connections; open ones stay silent, as if their machine were gone. */
  readonly replace: Effect.Effect<void>
}

/** Opens a proxy in front of the server's socket; closed with the scope. */
export const makeProxy = (target: string) =>
  Effect.map(
    standIn((opened) => listen(target, opened)),
    ({ socket, swallowed, turn }): Proxy => ({
      socket,
      cut: Effect.sync(() => turn("cut")),
      clog: Effect.sync(() => turn("clogged")),
      swallowed: Effect.promise(() => swallowed),
      mend: Effect.sync(() => turn("open")),
      replace: Effect.sync(() => turn("replaced"))
    })
  )

const listen = (target: string, ready: () => void) => {
  const path = `/tmp/sightline-proxy-${randomUUID().slice(0, 8)}`
  const open = new Set<Socket>()
  const { promise: swallowed, resolve: swallow } = Promise.withResolvers<void>()
  let state: "open" | "cut" | "clogged" | "replaced" = "open"
  const server = createServer((inner) => {
    if (state === "cut") {
      inner.destroy()
      return
    }
    const outer = createConnection(target)
    const isNew = state === "replaced"
    for (const [from, to] of [
      [inner, outer],
      [outer, inner]
    ] as const) {
      open.add(from)
      from.on("data", (chunk) => {
        if (state === "clogged" || (state === "replaced" && !isNew)) swallow()
        else to.write(chunk)
      })
      from.on("error", () => to.destroy())
      from.on("close", () => {
        open.delete(from)
        to.destroy()
      })
    }
  }).listen(path, ready)
  const turn = (next: typeof state) => {
    // What was dropped is lost: those connections can only end.
    if (next === "cut" || (next === "open" && state !== "open")) for (const socket of open) socket.destroy()
    state = next
  }
  const close = () => {
    turn("cut")
    server.close()
  }
  return { socket: path, swallowed, turn, close }
}
