import { idleMillis, type Line } from "./Line.ts"

/** How long no connection to a receiver is kept after it closed one. */
const avoidedMillis = 60_000

// Counted from the request: a busy process reads the answer, and notices that the connection closed, seconds late.
const isStale = ({ askedAt }: Line): boolean => performance.now() - askedAt >= idleMillis

/** Idle connections, by the receiver and host for which they may be reused. */
export class Lines {
  readonly #idle = new Map<string, Array<Line>>()
  readonly #avoided = new Set<string>()

  /** Removes and returns a connection to one of the addresses, if one was used within the last seconds. */
  take(key: string, addresses: ReadonlyArray<string>): Line | undefined {
    const lines = this.#idle.get(key) ?? []
    const place = lines.findLastIndex(
      (line) => addresses.includes(line.address) && !line.socket.destroyed && !isStale(line)
    )
    return place === -1 ? undefined : lines.splice(place, 1)[0]
  }

  /** Keeps a connection until it is taken or closed. Closes it instead while connections for this key are avoided. */
  keep(key: string, line: Line): void {
    if (this.#avoided.has(key)) return void line.socket.destroy()
    const lines = this.#idle.get(key)
    if (lines === undefined) this.#idle.set(key, [line])
    else lines.push(line)
  }

  /**
   * Keeps no connections for this key for a while, because the receiver closed one early: it might close another while the
   * next request is on its way. A connection that was too old for reuse anyway does not count.
   */
  avoid(key: string, line: Line): void {
    if (isStale(line) || this.#avoided.has(key)) return
    this.#avoided.add(key)
    setTimeout(() => this.#avoided.delete(key), avoidedMillis).unref()
  }

  /** Removes a closed connection. */
  forget(key: string, line: Line): void {
    const others = (this.#idle.get(key) ?? []).filter((other) => other !== line)
    if (others.length === 0) this.#idle.delete(key)
    else this.#idle.set(key, others)
  }

  /** Closes all idle connections. */
  close(): void {
    for (const line of [...this.#idle.values()].flat()) line.socket.destroy()
  }
}
