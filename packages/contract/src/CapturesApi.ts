import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { CaptureEnding } from "@sightline/domain/CaptureEnding"
import { Environment, Platform } from "@sightline/domain/Platform"
import { AdminAuthorization } from "./AdminAuthorization.ts"
import { instant } from "./Instant.ts"
import { InvalidRequest } from "./Problem.ts"

/** Which pages to show: those of one platform, or of all. */
export const SampleQuery = Schema.Struct({ platform: Schema.optionalKey(Platform) })

/** A page whose answer could not be parsed; scripts, cookies and addresses were removed from `html` before it was stored. */
export const Sample = Schema.Struct({
  id: Schema.String,
  platform: Platform,
  environment: Environment,
  ending: CaptureEnding,
  created_at: instant,
  html: Schema.String
})

/** The pages that could not be parsed, newest first. */
export const Samples = Schema.Struct({ samples: Schema.Array(Sample), request_id: Schema.String })

/** The captured pages that could not be parsed, for operators. */
export class CapturesApi extends HttpApiGroup.make("captures")
  .add(
    HttpApiEndpoint.get("samples", "/admin/captures/samples", {
      query: SampleQuery.fields,
      success: Samples,
      error: InvalidRequest
    })
  )
  .middleware(AdminAuthorization) {}
