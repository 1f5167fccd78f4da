import { Failure } from "@sightline/dashboard/Failure"
import { Component, type ReactNode } from "react"

/** Catches the error of a page that cannot be rendered or loaded, so that the rest stays usable. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly why: string | null }> {
  override state = { why: null }

  static getDerivedStateFromError(error: unknown) {
    return { why: error instanceof Failure ? error.message : "This page could not be shown." }
  }

  override render() {
    if (this.state.why === null) return this.props.children
    return (
      <div className="note" data-tone="bad" role="alert">
        <p>{this.state.why}</p>
        <button type="button" onClick={() => globalThis.location.reload()}>
          Load again
        </button>
      </div>
    )
  }
}
