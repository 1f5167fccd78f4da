import type { Client } from "@sightline/contract/Client"
import { CreateWatch, type RunList, type WatchList } from "@sightline/contract/WatchApi"
import { checked } from "@sightline/dashboard/Checked"
import { useOnce } from "@sightline/dashboard/Once"
import { usePaged } from "@sightline/dashboard/Paged"
import { queryClient, run } from "@sightline/dashboard/Query"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Effect } from "effect"

/** A watch, as the list returns it. */
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

// The API returns only the state of a single watch, so its other fields are read from the list.
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

// Whether a run has not ended, or its delivery is pending.
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

/** Creates a watch. The mutation holds the secret, so it is dropped together with its form. */
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

/** An action on a watch. */
export type WatchAction = "pause" | "resume" | "start"

/** Pauses, resumes or runs a watch. */
export const useWatchAction = (id: string) => {
  const once = useOnce()
  return useMutation({
    mutationFn: (action: WatchAction) =>
      once({ id, action }, (headers) =>
        run((api): Effect.Effect<unknown, unknown> => api.watch[action]({ headers, params: { id } }))
      ),
    onSettled: refresh
  })
}
