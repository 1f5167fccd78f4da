import { UsageQuery } from "@sightline/contract/AccountApi"
import { dayOf, daysAfter, utcDay } from "@sightline/dashboard/text/Days"
import { Option, Schema } from "effect"

const { endpoint, mode } = UsageQuery
const Narrowed = Schema.Struct({ endpoint, mode })
const narrowed = Schema.decodeUnknownOption(Narrowed)

/** The ranges that are one click away. Units: days up to now. */
export const ranges = [7, 30, 90, 365] as const

/** Hours of more days than these are too many to read. */
const hourlyDaysMax = 31

/** What spending is shown: UTC days, `start` and `end` both included; without an `end` up to now, by the server's clock. */
export interface UsageChoice {
  readonly start: string
  readonly end: string | undefined
  /** The range that this is, when it is one of them and ends today. */
  readonly days: number | undefined
  readonly granularity: "day" | "hour"
  readonly canBeHourly: boolean
  readonly narrowed: typeof Narrowed.Type
}

const countOf = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1

/** What a page's address asks for; the last 30 days where it does not say. */
export const choiceOf = (search: URLSearchParams, now: Date): UsageChoice => {
  const today = utcDay(now)
  const end = dayOf(search.get("end"))
  const last = end ?? today
  const start = dayOf(search.get("start")) ?? daysAfter(last, -29)
  const count = countOf(start, last)
  const canBeHourly = count <= hourlyDaysMax
  const chosen = ["endpoint", "mode"].map((name) =>
    Option.getOrElse(narrowed({ [name]: search.get(name) }), () => ({}))
  )
  return {
    start,
    end,
    days: last === today ? ranges.find((range) => range === count) : undefined,
    granularity: canBeHourly && search.get("granularity") === "hour" ? "hour" : "day",
    canBeHourly,
    narrowed: Object.assign({}, ...chosen)
  }
}

/** The days of a range up to now. */
export const lastDays = (count: number, now: Date) => ({ start: daysAfter(utcDay(now), 1 - count), end: undefined })

/** What the API is asked for: its `end` is not included. */
export const usageQueryOf = ({ start, end, granularity, narrowed: chosen }: UsageChoice) => ({
  start,
  ...(end === undefined ? {} : { end: daysAfter(end, 1) }),
  granularity,
  ...chosen
})
