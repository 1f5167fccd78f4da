const parts = 16

/** Four ticks of the clock of a thread's own work: what takes less is not told from nothing. */
const leastMillis = 16

/** Millis of this thread's own work, whatever else the machine does meanwhile. */
const workOf = (work: () => void): number => {
  const start = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(start).user / 1000
}

/**
 * How many times as long a whole takes as its sixteen parts do together: 1 where the work is linear in the size, 16 where it is
 * quadratic.
 *
 * Shape: one is as much work as the others, and they are done by turns, so that a machine is as slow to either; the least of
 * three counts.
 */
export const growthOf = (size: number, work: (size: number) => void): number => {
  const whole: Array<number> = []
  const cut: Array<number> = []
  for (let turn = 0; turn < 3; turn++) {
    whole.push(workOf(() => work(size)))
    cut.push(
      workOf(() => {
        for (let n = 0; n < parts; n++) work(Math.floor(size / parts))
      })
    )
  }
  return Math.min(...whole) / Math.max(Math.min(...cut), leastMillis)
}
