import { hash32 } from "./Hash.ts"
import type { Interval } from "./Watch.ts"

/** The precision of the schedule. Source: contract, "watch schedule granularity". */
const slotMillis = 300_000

/** Slots of 5 minutes in each interval: a watch runs in one of them. Source: decisions W1. */
export const slotsIn: Readonly<Record<Interval, number>> = { hourly: 12, daily: 288, weekly: 2016 }

/** The time from one run of a watch to the next, in milliseconds. */
export const periodMillis = (interval: Interval): number => slotsIn[interval] * slotMillis

/**
 * The slot of its interval in which a watch runs; it never changes.
 *
 * Shape: an integer from 0 to `slotsIn[interval]` - 1.
 * Laws: watches with random ids are distributed uniformly over the slots.
 */
export const phaseOf = (watchId: string, interval: Interval): number => hash32(watchId) % slotsIn[interval]

/** How far into each of its periods, counted from the epoch, a watch runs, in milliseconds. */
export const phaseMillis = (watchId: string, interval: Interval): number => phaseOf(watchId, interval) * slotMillis
