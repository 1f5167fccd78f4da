/** How long a UTC day is. */
export const dayMillis = 86_400_000

const dayOf = (millis: number) => Math.floor(millis / dayMillis)

/** The days of a range that ends on the given day, as the page writes them. */
export const lastDays = (count: number, today: number): string => {
  const days = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone: "UTC" })
  return days.formatRange(today - (count - 1) * dayMillis, today)
}

/** Runs assertions with the current UTC day, and repeats them where the day ended meanwhile. */
export const withinOneDay = async (look: (today: number) => Promise<void>, now = Date.now): Promise<void> => {
  const today = now()
  try {
    await look(today)
  } catch (error) {
    if (dayOf(now()) === dayOf(today)) throw error
    await look(now())
  }
}
