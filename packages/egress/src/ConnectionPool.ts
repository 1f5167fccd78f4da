import { idleMillis, type Connection } from "./Connection.ts"

/** How long no connection to a receiver is kept after it closed one. */
const avoidedMillis = 60_000

// Counted from the request: a busy process reads the answer, and notices that the connection closed, seconds late.
const isStale = ({ requestedAt }: Connection): boolean => performance.now() - requestedAt >= idleMillis

/** Idle connections, by the receiver and host for which they may be reused. */
export class ConnectionPool {
  readonly #idle = new Map<string, Array<Connection>>()
  readonly #avoided = new Set<string>()

  /** Removes and returns a connection to one of the addresses, if one was used within the last seconds. */
  take(key: string, addresses: ReadonlyArray<string>): Connection | undefined {
    const connections = this.#idle.get(key) ?? []
    const place = connections.findLastIndex(
      (connection) => addresses.includes(connection.address) && !connection.socket.destroyed && !isStale(connection)
    )
    return place === -1 ? undefined : connections.splice(place, 1)[0]
  }

  /** Keeps a connection until it is taken or closed. Closes it instead while connections for this key are avoided. */
  keep(key: string, connection: Connection): void {
    if (this.#avoided.has(key)) return void connection.socket.destroy()
    const connections = this.#idle.get(key)
    if (connections === undefined) this.#idle.set(key, [connection])
    else connections.push(connection)
  }

  /**
   * Keeps no connections for this key for a while, because the receiver closed one early: it might close another while the
   * next request is on its way. A connection that was too old for reuse anyway does not count.
   */
  avoid(key: string, connection: Connection): void {
    if (isStale(connection) || this.#avoided.has(key)) return
    this.#avoided.add(key)
    setTimeout(() => this.#avoided.delete(key), avoidedMillis).unref()
  }

  /** Removes a closed connection. */
  forget(key: string, connection: Connection): void {
    const others = (this.#idle.get(key) ?? []).filter((other) => other !== connection)
    if (others.length === 0) this.#idle.delete(key)
    else this.#idle.set(key, others)
  }

  /** Closes all idle connections. */
  close(): void {
    for (const connection of [...this.#idle.values()].flat()) connection.socket.destroy()
  }
}
