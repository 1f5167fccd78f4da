import type { ReplyTemplate } from "@sightline/store/Replies"

/** A 200 without headers whose body ends with the balance after the call, which only the settling statement knows. */
export const withBalance = (body: object): ReplyTemplate => ({
  status: 200,
  headers: {},
  balanceHeader: null,
  head: `${JSON.stringify(body).slice(0, -1)},"balance_after_cents":`,
  tail: "}"
})
