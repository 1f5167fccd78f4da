import { type Client, connect, make } from "@sightline/contract/Client"
import { follow, type FollowedPath, type ProgressEvent } from "@sightline/contract/Progress"
import { csrfHeader } from "@sightline/contract/SessionApi"
import { MutationCache, notifyManager, QueryCache, QueryClient } from "@tanstack/react-query"
import { Effect, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import { failureOf, isSignedOut, type Failure } from "./Failure.ts"

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: Failure
  }
}

/** Where the session is kept among the queries; null when there is none. */
export const sessionKey = ["session"] as const

// What has begun is told before the next click is heard: told by a timer, which clicks overtake on a busy page, two of them made two
// watches. A network is not waited for: the server may be on this machine, and what does not arrive is to be said.
notifyManager.setScheduler((tell) => queueMicrotask(tell))
const networkMode = "always"

/** The page's one cache of what the API answered. A 401 anywhere ends the session. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (failure) => endIfSignedOut(failure) }),
  mutationCache: new MutationCache({ onError: (failure) => endIfSignedOut(failure) }),
  defaultOptions: {
    queries: { networkMode, staleTime: 15_000, retry: (tries, { code }) => tries < 2 && code === "unreachable" },
    mutations: { networkMode, retry: false }
  }
})

const endIfSignedOut = (failure: Failure) => {
  if (isSignedOut(failure)) queryClient.setQueryData(sessionKey, null)
}

const callingWith = (headers: Readonly<Record<string, string>>) => {
  const options = { baseUrl: globalThis.location.origin, headers }
  return { options, client: Effect.runSync(make(options).pipe(Effect.provide(FetchHttpClient.layer))) }
}

let calling = callingWith({})

/** Sends the session's token with every call from now on: a change without it is refused. */
export const sendToken = (token: string) => {
  calling = callingWith({ [csrfHeader]: token })
}

const settled = async <A, E>(effect: Effect.Effect<A, E>): Promise<A> => {
  const result = await Effect.runPromise(Effect.result(effect))
  if (Result.isSuccess(result)) return result.success
  throw failureOf(result.failure)
}

/**
 * Calls the API: `run((api) => api.watch.list())`.
 *
 * Errors: rejects with `Failure` only.
 */
export const run = <A, E>(call: (api: Client) => Effect.Effect<A, E>): Promise<A> => settled(call(calling.client))

/**
 * Makes a spending call and hands on every event of it.
 *
 * Shape: `key` is its Idempotency-Key, so that sent twice it is charged once.
 * Errors: rejects with `Failure` only.
 */
export const runFollowed = (
  path: FollowedPath,
  body: unknown,
  key: string,
  onEvent: (event: ProgressEvent) => void
): Promise<void> =>
  settled(
    follow(path, body, { "idempotency-key": key }).pipe(
      Stream.runForEach((event) => Effect.sync(() => onEvent(event))),
      Effect.updateService(HttpClient.HttpClient, connect(calling.options)),
      Effect.provide(FetchHttpClient.layer)
    )
  )
