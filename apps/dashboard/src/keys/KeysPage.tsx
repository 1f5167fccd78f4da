import type { KeyList } from "@sightline/contract/KeyApi"
import { Confirm } from "@sightline/dashboard/kit/Confirm.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { queryClient, run, sessionQuery } from "@sightline/dashboard/Query"
import { useReadOnly } from "@sightline/dashboard/Session"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { nothing } from "@sightline/dashboard/text/Format"
import { ShortId, shortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { useMutation, useQuery } from "@tanstack/react-query"
import { keysKey, NewKey } from "./NewKey.tsx"

type Key = KeyList["keys"][number]

const useRevoke = () =>
  useMutation({
    mutationFn: ({ id }: Key) => run((api) => api.keys.revoke({ params: { id } })),
    onSuccess: (_, { current }) => {
      say("The key is revoked.", "good")
      // Revoking its key ends the session; the server refuses it within two seconds.
      if (current) queryClient.setQueryData(sessionQuery.queryKey, null)
      else void queryClient.invalidateQueries({ queryKey: keysKey })
    },
    onError: ({ message }) => say(message, "bad")
  })

interface RevokeProps {
  readonly row: Key
  readonly onRevoke: (key: Key) => void
}

const Revoke = ({ row, onRevoke }: RevokeProps) => (
  <Confirm
    label="Revoke"
    of={`key ${shortId(row.id)}`}
    title={row.current ? "Revoke the key you are signed in with?" : "Revoke this key?"}
    action="Revoke the key"
    danger
    onConfirm={() => onRevoke(row)}
  >
    {row.current && (
      <p className="note" data-tone="bad">
        You are signed in with this key: you will be signed out at once, and need another key to come back.
      </p>
    )}
    <p>
      Every call with key <code>{shortId(row.id)}</code> is refused within two seconds. This cannot be undone.
    </p>
  </Confirm>
)

const columnsFor = (onRevoke: ((key: Key) => void) | undefined) => [
  {
    header: "Key",
    value: ({ id }: Key) => id,
    cell: ({ id, current }: Key) => (
      <span className="badges">
        <ShortId id={id} />
        {current && <Status tone="plain">signed in with</Status>}
      </span>
    )
  },
  { header: "Environment", value: ({ environment }: Key) => environment },
  {
    header: "May",
    sortable: true,
    value: ({ read_only }: Key) => (read_only ? "read only" : "read, spend and change")
  },
  {
    header: "Created",
    sortable: true,
    value: ({ created_at }: Key) => created_at,
    cell: ({ created_at }: Key) => <When at={created_at} />
  },
  {
    header: "State",
    sortable: true,
    value: ({ revoked_at }: Key) => (revoked_at === null ? "active" : `revoked ${revoked_at}`),
    cell: ({ revoked_at }: Key) =>
      revoked_at === null ? (
        <Status tone="good">active</Status>
      ) : (
        <>
          <Status tone="plain">revoked</Status> <When at={revoked_at} />
        </>
      )
  },
  {
    header: "Action",
    value: () => null,
    cell: (row: Key) =>
      row.revoked_at !== null || onRevoke === undefined ? nothing : <Revoke row={row} onRevoke={onRevoke} />
  }
]

/** The page that lists, creates and revokes the account's keys. */
export const KeysPage = () => {
  const readOnly = useReadOnly()
  const revoke = useRevoke()
  const { data, error, refetch } = useQuery({ queryKey: keysKey, queryFn: () => run((api) => api.keys.list()) })
  return (
    <Page title="Keys" lead="Keys let programs and people sign in. A key is shown once, when it is created.">
      <Section title="New key">
        <NewKey />
      </Section>
      <Section title="Keys">
        <DataTable
          caption="Keys"
          captionHidden
          name="keys"
          columns={columnsFor(readOnly ? undefined : revoke.mutate)}
          rows={data?.keys}
          keyOf={({ id }) => id}
          empty={<Empty title="There are no keys." />}
          failure={error}
          onRetry={() => void refetch()}
        />
      </Section>
    </Page>
  )
}
