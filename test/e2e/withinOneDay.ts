const dayOf = (millis: number) => Math.floor(millis / 86_400_000)

/** What is looked at within one UTC day, given a moment of it: looked at again where that day ended meanwhile. */
export const withinOneDay = async (look: (today: number) => Promise<void>, now = Date.now): Promise<void> => {
  const today = now()
  try {
    await look(today)
  } catch (error) {
    if (dayOf(now()) === dayOf(today)) throw error
    await look(now())
  }
}
