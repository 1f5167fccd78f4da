import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { platformText } from "@sightline/dashboard/text/Format"
import type { ReactNode } from "react"

interface AnswerCardProps {
  readonly platform: string
  readonly badges?: ReactNode
  readonly children: ReactNode
}

/** One platform's answer in a frame of its own. */
export const AnswerCard = ({ platform, badges, children }: AnswerCardProps) => (
  <article className="answer" aria-label={platformText(platform)}>
    <header className="answer-head">
      <h3>{platformText(platform)}</h3>
      <span className="badges">{badges}</span>
    </header>
    {children}
  </article>
)

interface MentionBadgeProps {
  readonly mentioned: boolean
  readonly rank: number | null
  /** False for a surface that showed no AI answer, which neither names the brand nor leaves it out. */
  readonly surface_present?: boolean
}

/** Whether a platform's answer names the brand and where, or that there was none. */
export const MentionBadge = ({ mentioned, rank, surface_present = true }: MentionBadgeProps) =>
  surface_present ? (
    <>
      <Status tone={mentioned ? "good" : "plain"}>{mentioned ? "mentioned" : "not mentioned"}</Status>
      {rank !== null && <Status tone="plain">rank {rank}</Status>}
    </>
  ) : (
    <Status tone="plain">no AI answer</Status>
  )

interface PartProps {
  readonly title: string
  readonly count: number
  readonly open?: boolean
  readonly children: ReactNode
}

/** A collapsible part of an answer; absent when it is empty. */
export const Part = ({ title, count, open = false, children }: PartProps) =>
  count === 0 ? null : (
    <details className="part" open={open}>
      <summary>
        {title} <span className="muted">{count}</span>
      </summary>
      {children}
    </details>
  )
