import { MentionBadge } from "@sightline/dashboard/calls/AnswerCard.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import type { Answer } from "./CheckResult.ts"

/** Whether a platform's answer names the brand and where, or that there was none. */
export const Verdict = ({ answer }: { readonly answer: Answer }) =>
  answer.surface_present === false ? <Status tone="plain">no AI answer</Status> : <MentionBadge {...answer} />
