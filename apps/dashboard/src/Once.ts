import { useRef } from "react"

/** The header by which the API recognises a repeated change. */
type OnceHeaders = Readonly<Record<"idempotency-key", string>>

/**
 * Makes a change once, however often it has to be sent: `once(body, (headers) => run((api) => api.watch.create({ headers, payload })))`.
 *
 * Shape: `change` identifies the change. Until it succeeds, the same change is sent with the same Idempotency-Key; afterwards it counts
 * as a new one.
 */
export const useOnce = () => {
  const tried = useRef<{ readonly change: string; readonly headers: OnceHeaders }>(undefined)
  return async <A>(change: unknown, make: (headers: OnceHeaders) => Promise<A>): Promise<A> => {
    const text = JSON.stringify(change)
    if (tried.current?.change !== text)
      tried.current = { change: text, headers: { "idempotency-key": crypto.randomUUID() } }
    const answer = await make(tried.current.headers)
    tried.current = undefined
    return answer
  }
}
