import { run } from "@sightline/dashboard/Query"
import { cut } from "@sightline/dashboard/text/Cut"
import { useQuery } from "@tanstack/react-query"

type Options = ReadonlyArray<readonly [value: string, text: string]>

/** The options and what is chosen, which stays an option although they lack it, or do not have it yet. */
export const withChosen = (options: Options, chosen: string | undefined): Options =>
  chosen === undefined || options.some(([value]) => value === chosen) ? options : [...options, [chosen, chosen]]

/** The account's last 200 watches as options of a choice. */
export const useWatchOptions = (): Options => {
  const { data } = useQuery({
    queryKey: ["watches", "options"],
    queryFn: () => run((api) => api.watch.list({ query: { limit: "200" } }))
  })
  return (data?.watches ?? []).map(({ id, brand, query, interval }) => [
    id,
    cut(`${brand}: ${query} (${interval})`, 80)
  ])
}
