import { Context, Duration, Effect, Schema, Stream } from "effect"
import { HttpClient, HttpClientError, type HttpClientResponse } from "effect/http"
import { fieldIssues, sentence } from "@sightline/contract/FieldIssues"
import { follow, type FollowedPath, type PlatformProgress } from "@sightline/contract/Progress"
import { type CallFailed, Misused, Unanswered } from "./Failure.ts"
import { refusalOf } from "./Problem.ts"

const misused = ({ issue }: Schema.SchemaError): Misused =>
  new Misused({ message: fieldIssues(issue).map(sentence).join("; ") })

const codeOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return ""
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : ""
  return code === "" ? codeOf(cause.cause) : code
}

/** The failure without an answer. It names the API's origin and the system's error code, and nothing of what was sent. */
const unanswered = (error: unknown): Unanswered => {
  if (!HttpClientError.isHttpClientError(error)) return new Unanswered({ message: "the answer cannot be read" })
  const { origin } = new URL(error.request.url)
  if (error.response !== undefined) return new Unanswered({ message: `the answer of ${origin} cannot be read` })
  const code = codeOf(error)
  return new Unanswered({ message: `${origin} cannot be reached${code === "" ? "" : ` (${code})`}` })
}

// A schema error comes from the request here: a request that the contract does not allow is not sent.
const failureOf = (error: unknown): Misused | Unanswered =>
  Schema.isSchemaError(error) ? misused(error) : unanswered(error)

const accept = (status: number, body: string): Effect.Effect<string, CallFailed> =>
  status >= 200 && status < 300 ? Effect.succeed(body) : Effect.fail(refusalOf(status, body))

/** The mode in which a call of the contract's client is made for `exchange`: it returns the HTTP response itself. */
export const responseMode = "response-only"

/** How long a call may take until its whole answer has arrived. The API's own waits are much shorter. */
export const Patience = Context.Reference<Duration.Duration>("@sightline/cli/Exchange/Patience", {
  defaultValue: () => Duration.minutes(2)
})

const late = (patience: Duration.Duration): Unanswered =>
  new Unanswered({ message: `no answer came within ${Duration.toSeconds(patience)} s` })

/** Makes a call of the contract's client in mode `response-only`. Returns the JSON as it arrived, empty if there is none. */
export const exchange = <E, R>(
  call: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>
): Effect.Effect<string, CallFailed, R> =>
  Effect.gen(function* () {
    const response = yield* call
    return { status: response.status, body: yield* response.text }
  }).pipe(
    Effect.mapError(failureOf),
    (answering) =>
      Effect.flatMap(Patience, (patience) =>
        Effect.timeoutOrElse(answering, { duration: patience, orElse: () => Effect.fail(late(patience)) })
      ),
    Effect.flatMap(({ status, body }) => accept(status, body))
  )

/** The answer to a call that spends: its JSON, and the id of its charge. */
export interface Paid {
  readonly body: string
  readonly charge: string | undefined
}

/** Makes a call that spends, and reports the progress of its platforms while it runs. */
export const exchangeFollowing = (
  client: HttpClient.HttpClient,
  path: FollowedPath,
  body: unknown,
  options: {
    readonly headers: Readonly<Record<string, string>>
    readonly tell: (progress: PlatformProgress) => Effect.Effect<void>
  }
): Effect.Effect<Paid, CallFailed> =>
  follow(path, body, options.headers).pipe(
    Stream.tap((event) => (event.event === "platform" ? options.tell(event.data) : Effect.void)),
    Stream.runLast,
    Effect.provideService(HttpClient.HttpClient, client),
    // The body is sent without a check, so a schema error here is about the answer.
    Effect.mapError(unanswered),
    // An empty answer is read as null; a call that spends never has one.
    Effect.flatMap((last) => {
      if (last._tag === "None" || last.value.event !== "answer" || last.value.data.body === null)
        return new Unanswered({ message: "the answer ended before its end" })
      const { status, headers, body } = last.value.data
      return Effect.map(accept(status, JSON.stringify(body)), (text) => ({
        body: text,
        charge: headers["x-charge-id"]
      }))
    })
  )

/** The given values, decoded by the schema of a body. Errors: each wrong field and the reason; nothing has been sent. */
export const accepted = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown): Effect.Effect<A, Misused> =>
  Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })(value).pipe(Effect.mapError(misused))
