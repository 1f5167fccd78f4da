import { useRef } from "react"

/** The headers that make a change the same change when it is made again. */
type OnceHeaders = Readonly<Record<"idempotency-key", string>>

/**
 * Makes a change once, however often it has to be sent: `once(body, (headers) => run((api) => api.watch.create({ headers, payload })))`.
 *
 * Shape: `change` is what tells it from others. Tried again after it had no answer, it has the Idempotency-Key that it had before; done
 * again after it was answered, it is another one.
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
