import type { Client } from "@sightline/contract/Client"
import { CreateWatch, type RunList, type WatchList } from "@sightline/contract/WatchApi"
import { checked } from "@sightline/dashboard/Checked"
import { useOnce } from "@sightline/dashboard/Once"
import { usePaged } from "@sightline/dashboard/Paged"
import { queryClient, run } from "@sightline/dashboard/Query"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Effect } from "effect"

/** A watch as the list has it. */
export type Watch = WatchList["watches"][number]

/** One run of a watch. */
export type WatchRun = RunList["runs"][number]

const refresh = () => queryClient.invalidateQueries({ queryKey: ["watches"] })

/** The account's watches, newest first. */
export const useWatches = () =>
  usePaged(
    ["watches", "list"],
    (api, page) => api.watch.list({ query: page }),
    ({ watches }) => watches
  )

// An id is answered with its state alone; what it watches stands in the list.
const find = Effect.fnUntraced(function* (api: Client, id: string) {
  const state = yield* api.watch.find({ params: { id } })
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: WatchList = yield* api.watch.list({ query: { limit: "200", ...(cursor && { cursor }) } })
    const found = page.watches.find((watch) => watch.id === id)
    if (found !== undefined) return { ...found, ...state }
    cursor = page.next_cursor
  }
  return yield* Effect.fail(new Error("A watch that has a state is in the list."))
})

/** One watch. */
export const useWatch = (id: string) =>
  useQuery({ queryKey: ["watches", "one", id], queryFn: (): Promise<Watch> => run((api) => find(api, id)) })

// A run has yet to end, or the news of it to arrive.
const isOpen = ({ status, delivery_status: news }: WatchRun): boolean =>
  status === "queued" || status === "running" || news === "pending"

/** The runs of a watch, newest first; read again while one is open. */
export const useRuns = (id: string) =>
  usePaged(
    ["watches", "runs", id],
    (api, page) => api.watch.runs({ params: { id }, query: page }),
    ({ runs }) => runs,
    isOpen
  )

/** Creates a watch. It holds the secret, so it is forgotten with the form it was called from. */
export const useCreateWatch = () => {
  const once = useOnce()
  return useMutation({
    mutationFn: (body: unknown) =>
      once(body, (headers) =>
        run((api) => Effect.flatMap(checked(CreateWatch, body), (payload) => api.watch.create({ headers, payload })))
      ),
    gcTime: 0,
    onSettled: refresh
  })
}

/** What can be done to a watch. */
export type WatchDeed = "pause" | "resume" | "start"

/** Pauses, resumes or runs a watch. */
export const useWatchDeed = (id: string) => {
  const once = useOnce()
  return useMutation({
    mutationFn: (deed: WatchDeed) =>
      once({ id, deed }, (headers) =>
        run((api): Effect.Effect<unknown, unknown> => api.watch[deed]({ headers, params: { id } }))
      ),
    onSettled: refresh
  })
}
