import type { Options } from "@sightline/dashboard/kit/Options"
import { run } from "@sightline/dashboard/Query"
import { cut } from "@sightline/dashboard/text/Cut"
import { useQuery } from "@tanstack/react-query"

/** The account's last 200 watches as options of a choice. */
export const useWatchOptions = () =>
  useQuery({
    queryKey: ["watches", "options"],
    queryFn: () => run((api) => api.watch.list({ query: { limit: "200" } })),
    select: ({ watches }): Options =>
      watches.map(({ id, brand, query, interval }) => [id, cut(`${brand}: ${query} (${interval})`, 80)])
  })
