/** The browser's promise, or a failure if it takes longer than `millis`, because a browser that hangs never answers. */
export const withTimeout = async <A>(
  millis: number,
  work: Promise<A>,
  onLate: () => void = () => undefined
): Promise<A> => {
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
export const ignoreFailure = (work: Promise<unknown>): Promise<void> =>
  work.then(
    () => undefined,
    () => undefined
  )
