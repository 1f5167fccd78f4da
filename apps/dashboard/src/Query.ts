import { type Client, connect, make } from "@sightline/contract/Client"
import { eventStream, follow, type FollowedPath, type ProgressEvent } from "@sightline/contract/Progress"
import { csrfHeader, type SessionFound } from "@sightline/contract/SessionApi"
import { MutationCache, notifyManager, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query"
import { Effect, Layer, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { heedClock, serverClock } from "./Clock.ts"
import { Failure, failureInSession, failureOf, isSignedOut } from "./Failure.ts"

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: Failure
  }
}

// What has begun is told before the next click is heard: told by a timer, which clicks overtake on a busy page, two of them made two
// watches. A network is not waited for: the server may be on this machine, and what does not arrive is to be said.
notifyManager.setScheduler((tell) => queueMicrotask(tell))
const networkMode = "always"

/** The browser's session; one that has ended is kept, since the page that was of it waits for the same key to sign in again. */
export interface Session extends SessionFound {
  readonly hasEnded: boolean
}

/** How long what is not over is left alone before it is looked at again; with nobody signed in it is not looked at. */
export const pollMillis = (): number | false => knownSession()?.hasEnded !== true && 2500

/** The page's one cache of what the API answered. A 401 anywhere ends the session. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: (failure) => endIfSignedOut(failure) }),
  mutationCache: new MutationCache({ onError: (failure) => endIfSignedOut(failure) }),
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 15_000,
      retry: (tries, { code }) => tries < 2 && code === "unreachable"
    },
    mutations: { networkMode, retry: false }
  }
})

const endIfSignedOut = (failure: Failure) => {
  if (isSignedOut(failure)) queryClient.setQueryData(sessionQuery.queryKey, ended())
}

const ended = (): Session | null => {
  const session = knownSession()
  return session === undefined ? null : { ...session, hasEnded: true }
}

const addressed = { baseUrl: globalThis.location.origin, headers: {} }

// A change without the session's token is refused, so one that is made before the session is known waits for it, and fails with
// what that fails with.
const withToken = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  if (request.method === "GET") return request
  const session = yield* Effect.promise(() => queryClient.ensureQueryData(sessionQuery))
  return session === null ? request : HttpClientRequest.setHeader(request, csrfHeader, session.csrf_token)
})

/** How long an answer is waited for: the server gives its database 15 seconds, and a call that asks engines 95. */
const answerMaxMillis = 20_000
const followedMaxMillis = 100_000

const patient: typeof fetch = (input, init = {}) => {
  const isFollowed = new Headers(init.headers).get("accept")?.startsWith(eventStream) === true
  const given = AbortSignal.timeout(isFollowed ? followedMaxMillis : answerMaxMillis)
  return fetch(input, { ...init, signal: init.signal == null ? given : AbortSignal.any([init.signal, given]) })
}

const transport = Layer.effect(
  HttpClient.HttpClient,
  Effect.map(HttpClient.HttpClient, (client) =>
    client.pipe(
      HttpClient.mapRequestEffect(withToken),
      HttpClient.tap(({ headers }) => Effect.sync(() => heedClock(headers["date"])))
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, patient)))

const client = Effect.runSync(make(addressed).pipe(Effect.provide(transport)))

// The token follows from the session's own secret, so it tells one session from the next.
const isBegunSince = (token: string | undefined): boolean => {
  const session = knownSession()
  return session?.hasEnded === false && session.csrf_token !== token
}

const settled = async <A, E>(effect: Effect.Effect<A, E>, read = failureInSession): Promise<A> => {
  const token = knownSession()?.csrf_token
  const result = await Effect.runPromise(Effect.result(effect))
  if (Result.isSuccess(result)) return result.success
  const failure = read(result.failure)
  // An old session's end, heard of late, is not that of the one in which the page goes on.
  const isLate = isSignedOut(failure) && isBegunSince(token)
  throw isLate ? new Failure({ code: "session_ended", message: failure.message, issues: [] }) : failure
}

/**
 * Calls the API: `run((api) => api.watch.list())`.
 *
 * Shape: `read` makes the `Failure` of what the call failed with.
 * Errors: rejects with `Failure` only.
 */
export const run = <A, E>(call: (api: Client) => Effect.Effect<A, E>, read?: typeof failureOf): Promise<A> =>
  settled(call(client), read)

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
      Effect.updateService(HttpClient.HttpClient, connect(addressed)),
      Effect.provide(transport)
    )
  )

const readSession = async (): Promise<Session | null> => {
  try {
    return begun(await run((api) => api.session.read()))
  } catch (error) {
    if (isSignedOut(failureOf(error))) return ended()
    throw error
  }
}

/** The browser's session, whose token goes with every change; null when there is none. */
export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: readSession, staleTime: 300_000 })

/** What time the server has: by the answer that tells of the session, or by a later one. This machine's where it is not reached. */
export const serverNow = async (): Promise<Date> => {
  await queryClient.ensureQueryData(sessionQuery).catch(() => null)
  return serverClock()
}

/** The session that the page knows of, if any. */
export const knownSession = (): Session | undefined => queryClient.getQueryData(sessionQuery.queryKey) ?? undefined

/** A session under which the page may go on. One of another key has the page loaded anew, since this one is not of its account. */
export const begun = (found: SessionFound): Session => {
  const before = knownSession()
  if (before === undefined || before.key_id === found.key_id) return { ...found, hasEnded: false }
  globalThis.location.reload()
  return before
}
