import type { ActionPage } from "@sightline/contract/ActionApi"
import { more, parts, type Screen, table } from "./Table.ts"

/** Recorded actions as a table. Sessions and keys are both shown by the key's id. */
export const showActions = ({ actions, next_cursor }: typeof ActionPage.Type, screen: Screen): string =>
  parts(
    table(
      screen,
      ["action", "at", "what", "by", "key", "account", "subject", "facts"],
      actions.map((one) => [
        one.sequence,
        one.created_at,
        one.action,
        one.principal,
        one.key_id,
        one.account_id,
        one.subject,
        JSON.stringify(one.facts)
      ]),
      ["action", "key", "account", "subject"]
    ),
    more(next_cursor)
  )
