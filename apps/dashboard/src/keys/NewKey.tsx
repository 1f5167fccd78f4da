import { Boxes } from "@sightline/dashboard/kit/Field.tsx"
import { Form } from "@sightline/dashboard/kit/Form.tsx"
import { SecretOnce } from "@sightline/dashboard/kit/SecretOnce.tsx"
import { queryClient, run } from "@sightline/dashboard/Query"
import { useReadOnly, useSession } from "@sightline/dashboard/Session"
import { useMutation } from "@tanstack/react-query"

/** The query key of the list of keys. */
export const keysKey = ["keys"] as const

// Only this page holds the text of the key, and it is dropped together with the page.
const useCreate = () =>
  useMutation({
    mutationFn: (read_only: boolean) => run((api) => api.keys.create({ payload: { read_only } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keysKey }),
    gcTime: 0
  })

/** Creates a key in the environment of the session, and shows its text once. */
export const NewKey = () => {
  const environment = useSession().data?.environment ?? ""
  const readOnly = useReadOnly()
  const create = useCreate()
  if (readOnly) return <p className="muted">The key you are signed in with is read-only, so it cannot make others.</p>
  if (create.data !== undefined)
    return (
      <div className="note" data-tone="good" role="status">
        <SecretOnce label="New key" secret={create.data.key.text} onDone={create.reset}>
          <p>The key was created. Programs sign in with its text.</p>
        </SecretOnce>
      </div>
    )
  return (
    <Form
      label="New key"
      failure={create.error}
      onSubmit={({ ticked }) => create.mutate(ticked("may").includes("read_only"))}
    >
      <Boxes
        name="may"
        legend="What it may do"
        options={[["read_only", "Read only: it can look at everything, but neither spend nor change anything"]]}
        ticked={[]}
      />
      <button type="submit" className="primary" disabled={create.isPending}>
        {create.isPending ? "Creating…" : `Create a ${environment} key`}
      </button>
    </Form>
  )
}
