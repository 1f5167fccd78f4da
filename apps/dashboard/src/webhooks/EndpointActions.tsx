import { Confirm } from "@sightline/dashboard/kit/Confirm.tsx"
import { Dialog } from "@sightline/dashboard/kit/Dialog.tsx"
import { SecretOnce } from "@sightline/dashboard/kit/SecretOnce.tsx"
import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { useLocation } from "wouter"
import { useRemoveEndpoint, useUpdateEndpoint } from "./Webhooks.ts"

const Rotate = ({ id }: { readonly id: string }) => {
  const rotation = useUpdateEndpoint(id)
  const rotate = () => rotation.mutate({ rotate_secret: true }, { onError: ({ message }) => say(message, "bad") })
  const secret = rotation.data?.webhook.secret
  return (
    <>
      <Confirm
        label="Rotate secret"
        title="Make a new signing secret?"
        action="Rotate secret"
        disabled={useReadOnly() || rotation.isPending}
        onConfirm={rotate}
      >
        <p>
          The old one signs nothing from then on, retries included. Your receiver refuses deliveries until it knows the
          new one.
        </p>
      </Confirm>
      <Dialog title="New signing secret" open={secret !== undefined} onOpenChange={() => rotation.reset()}>
        {secret !== undefined && <SecretOnce label="Signing secret" secret={secret} onDone={() => rotation.reset()} />}
      </Dialog>
    </>
  )
}

const Remove = ({ id }: { readonly id: string }) => {
  const [, go] = useLocation()
  const removal = useRemoveEndpoint(id)
  const remove = () =>
    removal.mutate(undefined, {
      onSuccess: () => {
        say("The endpoint is deleted.")
        go("/webhooks")
      },
      onError: ({ message }) => say(message, "bad")
    })
  return (
    <Confirm
      label="Delete"
      title="Delete this endpoint?"
      action="Delete endpoint"
      danger
      disabled={useReadOnly() || removal.isPending}
      onConfirm={remove}
    >
      <p>It receives nothing more, its secret is erased and its pending deliveries fail.</p>
    </Confirm>
  )
}

/** The buttons that rotate the secret of an endpoint and delete it. */
export const EndpointActions = ({ id }: { readonly id: string }) => (
  <>
    <Rotate id={id} />
    <Remove id={id} />
  </>
)
