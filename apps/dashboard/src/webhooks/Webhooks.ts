import { CreateWebhook, UpdateWebhook, type WebhookList } from "@sightline/contract/WebhookApi"
import { checked } from "@sightline/dashboard/Checked"
import { queryClient, run } from "@sightline/dashboard/Query"
import { useMutation, useQuery } from "@tanstack/react-query"
import { Effect } from "effect"

/** A webhook endpoint of the account. */
export type Endpoint = WebhookList["webhooks"][number]

const refresh = () => queryClient.invalidateQueries({ queryKey: ["webhooks"] })

/** The account's endpoints, newest first; at most 100, so the list is not paginated. */
export const useEndpoints = () =>
  useQuery({
    queryKey: ["webhooks", "list"],
    queryFn: async () => (await run((api) => api.webhooks.list())).webhooks
  })

/** One endpoint. */
export const useEndpoint = (id: string) =>
  useQuery({
    queryKey: ["webhooks", "one", id],
    queryFn: async () => (await run((api) => api.webhooks.find({ params: { id } }))).webhook
  })

/** Creates an endpoint. The answer contains its secret, so the mutation is dropped together with the dialog that showed it. */
export const useCreateEndpoint = () =>
  useMutation({
    mutationFn: (body: unknown) =>
      run((api) => Effect.flatMap(checked(CreateWebhook, body), (payload) => api.webhooks.create({ payload }))),
    gcTime: 0,
    onSettled: refresh
  })

/**
 * Changes an endpoint. The answer to a rotation contains the new secret, so the mutation is dropped like that of a creation. The form has
 * the answer before the endpoint is read again, and so recognises its own change.
 */
export const useUpdateEndpoint = (id: string) =>
  useMutation({
    mutationFn: (body: unknown) =>
      run((api) =>
        Effect.flatMap(checked(UpdateWebhook, body), (payload) => api.webhooks.update({ params: { id }, payload }))
      ),
    gcTime: 0,
    onSettled: () => void refresh()
  })

/** Deletes an endpoint. */
export const useRemoveEndpoint = (id: string) =>
  useMutation({
    mutationFn: () => run((api) => api.webhooks.remove({ params: { id } })),
    onSuccess: () => queryClient.removeQueries({ queryKey: ["webhooks"] })
  })
