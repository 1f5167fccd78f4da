import { Component, type ReactNode } from "react"

/** Stands between a page that fails to draw, or whose file is gone after an update, and the rest. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <div className="note" data-tone="bad" role="alert">
        <p>This page could not be shown. If Sightline was updated meanwhile, loading it again helps.</p>
        <button type="button" onClick={() => globalThis.location.reload()}>
          Load again
        </button>
      </div>
    )
  }
}
