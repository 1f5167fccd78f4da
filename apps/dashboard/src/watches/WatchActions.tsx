import { Confirm } from "@sightline/dashboard/kit/Confirm.tsx"
import { say } from "@sightline/dashboard/kit/Toast.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { useReadOnly } from "@sightline/dashboard/Session"
import { watchCost } from "./WatchCost.ts"
import { useWatchAction, type Watch, type WatchAction } from "./Watches.ts"

const done: Readonly<Record<WatchAction, string>> = {
  pause: "The watch is paused.",
  resume: "The watch is active again and runs in its next slot.",
  start: "The run has been requested."
}

/** The buttons that run, pause and resume a watch. */
export const WatchActions = ({ watch }: { readonly watch: Watch }) => {
  const action = useWatchAction(watch.id)
  const still = useReadOnly() || action.isPending
  const act = (what: WatchAction) =>
    action.mutate(what, { onSuccess: () => say(done[what]), onError: ({ message }) => say(message, "bad") })
  const { run } = watchCost(watch.mode, watch.interval)
  const isPaused = watch.status === "paused"
  const turn = isPaused ? "Resume" : "Pause"
  return (
    <>
      {!isPaused && (
        <Confirm
          label="Run now"
          title="Run this watch now?"
          action="Run now"
          disabled={still}
          onConfirm={() => act("start")}
        >
          <p>
            It costs up to <Money cents={run} /> credits, less for each engine that fails. Its schedule stays as it is.
          </p>
        </Confirm>
      )}
      {/* One button both pauses and resumes the watch, so that it keeps the focus. */}
      <Confirm
        label={turn}
        title={`${turn} this watch?`}
        action={turn}
        disabled={still}
        onConfirm={() => act(isPaused ? "resume" : "pause")}
      >
        {isPaused ? (
          <p>
            It runs again from its next slot. A run costs up to <Money cents={run} /> credits, less for each engine that
            fails.
          </p>
        ) : (
          <p>
            It and its runs are kept, and it can be resumed; missed runs are not made up for. A run in progress is
            finished and charged, but not delivered. Deliveries that are still pending fail.
          </p>
        )}
      </Confirm>
    </>
  )
}
