const parts = 16

/** Four ticks of the thread's CPU clock: less than that cannot be distinguished from nothing. */
const leastMillis = 16

/** The CPU time of this thread in milliseconds, independent of other load on the machine. */
const workOf = (work: () => void): number => {
  const start = process.threadCpuUsage()
  work()
  return process.threadCpuUsage(start).user / 1000
}

/**
 * How many times longer a whole takes than its sixteen parts together: 1 if the work is linear in the size, 16 if it is quadratic.
 *
 * Shape: the whole and the parts run in turns, so that a slow machine slows both; the least of three measurements counts.
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
