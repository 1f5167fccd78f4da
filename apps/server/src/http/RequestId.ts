import { Context } from "effect"
import { pathOf } from "./RouteTable.ts"

/** The id of the request being answered: in every JSON body, in every log line about it. */
export const RequestId = Context.Reference<string>("@sightline/server/http/RequestId", { defaultValue: () => "" })

/** The header with the same id: on all answers to a check, and on no others. Source: contract, "POST /v1/check". */
export const echoed = (url: string, requestId: string): Readonly<Record<string, string>> =>
  pathOf(url) === "/v1/check" ? { "x-request-id": requestId } : {}
