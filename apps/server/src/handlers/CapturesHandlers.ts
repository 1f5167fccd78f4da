import { AdminApi } from "@sightline/contract/AdminApi"
import { RequestId } from "@sightline/server/http/RequestId"
import { CaptureSamples, type KeptPage } from "@sightline/store/CaptureSamples"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"

const renderSample = ({ id, platform, environment, ending, createdAt, html }: KeptPage) => ({
  id: String(id),
  platform,
  environment,
  ending,
  created_at: createdAt.toISOString(),
  html
})

/** The captured pages that could not be parsed, for operators. Translates between the wire and the store. */
export const layer = HttpApiBuilder.group(
  AdminApi,
  "captures",
  Effect.fnUntraced(function* (handlers) {
    const kept = yield* CaptureSamples
    return handlers.handle(
      "samples",
      Effect.fnUntraced(function* ({ query }) {
        const samples = (yield* kept.newest(query.platform)).map(renderSample)
        return { samples, request_id: yield* RequestId }
      })
    )
  })
)
