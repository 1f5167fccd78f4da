/**
 * After this many bytes, a turn of the event loop reads no further answer. Sockets and timers wait for the few milliseconds that the
 * reading takes. Each answer is searched after it is read, so two long answers in one turn would delay them twice as long as one.
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
  try {
    for (let bytes = 0; next < turn && bytes < bytesPerTurn;) {
      const reading = ready[next++]
      bytes += reading?.bytes ?? 0
      reading?.read()
    }
  } finally {
    ready.splice(0, next)
    if (ready.length > 0) setImmediate(readOn)
  }
}

/**
 * Runs `read` at the end of this turn of the event loop, together with all other reads of the turn. The code that reads an
 * answer does not fit into the processor's caches beside the code of the sockets, and runs slowly whenever it starts cold.
 *
 * Laws: in the order of the calls; once 256 KiB have been read, the rest waits for the next turn. A `read` that throws is an uncaught
 * exception, and the rest goes on in the next turn.
 */
export const atEndOfTurn = (bytes: number, read: () => void): void => {
  if (ready.push({ bytes, read }) === 1) setImmediate(readOn)
}
