let aheadMillis = 0

/** Sets the page's clock by the `Date` header of an answer. */
export const syncClock = (date: string | undefined) => {
  const at = Date.parse(date ?? "")
  if (!Number.isNaN(at)) aheadMillis = at - Date.now()
}

/** The server's time, independent of this machine's clock. */
export const serverClock = (): Date => new Date(Date.now() + aheadMillis)
