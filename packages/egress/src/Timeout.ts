/** A time that runs. */
export interface Timeout {
  /** Ends it: what it would have called is not called any more. */
  readonly end: () => void
  /** Whether it is over. */
  readonly isOver: () => boolean
}

/**
 * Calls `expire` when the time is over and what had come in by then was read.
 *
 * Choice: not a timer alone. A process that is behind gets to its timers before its sockets, in which an answer may lie that was in time.
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
