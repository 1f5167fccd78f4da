import { Record, SchemaAST } from "effect"
import type { OpenApi } from "effect/http-api"
import { eventStream, followedPaths, ProgressEvent } from "./Progress.ts"

const schema = { $ref: `#/components/schemas/${SchemaAST.resolveIdentifier(ProgressEvent.ast)}` }

/** A header that only a stream has. */
const unheld = {
  schema: { type: "string" as const },
  required: false,
  description: "`no` on a stream: proxies should not buffer it."
}

/**
 * Adds the event stream that may replace a JSON answer to a description of the API, as the schema of one event.
 *
 * Shape: a stream is always a 200 and carries the headers of its answer in an event, so no header is required on a 200.
 */
export const withStreams: typeof OpenApi.Transform.Service = (description) => {
  const paths: OpenApi.OpenAPISpecPaths = description["paths"]
  for (const path of followedPaths) {
    const answer = paths[path]?.post?.responses[200]
    if (answer === undefined) continue
    answer.content = { ...answer.content, [eventStream]: { schema } }
    answer.headers = {
      ...Record.map(answer.headers ?? {}, (header) => ({ ...header, required: false })),
      "x-accel-buffering": unheld
    }
  }
  return description
}
