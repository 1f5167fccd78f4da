import type { FollowedPath, PlatformProgress } from "@sightline/contract/Progress"
import { isWithoutAnswer } from "@sightline/dashboard/Failure"
import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { FailureNote, LiveRegion } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { platformText, wordText } from "@sightline/dashboard/text/Format"
import type { ReactNode } from "react"
import { type Call, isOfFields } from "./Call.ts"
import { curlOf, typescriptOf } from "./Snippets.ts"

const Platforms = ({ progress }: { readonly progress: ReadonlyArray<PlatformProgress> }) => (
  <ul className="progress" aria-live="polite" aria-label="Platforms">
    {progress.map(({ platform, side, state, code }) => (
      <li key={`${platform} ${side ?? ""}`}>
        <span>
          {platformText(platform)}
          {side !== undefined && <span className="muted"> {side.toUpperCase()}</span>}
        </span>{" "}
        <Status tone={toneOf(state)}>{state === "asked" ? "asking…" : state}</Status>
        {code !== undefined && <span className="muted"> {wordText(code)}</span>}
      </li>
    ))}
  </ul>
)

interface CallPanelProps<A> {
  readonly path: FollowedPath
  readonly call: Call<A> | null
  readonly onResend: () => void
  /** Renders the answer once it is there. */
  readonly children: (answer: A, call: Call<A>) => ReactNode
}

const Copies = ({ path, body }: { readonly path: FollowedPath; readonly body: unknown }) => {
  const snippet = { path, body, origin: globalThis.location.origin }
  return (
    <div className="actions">
      <CopyButton text={curlOf(snippet)} label="Copy as curl" />
      <CopyButton text={typescriptOf(snippet)} label="Copy as TypeScript" />
    </div>
  )
}

interface MadeProps<A> extends CallPanelProps<A> {
  readonly call: Call<A>
}

const Made = <A,>({ path, call, onResend, children }: MadeProps<A>) => {
  const { running, progress, answer, failure } = call
  const charge = call.headers["x-charge-id"]
  return (
    <Section title={running ? "Running" : "Answer"} actions={<Copies path={path} body={call.body} />}>
      {progress.length > 0 && <Platforms progress={progress} />}
      {running && progress.length === 0 && <p className="muted">Asking…</p>}
      {!running && failure !== null && (
        <FailureNote failure={failure} {...(isWithoutAnswer(failure) ? { onRetry: onResend } : {})} />
      )}
      {answer !== null && children(answer, call)}
      {charge !== undefined && <p className="muted">charge {charge}</p>}
    </Section>
  )
}

const spoken = ({ running, answer }: Call<unknown>) => {
  if (running) return "The call is running."
  return answer === null ? "" : "The answer is there."
}

/** The progress of a call, then its answer or its failure. */
export const CallPanel = <A,>(props: CallPanelProps<A>) => {
  const call = props.call?.failure != null && isOfFields(props.call.failure) ? null : props.call
  return (
    <>
      <LiveRegion text={call === null ? "" : spoken(call)} />
      {call !== null && <Made {...props} call={call} />}
    </>
  )
}
