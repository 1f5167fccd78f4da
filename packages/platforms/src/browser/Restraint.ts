import { Duration, Option } from "effect"

/** How hard live sites may be asked. Source: the field's figures for one address. */
const restraint = {
  capturesPerHour: 30,
  gap: Duration.seconds(4),
  quarantine: Duration.minutes(30),
  quarantineMax: Duration.hours(8)
} as const

/** How a visitor stands with a site: how often in a row it was taken for a robot, and until when it stays away. */
export interface Standing {
  readonly strikes: number
  readonly until: number
}

/** A visitor that was never taken for a robot. */
export const goodStanding: Standing = { strikes: 0, until: 0 }

/** The standing after one more captcha: 30 minutes of quarantine, doubled each time in a row, at most 8 hours. */
export const struck = ({ strikes, until }: Standing, now: number): Standing => {
  // Captures that were under way together are one offence.
  if (until > now) return { strikes, until }
  const millis = Duration.toMillis(restraint.quarantine) * 2 ** strikes
  return { strikes: strikes + 1, until: now + Math.min(millis, Duration.toMillis(restraint.quarantineMax)) }
}

/** Whether the visitor is in quarantine. */
export const isQuarantined = ({ until }: Standing, now: number): boolean => now < until

/** The beginnings of an address's captures at one site within the last hour, those that wait for theirs included. */
export type Spent = ReadonlyArray<number>

/** When an address may begin its next capture at a site and what it has spent then; none when its hour is used up. */
export const spend = (spent: Spent, now: number): Option.Option<{ readonly at: number; readonly spent: Spent }> => {
  const recent = spent.filter((at) => at > now - Duration.toMillis("1 hour"))
  if (recent.length >= restraint.capturesPerHour) return Option.none()
  const at = Math.max(now, (recent.at(-1) ?? Number.NEGATIVE_INFINITY) + Duration.toMillis(restraint.gap))
  return Option.some({ at, spent: [...recent, at] })
}
