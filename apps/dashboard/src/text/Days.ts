// The years are limited so that a day counted from one of these days also has a four-digit year.
const days = /^[12]\d{3}-\d\d-\d\d$/

/** A day as a date field gives it: `2026-11-21`; undefined for any other text, and for a day that does not exist. */
export const dayOf = (text: string | null): string | undefined => {
  if (text === null || !days.test(text)) return undefined
  const at = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text) ? text : undefined
}

/** The day that is `count` calendar days after another. */
export const daysAfter = (day: string, count: number): string => {
  const at = new Date(`${day}T00:00:00Z`)
  at.setUTCDate(at.getUTCDate() + count)
  return at.toISOString().slice(0, 10)
}

/** The start of a day in the reader's time zone. */
export const midnight = (day: string): string => new Date(`${day}T00:00:00`).toISOString()

/** The time left of the UTC day. */
export const restOfDayMillis = (at: Date): number => 86_400_000 - (at.getTime() % 86_400_000)

/** The UTC day of a point in time. */
export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)
