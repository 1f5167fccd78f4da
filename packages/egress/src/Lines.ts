import { idleMillis, type Line } from "./Line.ts"

/** How long no connection is kept to a receiver that closed one. */
const avoidedMillis = 60_000

// Counted from the request, because a process that is behind reads the answer, and sees that the line was closed, seconds late.
const isStale = ({ askedAt }: Line): boolean => performance.now() - askedAt >= idleMillis

/** Connections that nobody uses right now, by whom they may be used for. */
export class Lines {
  readonly #idle = new Map<string, Array<Line>>()
  readonly #avoided = new Set<string>()

  /** One to any of the addresses, used within the last seconds; it is then no longer here. */
  take(key: string, addresses: ReadonlyArray<string>): Line | undefined {
    const lines = this.#idle.get(key) ?? []
    const place = lines.findLastIndex(
      (line) => addresses.includes(line.address) && !line.socket.destroyed && !isStale(line)
    )
    return place === -1 ? undefined : lines.splice(place, 1)[0]
  }

  /** Keeps one until it is taken or closed, unless such connections are to be avoided. */
  keep(key: string, line: Line): void {
    if (this.#avoided.has(key)) return void line.socket.destroy()
    const lines = this.#idle.get(key)
    if (lines === undefined) this.#idle.set(key, [line])
    else lines.push(line)
  }

  /**
   * Keeps none for a while once one was closed: whoever closes them so early may do so while the next request is on its way.
   * One that would not have been used again says nothing of its receiver.
   */
  avoid(key: string, line: Line): void {
    if (isStale(line) || this.#avoided.has(key)) return
    this.#avoided.add(key)
    setTimeout(() => this.#avoided.delete(key), avoidedMillis).unref()
  }

  /** Forgets one that was closed. */
  forget(key: string, line: Line): void {
    const others = (this.#idle.get(key) ?? []).filter((other) => other !== line)
    if (others.length === 0) this.#idle.delete(key)
    else this.#idle.set(key, others)
  }

  /** Closes all of them. */
  close(): void {
    for (const line of [...this.#idle.values()].flat()) line.socket.destroy()
  }
}
