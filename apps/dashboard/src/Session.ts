import type { SessionFound } from "@sightline/contract/SessionApi"
import { useMutation, useQuery } from "@tanstack/react-query"
import { failureOf, failureOfSignIn } from "./Failure.ts"
import { say } from "./kit/Toast.tsx"
import { begun, knownSession, queryClient, run, sessionQuery } from "./Query.ts"

/** The browser's session: `data` is null when there is none. */
export const useSession = () => useQuery(sessionQuery)

/** Whether the session's key is read-only. The page then offers no changes. */
export const useReadOnly = (): boolean => useSession().data?.read_only === true

// All tabs share one cookie. After a sign-in with another key in one tab, the others reload: they would mix two accounts.
const tabs = new BroadcastChannel("session")
tabs.addEventListener("message", ({ data }) => {
  if (data === knownSession()?.key_id) void queryClient.invalidateQueries()
  else globalThis.location.reload()
})

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes none
const tell = (keyId: string | null) => tabs.postMessage(keyId)

// The session's query is kept, because the page observes it: a new query would have no observer.
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

/** Signs in with a key, which is sent once and stored nowhere. The session is read back, because browsers may drop its cookie. */
export const useSignIn = () =>
  useMutation({
    // A mutation keeps its argument in the cache, here the key, so it is removed at once.
    gcTime: 0,
    mutationFn: async (key: string) => {
      await run((api) => api.session.signIn({ payload: { key } }), failureOf)
      return run((api) => api.session.read(), failureOfSignIn)
    },
    onSuccess: enter
  })

/** Ends the session and forgets everything that was read under it. */
export const useSignOut = () =>
  useMutation({
    mutationFn: () => run((api) => api.session.signOut()),
    onSuccess: leave,
    onError: ({ message }) => say(`Signing out failed. ${message}`, "bad")
  })
