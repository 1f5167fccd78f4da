import type { ReplyTemplate } from "@sightline/store/Replies"

/** A body whose last member is the balance after the call, which only the settling statement knows. */
export const withBalance = (body: object): Pick<ReplyTemplate, "head" | "tail"> => ({
  head: `${JSON.stringify(body).slice(0, -1)},"balance_after_cents":`,
  tail: "}"
})
