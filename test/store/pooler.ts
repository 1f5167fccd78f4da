import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { createConnection, createServer, type Socket } from "node:net"
import { standIn } from "./standIn.ts"

/** `ReadyForQuery`, and its status byte for a session outside any transaction. */
const [ready, isFree] = [0x5a, 0x49]

/** Calls `free` each time the server reports that the session is outside any transaction. */
const onFree = (session: Socket, free: () => void) => {
  let rest = Buffer.alloc(0)
  session.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1)
      const isOver = rest[0] === ready && rest[end - 1] === isFree
      rest = rest.subarray(end)
      if (isOver) free()
    }
  })
}

const listen = (target: string, opened: () => void) => {
  const path = `/tmp/sightline-pooler-${randomUUID().slice(0, 8)}`
  const sockets: Array<Socket> = []
  const free: Array<Socket> = []
  const server = createServer((client) => {
    const own = createConnection(target)
    let session: Socket | undefined = own
    const bind = (to: Socket) => {
      to.removeAllListeners("data")
      to.on("data", (chunk) => client.write(chunk))
      onFree(to, () => {
        session = undefined
        free.push(to)
      })
      return to
    }
    bind(own)
    client.on("data", (chunk) => {
      session ??= bind(free.pop() ?? own)
      session.write(chunk)
    })
    for (const socket of [client, own]) sockets.push(socket.on("error", () => socket.destroy()))
  }).listen(path, opened)
  const close = () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
  return { path, close }
}

/**
 * A pooler in front of the server's socket, closed with the scope. Returns its own socket.
 *
 * Laws: a client has a session for the duration of its transaction; the session returned last is given out first.
 */
export const makePooler = (target: string) =>
  Effect.map(
    standIn((opened) => listen(target, opened)),
    ({ path }) => path
  )
