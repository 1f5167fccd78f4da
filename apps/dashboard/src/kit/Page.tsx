import { zoneText } from "@sightline/dashboard/text/Format"
import { type ReactNode, useEffect } from "react"

interface PageProps {
  readonly title: string
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A page: its heading, which is also the window's title, its actions and its content. */
export const Page = ({ title, lead, actions, children }: PageProps) => {
  useEffect(() => {
    document.title = `${title} · Sightline`
  }, [title])
  return (
    <>
      <header className="page-head">
        <div>
          <h1>{title}</h1>
          {lead !== undefined && <p className="muted">{lead}</p>}
          <p className="muted on-paper">Times without a zone are those of {zoneText}.</p>
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  )
}

/** A part of a page with a heading of its own. */
export const Section = ({ title, actions, children }: Omit<PageProps, "lead">) => (
  <section className="section" aria-label={title} tabIndex={-1}>
    <div className="section-head">
      <h2>{title}</h2>
      {actions}
    </div>
    {children}
  </section>
)
