import type { ActionPage } from "@sightline/contract/ActionApi"
import { more, parts, type Screen, table } from "./Table.ts"

/** What was done as a table; a session and its key are both named by the key. */
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
