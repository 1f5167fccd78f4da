import { type Failure, isAbsent, isBalanceTooLow } from "@sightline/dashboard/Failure"
import type { ReactNode } from "react"
import { Link } from "wouter"

/** A placeholder of grey lines for content that is loading. */
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
  /** Whether older content is still shown. */
  readonly isStale?: boolean
}

/** A failure with the API's issues for each field, and the remedy: trying again or topping up. */
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
    {isBalanceTooLow(failure) && (
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
 * Announces changes of the page to screen readers: when `text` changes and is not empty.
 *
 * Shape: it is on the page from the beginning, because not all screen readers announce an element that is inserted with its text.
 */
export const LiveRegion = ({ text }: { readonly text: string }) => (
  <p className="hidden" role="status">
    {text}
  </p>
)

interface QueryViewProps<Found> {
  readonly query: {
    readonly data: Found | undefined
    readonly error: Failure | null
    readonly refetch: () => Promise<unknown>
  }
  readonly lines?: number
  readonly label?: string
  readonly children: (found: Found) => ReactNode
}

/** The data of a query, its loading state, or its failure. A failure is shown above older data. */
export const QueryView = <Found,>({ query: { data, error, refetch }, children, ...loading }: QueryViewProps<Found>) => (
  <>
    {error !== null && <FailureNote failure={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
    {error === null && data === undefined && <Loading {...loading} />}
    {data !== undefined && children(data)}
  </>
)

interface MissingDataNoteProps {
  /** The name of the missing data, as the beginning of a sentence. */
  readonly what: string
  readonly query: Pick<QueryViewProps<unknown>["query"], "data" | "error" | "refetch">
}

/** A note that supplementary data could not be read, with a button to try again; nothing if the data is there or loading. */
export const MissingDataNote = ({ what, query: { data, error, refetch } }: MissingDataNoteProps) =>
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
