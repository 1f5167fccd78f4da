/** A promise of the browser's, or a failure when it has not come in time: a browser that hangs answers nothing. */
export const within = async <A>(millis: number, work: Promise<A>, onLate: () => void = () => undefined): Promise<A> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      onLate()
      reject(new Error("the browser does not react"))
    }, millis)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** A promise whose failure does not matter. */
export const quietly = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined
  )
