// The years on either side of which every day counted from one has four digits too.
const days = /^[12]\d{3}-\d\d-\d\d$/

/** A day as a date field gives it: `2026-11-21`; undefined for any other text, and for a day that no month has. */
export const dayOf = (text: string | null): string | undefined => {
  if (text === null || !days.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

/** The day so many days after another, by the calendar. */
export const daysAfter = (day: string, count: number): string => {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + count)
  return at.toISOString().slice(0, 10)
}

/** The moment at which a day begins where the reader is. */
export const midnight = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

/** How long the UTC day of a moment still lasts. */
export const restOfDayMillis = (at: Date): number => 86_400_000 - (at.getTime() % 86_400_000)

/** The day it is in UTC. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)
