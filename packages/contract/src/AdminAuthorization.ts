import { HttpApiMiddleware, HttpApiSecurity } from "effect/http-api"
import { Unauthorized } from "./Problem.ts"

/** `Authorization: Bearer $ADMIN_TOKEN`. */
export class AdminAuthorization extends HttpApiMiddleware.Service<AdminAuthorization>()(
  "@sightline/contract/AdminAuthorization",
  { security: { bearer: HttpApiSecurity.bearer }, error: Unauthorized, requiredForClient: true }
) {}
