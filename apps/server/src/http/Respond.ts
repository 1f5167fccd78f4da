import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { RequestId } from "./RequestId.ts"

/** An effect that produces an answer of this server. */
export type Responding<E = never, R = never> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** A JSON answer of the contract, with the request's id as its first field. */
export const respond = <Body extends { readonly request_id: string }>(body: Omit<Body, "request_id">, status = 200) =>
  Effect.map(RequestId, (request_id) => HttpServerResponse.jsonUnsafe({ request_id, ...body }, { status }))
