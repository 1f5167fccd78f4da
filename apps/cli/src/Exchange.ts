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

/** Says where the call went and what the system said of it, and nothing of what was sent. */
const unanswered = (error: unknown): Unanswered => {
  if (!HttpClientError.isHttpClientError(error)) return new Unanswered({ message: "the answer cannot be read" })
  const { origin } = new URL(error.request.url)
  if (error.response !== undefined) return new Unanswered({ message: `the answer of ${origin} cannot be read` })
  const code = codeOf(error)
  return new Unanswered({ message: `${origin} cannot be reached${code === "" ? "" : ` (${code})`}` })
}

// What the contract does not allow is not sent.
const failureOf = (error: unknown): Misused | Unanswered =>
  Schema.isSchemaError(error) ? misused(error) : unanswered(error)

const accept = (status: number, body: string): Effect.Effect<string, CallFailed> =>
  status >= 200 && status < 300 ? Effect.succeed(body) : Effect.fail(refusalOf(status, body))

/** How a call of the contract's client is made for `exchange`: it gives HTTP's own response. */
export const responseMode = "response-only"

/** How long a call may go without its whole answer. The API's own waits are over long before. */
export const Patience = Context.Reference<Duration.Duration>("@sightline/cli/Exchange/Patience", {
  defaultValue: () => Duration.minutes(2)
})

const late = (patience: Duration.Duration): Unanswered =>
  new Unanswered({ message: `no answer came within ${Duration.toSeconds(patience)} s` })

/** Makes a call of the contract's client in mode `response-only`: the JSON as it came, empty where there is none. */
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

/** What a call that spends was answered: its JSON, and the charge that it goes with. */
export interface Paid {
  readonly body: string
  readonly charge: string | undefined
}

/** Makes a spending call and tells of its platforms while it runs. */
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
    // It was sent as it was: a schema that does not fit is one of the answer.
    Effect.mapError(unanswered),
    // An answer of nothing is read as null, and no call that spends has one.
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

/** What the schema of a body makes of the values given. Errors: each wrong field and why; nothing was sent. */
export const accepted = <A>(schema: Schema.ConstraintDecoder<A>, value: unknown): Effect.Effect<A, Misused> =>
  Schema.decodeUnknownEffect(schema, { errors: "all", onExcessProperty: "error" })(value).pipe(Effect.mapError(misused))
