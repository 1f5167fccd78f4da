import { ChecksQuery } from "@sightline/contract/CheckHistoryApi"
import { dayOf, daysAfter, midnight } from "@sightline/dashboard/text/Days"
import { Option, Schema } from "effect"

const { brand, query, mode, watch_id } = ChecksQuery
const Exact = Schema.Struct({ brand, query, mode, watch_id })
const exact = Schema.decodeUnknownOption(Exact)

/** The filters of the list of checks: `start` and `end` are days in the reader's time zone, both included. */
export type CheckFilters = typeof Exact.Type & { readonly start?: string; readonly end?: string }

const days = ["start", "end"] as const

/** The filters in a page's address; invalid ones are left out. */
export const filtersOf = (search: URLSearchParams): CheckFilters => {
  const fitting = Object.keys(Exact.fields).map((name) => {
    const value = search.get(name)?.trim() ?? ""
    return value === "" ? {} : Option.getOrElse(exact({ [name]: value }), () => ({}))
  })
  const between = days.map((name) => {
    const day = dayOf(search.get(name))
    return day === undefined ? {} : { [name]: day }
  })
  return Object.assign({}, ...fitting, ...between)
}

/** The query of a page's address for the values of a form. */
export const searchOf = (valueOf: (name: string) => string | undefined): URLSearchParams =>
  new URLSearchParams(
    [...Object.keys(Exact.fields), ...days].flatMap<[string, string]>((name) => {
      const value = valueOf(name)
      return value === undefined ? [] : [[name, value]]
    })
  )

/** The query for the API, in which `end` is not included. */
export const checksQueryOf = ({ start, end, ...same }: CheckFilters) => ({
  ...same,
  ...(start === undefined ? {} : { start: midnight(start) }),
  ...(end === undefined ? {} : { end: midnight(daysAfter(end, 1)) })
})
