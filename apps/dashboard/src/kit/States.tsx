import { type Failure, isAbsent, isShort } from "@sightline/dashboard/Failure"
import type { ReactNode } from "react"
import { Link } from "wouter"

/** Lines of grey where something will stand. */
export const Loading = ({ lines = 3, label = "Loading" }: { readonly lines?: number; readonly label?: string }) => (
  <div className="skeleton" role="status" aria-label={label}>
    {Array.from({ length: lines }, (_, n) => (
      <span key={n} />
    ))}
  </div>
)

interface FailureNoteProps {
  readonly failure: Failure
  readonly onRetry?: () => void
  /** Whether there is something on the page that was to be read again. */
  readonly isStale?: boolean
}

/** What went wrong, what the API says of each field, and what can be done: trying again, topping up. */
export const FailureNote = ({ failure, onRetry, isStale = false }: FailureNoteProps) => (
  <div className="note" data-tone="bad" role="alert">
    <p>
      <bdi dir="auto">{failure.message}</bdi>
    </p>
    {isStale && <p>This data was loaded earlier and may be out of date.</p>}
    {failure.issues.length > 0 && (
      <ul>
        {failure.issues.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path === "" ? "" : <code>{path}</code>} <bdi dir="auto">{message}</bdi>
          </li>
        ))}
      </ul>
    )}
    {isShort(failure) && (
      <p>
        <Link href="/usage">Top up the wallet</Link>
      </p>
    )}
    <p className="muted">
      <code>{failure.code}</code>
      {failure.requestId === undefined ? "" : <> · request {failure.requestId}</>}
    </p>
    {onRetry !== undefined && !isAbsent(failure) && (
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    )}
  </div>
)

/**
 * What has changed on the page, for those who listen: said when `text` changes to something.
 *
 * Shape: stands on the page from the beginning, since what comes with its words in it is not read out everywhere.
 */
export const Said = ({ text }: { readonly text: string }) => (
  <p className="hidden" role="status">
    {text}
  </p>
)

interface AwaitedProps<Found> {
  readonly query: {
    readonly data: Found | undefined
    readonly error: Failure | null
    readonly refetch: () => Promise<unknown>
  }
  readonly lines?: number
  readonly label?: string
  readonly children: (found: Found) => ReactNode
}

/** What a query found, or that it is awaited, or why it did not come: above what was found before, which may be old. */
export const Awaited = <Found,>({ query: { data, error, refetch }, children, ...loading }: AwaitedProps<Found>) => (
  <>
    {error !== null && <FailureNote failure={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
    {error === null && data === undefined && <Loading {...loading} />}
    {data !== undefined && children(data)}
  </>
)

interface LackProps {
  /** What did not come, in words that begin a sentence. */
  readonly what: string
  readonly query: Pick<AwaitedProps<unknown>["query"], "data" | "error" | "refetch">
}

/** That what is offered beside a page's own did not come, and a way to try again; nothing when it is there or awaited. */
export const Lack = ({ what, query: { data, error, refetch } }: LackProps) =>
  error !== null &&
  data === undefined && (
    <p className="muted" role="alert">
      {what} could not be read.{" "}
      <button type="button" className="quiet" onClick={() => void refetch()}>
        Try again
      </button>
    </p>
  )

interface EmptyProps {
  readonly title: string
  readonly children?: ReactNode
}

/** Says that there is nothing yet, and what to do about it. */
export const Empty = ({ title, children }: EmptyProps) => (
  <div className="empty">
    <p className="empty-title">{title}</p>
    {children}
  </div>
)
