import { Context } from "effect"
import { pathOf } from "./RouteTable.ts"

/** The id of the current request. It is in every JSON body and in every log line about the request. */
export const RequestId = Context.Reference<string>("@sightline/server/http/RequestId", { defaultValue: () => "" })

/** The header with the request's id: on all answers to a check, and on no others. Source: contract, "POST /v1/check". */
export const echoed = (url: string, requestId: string): Readonly<Record<string, string>> =>
  pathOf(url) === "/v1/check" ? { "x-request-id": requestId } : {}
