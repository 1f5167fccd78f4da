import type { SessionFound } from "@sightline/contract/SessionApi"
import { useMutation, useQuery } from "@tanstack/react-query"
import { failureOf } from "./Failure.ts"
import { say } from "./kit/Toast.tsx"
import { begun, knownSession, queryClient, run, sessionQuery } from "./Query.ts"

/** The browser's session: `data` is null when there is none. */
export const useSession = () => useQuery(sessionQuery)

/** Whether the session's key may only look, so that nothing it would be refused is offered. */
export const useReadOnly = (): boolean => useSession().data?.read_only === true

// All tabs have one cookie: a tab that went on after another's sign-in with another key would show two accounts as one.
const tabs = new BroadcastChannel("session")
tabs.addEventListener("message", ({ data }) => {
  if (data === knownSession()?.key_id) void queryClient.invalidateQueries()
  else globalThis.location.reload()
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes none
const tell = (keyId: string | null) => tabs.postMessage(keyId)

// The session itself stays among the queries, since the page watches it: one that is made anew, nobody watches.
const forget = () => {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
  queryClient.getMutationCache().clear()
}

const enter = (found: SessionFound) => {
  const before = knownSession()
  const session = begun(found)
  queryClient.setQueryData(sessionQuery.queryKey, session)
  if (before === undefined) forget()
  else if (!session.hasEnded) void queryClient.invalidateQueries()
  tell(found.key_id)
}

const leave = () => {
  queryClient.setQueryData(sessionQuery.queryKey, null)
  forget()
  tell(null)
}

/** Signs in with a key, which is sent once and kept nowhere. */
export const useSignIn = () =>
  useMutation({
    // A mutation remembers what it was called with.
    gcTime: 0,
    mutationFn: (key: string) => run((api) => api.session.signIn({ payload: { key } }), failureOf),
    onSuccess: enter
  })

/** Ends the session and forgets everything that was read under it. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => run((api) => api.session.signOut()),
    onSuccess: leave,
    onError: ({ message }) => say(`Signing out failed. ${message}`, "bad")
  })
