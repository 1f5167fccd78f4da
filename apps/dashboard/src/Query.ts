import { type Client, connect, make } from "@sightline/contract/Client"
import { eventStream, follow, type FollowedPath, type ProgressEvent } from "@sightline/contract/Progress"
import { csrfHeader, type SessionFound } from "@sightline/contract/SessionApi"
import { MutationCache, notifyManager, QueryCache, QueryClient, queryOptions } from "@tanstack/react-query"
import { Effect, Layer, Result, Stream } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { serverClock, syncClock } from "./Clock.ts"
import { Failure, failureInSession, failureOf, isSignedOut } from "./Failure.ts"

declare module "@tanstack/react-query" {
  interface Register {
    defaultError: Failure
  }
}

// State changes are announced in a microtask, so that they take effect before the next click. On a busy page clicks overtake a timer, and
// two clicks could create two watches. Requests do not wait for a network: the server may be on this machine, and failures must show.
notifyManager.setScheduler((tell) => queueMicrotask(tell))
const networkMode = "always"

/** The browser's session. An ended session is kept, because its page waits for the same key to sign in again. */
export interface Session extends SessionFound {
  readonly hasEnded: boolean
}

/** The polling interval of unfinished items; false once the session has ended. */
export const pollMillis = (): number | false => knownSession()?.hasEnded !== true && 2500

/** The page's only cache of the API's answers. Any 401 ends the session. */
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

// A change without the session's token is refused. So a change that is made before the session is known waits for it, and fails if the
// session cannot be read.
const withToken = Effect.fnUntraced(function* (request: HttpClientRequest.HttpClientRequest) {
  if (request.method === "GET") return request
  const session = yield* Effect.promise(() => queryClient.ensureQueryData(sessionQuery))
  return session === null ? request : HttpClientRequest.setHeader(request, csrfHeader, session.csrf_token)
})

/** Time limit of an answer. The server allows its database 15 seconds, and a call that asks engines 95. */
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
      HttpClient.tap(({ headers }) => Effect.sync(() => syncClock(headers["date"])))
    )
  )
).pipe(Layer.provide(FetchHttpClient.layer), Layer.provide(Layer.succeed(FetchHttpClient.Fetch, patient)))

const client = Effect.runSync(make(addressed).pipe(Effect.provide(transport)))

// The token is derived from the session's secret, so it identifies the session.
const isBegunSince = (token: string | undefined): boolean => {
  const session = knownSession()
  return session?.hasEnded === false && session.csrf_token !== token
}

const settled = async <A, E>(effect: Effect.Effect<A, E>, read = failureInSession): Promise<A> => {
  const token = knownSession()?.csrf_token
  const result = await Effect.runPromise(Effect.result(effect))
  if (Result.isSuccess(result)) return result.success
  const failure = read(result.failure)
  // A late 401 of an old session does not end the session that has replaced it.
  const isLate = isSignedOut(failure) && isBegunSince(token)
  throw isLate ? new Failure({ code: "session_ended", message: failure.message, issues: [] }) : failure
}

/**
 * Calls the API: `run((api) => api.watch.list())`.
 *
 * Shape: `read` turns the error of the call into a `Failure`.
 * Errors: rejects with `Failure` only.
 */
export const run = <A, E>(call: (api: Client) => Effect.Effect<A, E>, read?: typeof failureOf): Promise<A> =>
  settled(call(client), read)

/**
 * Makes a spending call and passes on each of its events.
 *
 * Shape: `key` is its Idempotency-Key: a call that is sent twice is charged once.
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

/** The browser's session, whose token is sent with every change; null when there is none. */
export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: readSession, staleTime: 300_000 })

/** The server's time, from the answer with the session or a later one; this machine's time if the server cannot be reached. */
export const serverNow = async (): Promise<Date> => {
  await queryClient.ensureQueryData(sessionQuery).catch(() => null)
  return serverClock()
}

/** The session in the cache, if any. */
export const knownSession = (): Session | undefined => queryClient.getQueryData(sessionQuery.queryKey) ?? undefined

/** The session with which the page goes on. For one of another key the page is reloaded, because it shows another account's data. */
export const begun = (found: SessionFound): Session => {
  const before = knownSession()
  if (before === undefined || before.key_id === found.key_id) return { ...found, hasEnded: false }
  globalThis.location.reload()
  return before
}
