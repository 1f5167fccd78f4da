let aheadMillis = 0

/** Sets the page's clock by the `Date` of an answer. */
export const heedClock = (date: string | undefined) => {
  const at = Date.parse(date ?? "")
  if (!Number.isNaN(at)) aheadMillis = at - Date.now()
}

/** What time the server has, whatever this machine's clock says. */
export const serverClock = (): Date => new Date(Date.now() + aheadMillis)
