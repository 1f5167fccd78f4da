import { Dialog } from "@sightline/dashboard/kit/Dialog.tsx"
import { Form } from "@sightline/dashboard/kit/Form.tsx"
import { SecretOnce } from "@sightline/dashboard/kit/SecretOnce.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { useState } from "react"
import { EndpointFields, endpointOf } from "./EndpointFields.tsx"
import { useCreateEndpoint } from "./Webhooks.ts"

const Creation = ({ onDone }: { readonly onDone: () => void }) => {
  const creation = useCreateEndpoint()
  if (creation.data !== undefined)
    return (
      <SecretOnce label="Signing secret" secret={creation.data.webhook.secret} onDone={onDone}>
        <p>The endpoint was created. Everything it is sent is signed with this secret.</p>
      </SecretOnce>
    )
  return (
    <Form label="New endpoint" failure={creation.error} onSubmit={(values) => creation.mutate(endpointOf(values))}>
      <EndpointFields />
      <button type="submit" className="primary" disabled={creation.isPending}>
        {creation.isPending ? "Creating…" : "Create endpoint"}
      </button>
    </Form>
  )
}

/** The button that creates an endpoint, with its form. */
export const NewEndpoint = () => {
  const [open, setOpen] = useState(false)
  return (
    <Dialog title="New endpoint" label="New endpoint" open={open} onOpenChange={setOpen} disabled={useReadOnly()}>
      <Creation onDone={() => setOpen(false)} />
    </Dialog>
  )
}
