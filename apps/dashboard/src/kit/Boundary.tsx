import { Failure } from "@sightline/dashboard/Failure"
import { Component, type ReactNode } from "react"

/** Stands between a page that fails to draw, or whose file did not come, and the rest. */
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
