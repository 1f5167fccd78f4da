/** A running timeout. */
export interface Timeout {
  /** Cancels the timeout: `expire` is no longer called. */
  readonly end: () => void
  /** Whether the time is over. */
  readonly isOver: () => boolean
}

/**
 * Calls `expire` when the time is over and everything that had arrived by then has been read.
 *
 * Choice: a timer alone is not enough. A busy process runs its timers before it reads its sockets, where an answer that
 * arrived in time may be waiting.
 */
export const timeoutAfter = (millis: number, expire: () => void): Timeout => {
  let verdict: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    verdict = setImmediate(expire)
  }, millis)
  return {
    end: () => {
      clearTimeout(timer)
      clearImmediate(verdict)
    },
    isOver: () => verdict !== undefined
  }
}
