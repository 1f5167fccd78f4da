import type { ActionQuery } from "@sightline/contract/ActionApi"
import { AdminApi } from "@sightline/contract/AdminApi"
import type { Action } from "@sightline/domain/Action"
import { RequestId } from "@sightline/server/http/RequestId"
import { Actions } from "@sightline/store/Actions"
import type { PageRequest } from "@sightline/store/Page"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { cursors } from "./Cursors.ts"
import { withPage } from "./Paging.ts"

const render = ({ keyId, requestId, accountId, createdAt, facts, ...action }: Action) => ({
  ...action,
  created_at: createdAt,
  ...(keyId === null ? {} : { key_id: keyId }),
  ...(requestId === null ? {} : { request_id: requestId }),
  account_id: accountId,
  facts: JSON.parse(facts)
})

/** The record of actions, for operators. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(
  AdminApi,
  "actions",
  Effect.fnUntraced(function* (handlers) {
    const actions = yield* Actions
    const list = Effect.fnUntraced(function* ({ account_id }: typeof ActionQuery.Type, asked: PageRequest<number>) {
      const { rows, next } = yield* actions.page({
        ...asked,
        ...(account_id === undefined ? {} : { accountId: account_id })
      })
      return HttpServerResponse.jsonUnsafe({
        actions: rows.map(render),
        next_cursor: cursors.actions.write(next),
        request_id: yield* RequestId
      })
    })
    return handlers.handle("list", ({ query }) => withPage(cursors.actions, query, (asked) => list(query, asked)))
  })
)
