import type { AskAccepted } from "@sightline/contract/AskApi"
import { FailureNote } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { pollMillis, run } from "@sightline/dashboard/Query"
import { useQuery } from "@tanstack/react-query"
import { AskAnswer } from "./AskAnswer.tsx"

interface QueuedAskProps {
  readonly accepted: AskAccepted
  /** The brands that were looked for. */
  readonly tracked: ReadonlyArray<string>
}

/** A queued ask, polled until it is done. */
export const QueuedAsk = ({ accepted, tracked }: QueuedAskProps) => {
  const { ask_id: id, estimated_cost_cents: estimate } = accepted
  const { data, error } = useQuery({
    queryKey: ["ask", id],
    queryFn: () => run((api) => api.ask.find({ params: { id } })),
    refetchInterval: ({ state }) => (state.data !== undefined && "providers" in state.data ? false : pollMillis())
  })
  if (data !== undefined && "providers" in data) return <AskAnswer answer={data} tracked={tracked} />
  const state = data?.status ?? accepted.status
  return (
    <>
      {error !== null && <FailureNote failure={error} />}
      <p aria-live="polite">
        <Status tone={toneOf(state)}>{state}</Status> It costs up to <Money cents={estimate} /> credits and is shown
        here when it is done.
      </p>
    </>
  )
}
