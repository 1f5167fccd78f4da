import { Context } from "effect"
import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import type * as ApiKey from "@sightline/domain/ApiKey"
import { keyedProblems } from "./Problem.ts"

/** The authenticated caller of a request. */
export class Caller extends Context.Service<Caller, ApiKey.Caller>()("@sightline/contract/Authorization/Caller") {}

/** `Authorization: Bearer lvk_live_…` or `lvk_test_…`. Source: contract, "Authentication". */
export class Authorization extends HttpApiMiddleware.Service<Authorization, { provides: Caller }>()(
  "@sightline/contract/Authorization",
  {
    // Lower-case, because tools recognise only this spelling: for any other they ask for a user name and a password.
    security: { bearer: HttpApiSecurity.http({ scheme: "bearer" }) },
    error: keyedProblems,
    requiredForClient: true
  }
) {}
