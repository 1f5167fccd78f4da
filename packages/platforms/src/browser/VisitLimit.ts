import { Duration } from "effect"

/** The limits for requests to live sites. Source: the field's figures for one address. */
const limits = {
  capturesPerHour: 30,
  gap: Duration.seconds(4),
  quarantine: Duration.minutes(30),
  quarantineMax: Duration.hours(8)
} as const

/** A visitor's standing with a site: how many times in a row it was taken for a robot, and until when it stays away. */
export interface Standing {
  readonly strikes: number
  readonly until: number
}

/** A visitor that was never taken for a robot. */
export const goodStanding: Standing = { strikes: 0, until: 0 }

/** The standing after one more captcha: 30 minutes of quarantine, doubled for each captcha in a row, at most 8 hours. */
export const withStrike = ({ strikes, until }: Standing, now: number): Standing => {
  // Captchas of captures that ran at the same time count once.
  if (until > now) return { strikes, until }
  const millis = Duration.toMillis(limits.quarantine) * 2 ** strikes
  return { strikes: strikes + 1, until: now + Math.min(millis, Duration.toMillis(limits.quarantineMax)) }
}

/** Whether the visitor is in quarantine. */
export const isQuarantined = ({ until }: Standing, now: number): boolean => now < until

/** When an address began its captures at one site; includes at least those of the last hour. */
export type CaptureStarts = ReadonlyArray<number>

const withinHour = (begun: CaptureStarts, now: number): CaptureStarts =>
  begun.filter((at) => at > now - Duration.toMillis("1 hour"))

/** Whether an address may begin one more capture this hour, in addition to those that wait for their turn. */
export const hasRoom = (begun: CaptureStarts, waiting: number, now: number): boolean =>
  withinHour(begun, now).length + waiting < limits.capturesPerHour

/** How long an address waits before it begins its next capture at a site. Units: milliseconds. */
export const gapLeft = (begun: CaptureStarts, now: number): number =>
  Math.max(0, (begun.at(-1) ?? Number.NEGATIVE_INFINITY) + Duration.toMillis(limits.gap) - now)

/** The same list with a capture that begins now. */
export const withStart = (begun: CaptureStarts, now: number): CaptureStarts => [...withinHour(begun, now), now]
