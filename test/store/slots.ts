import { DateTime } from "effect"
import { periodMillis, phaseMillis } from "@sightline/domain/Slot"
import type { Interval } from "@sightline/domain/Watch"

/** The latest slot of a watch at or before a time. The database finds it by a statement of its own. */
export const latestSlotAt = (watchId: string, interval: Interval, at: DateTime.Utc): DateTime.Utc => {
  const [period, phase] = [periodMillis(interval), phaseMillis(watchId, interval)]
  return DateTime.makeUnsafe(Math.floor((DateTime.toEpochMillis(at) - phase) / period) * period + phase)
}

/** The first slot of a watch strictly after a time. */
export const nextRunAt = (watchId: string, interval: Interval, after: DateTime.Utc): DateTime.Utc =>
  DateTime.add(latestSlotAt(watchId, interval, after), { milliseconds: periodMillis(interval) })
