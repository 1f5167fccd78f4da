import { UsageQuery } from "@sightline/contract/AccountApi"
import { dayOf, daysAfter, utcDay } from "@sightline/dashboard/text/Days"
import { Option, Schema } from "effect"

const { endpoint, mode } = UsageQuery
const Narrowed = Schema.Struct({ endpoint, mode })
const narrowed = Schema.decodeUnknownOption(Narrowed)

/** The predefined ranges. Units: days up to now. */
export const ranges = [7, 30, 90, 365] as const

/** The longest range, in days, that can be shown by the hour. */
const hourlyDaysMax = 31

/** The choice of the spending to show: UTC days, `start` and `end` both included; without an `end` up to now, by the server's clock. */
export interface UsageChoice {
  readonly start: string
  readonly end: string | undefined
  /** The predefined range that this equals, if it ends today. */
  readonly days: number | undefined
  readonly granularity: "day" | "hour"
  readonly canBeHourly: boolean
  readonly narrowed: typeof Narrowed.Type
}

const countOf = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / 86_400_000 + 1

/** The choice in a page's address; by default the last 30 days. */
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

/** The query for the API, in which `end` is not included. */
export const usageQueryOf = ({ start, end, granularity, narrowed: chosen }: UsageChoice) => ({
  start,
  ...(end === undefined ? {} : { end: daysAfter(end, 1) }),
  granularity,
  ...chosen
})
