/**
 * Bytes after which a turn of the event loop reads no further answer: a few milliseconds, for which sockets and timers wait. Two
 * long answers in one turn, each of which is then searched too, would hold them up twice as long as one.
 */
const bytesPerTurn = 256 * 1024

interface Reading {
  readonly bytes: number
  readonly read: () => void
}

const ready: Array<Reading> = []

const readOn = (): void => {
  const turn = ready.length
  let next = 0
  for (let bytes = 0; next < turn && bytes < bytesPerTurn; next++) {
    bytes += ready[next]?.bytes ?? 0
    ready[next]?.read()
  }
  ready.splice(0, next)
  if (ready.length > 0) setImmediate(readOn)
}

/**
 * Runs `read` at the end of this turn of the event loop, one after another with all others of the turn: what reads an
 * answer is more code than the processor's caches hold beside that of the sockets, and runs slowly whenever it starts cold.
 *
 * Laws: in the order of the calls; once 256 KiB have been read, the rest waits for the next turn.
 */
export const atEndOfTurn = (bytes: number, read: () => void): void => {
  if (ready.push({ bytes, read }) === 1) setImmediate(readOn)
}
