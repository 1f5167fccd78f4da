import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { InvalidRequest, RequestFailed, TypeUnsupported, Unauthorized } from "./Problem.ts"

/** `Authorization: Bearer $ADMIN_TOKEN`. */
export class AdminAuthorization extends HttpApiMiddleware.Service<AdminAuthorization>()(
  "@sightline/contract/AdminAuthorization",
  {
    security: { bearer: HttpApiSecurity.bearer },
    error: [InvalidRequest, Unauthorized, RequestFailed, TypeUnsupported],
    requiredForClient: true
  }
) {}
