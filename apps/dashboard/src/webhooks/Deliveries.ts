import type { DeliveryFound, DeliveryList } from "@sightline/contract/DeliveryApi"
import { useOnce } from "@sightline/dashboard/Once"
import { usePaged } from "@sightline/dashboard/Paged"
import { pollMillis, queryClient, run } from "@sightline/dashboard/Query"
import { useMutation, useQuery } from "@tanstack/react-query"

/** A delivery of an event. */
export type Delivery = DeliveryList["deliveries"][number]

/** One attempt at a delivery: a request to its receiver. */
export type Attempt = DeliveryFound["attempts"][number]

/** The filter of a list of deliveries. */
export interface DeliveryFilter {
  readonly status?: Delivery["status"]
  readonly webhook_id?: string
  readonly watch_id?: string
}

/** Every state of a delivery. */
export const deliveryStates: ReadonlyArray<Delivery["status"]> = ["pending", "delivered", "failed"]

const isPending = ({ status }: Pick<Delivery, "status">) => status === "pending"

/** The deliveries that match a filter, newest first; read again while one is pending. */
export const useDeliveries = (filter: DeliveryFilter) =>
  usePaged(
    ["deliveries", "list", filter],
    (api, page) => api.deliveries.list({ query: { ...filter, ...page } }),
    ({ deliveries }) => deliveries,
    isPending
  )

/** One delivery with its attempts; read again while it is pending. */
export const useDelivery = (id: string) =>
  useQuery({
    queryKey: ["deliveries", "one", id],
    queryFn: () => run((api) => api.deliveries.find({ params: { id } })),
    refetchInterval: ({ state }) => state.data !== undefined && isPending(state.data) && pollMillis()
  })

/** Delivers the same bytes again, as a new delivery. */
export const useReplay = () => {
  const once = useOnce()
  return useMutation({
    mutationFn: (id: string) => once(id, (headers) => run((api) => api.deliveries.replay({ headers, params: { id } }))),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["deliveries"] })
  })
}
