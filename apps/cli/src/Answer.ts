import { Console, Effect, Option, Schema, Stdio, Terminal } from "effect"
import { TerminalCapabilities } from "effect/cli"
import type { HttpClientResponse } from "effect/http"
import type { FollowedPath, PlatformProgress } from "@sightline/contract/Progress"
import { following } from "./Connection.ts"
import { exchange, exchangeFollowing } from "./Exchange.ts"
import { Refused, Unanswered } from "./Failure.ts"
import { plain, plainJson } from "./Plain.ts"
import { Json } from "./Settings.ts"
import { fields, parts, type Screen } from "./Table.ts"

const screen = Effect.gen(function* () {
  const terminal = yield* Terminal.Terminal
  const { stdoutIsTerminal } = yield* Stdio.Stdio
  const columns = (yield* stdoutIsTerminal) ? yield* terminal.columns : 0
  const { canColor } = yield* TerminalCapabilities.TerminalCapabilities
  return { columns: columns > 0 ? columns : Infinity, bold: canColor } satisfies Screen
})

const printJson = Effect.fnUntraced(function* (body: string) {
  if (body === "") return
  const { stdoutIsTerminal } = yield* Stdio.Stdio
  yield* Console.log((yield* stdoutIsTerminal) ? plainJson(body) : body)
})

const isJson = (text: string): boolean =>
  Option.isSome(Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))(text))

/** Decodes an answer. Errors: an answer that this version does not know. */
const read = <A>(body: string, schema: Schema.ConstraintDecoder<A>): Effect.Effect<A, Unanswered> =>
  Schema.decodeUnknownEffect(Schema.fromJsonString(schema))(body).pipe(
    Effect.mapError(() => new Unanswered({ message: "the answer is not one this version knows; --json shows it" }))
  )

/** Prints an answer: unchanged with `--json`, otherwise in the form that `show` gives it. */
const print = Effect.fnUntraced(function* <A>(
  body: string,
  schema: Schema.ConstraintDecoder<A>,
  show: (value: A, screen: Screen) => string
) {
  if (yield* Json) {
    yield* printJson(body)
    return isJson(body) ? undefined : yield* new Unanswered({ message: "the answer is not JSON" })
  }
  yield* Console.log(show(yield* read(body, schema), yield* screen))
})

/** With `--json`, prints a refusal to standard output too, where scripts read answers. */
const printRefusal = (error: { readonly _tag: string }) =>
  Effect.gen(function* () {
    if (error instanceof Refused && (yield* Json)) yield* printJson(error.body)
  })

/** Makes a call, prints its answer and returns the answer's JSON. */
export const answer = <A, E, R>(
  call: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  schema: Schema.ConstraintDecoder<A>,
  show: (value: A, screen: Screen) => string
) =>
  exchange(call).pipe(
    Effect.tapError(printRefusal),
    Effect.tap((body) => print(body, schema, show))
  )

/** Makes a call for an additional part of the output, which is not shown with `--json`. */
export const part = <A, E, R>(
  call: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>,
  schema: Schema.ConstraintDecoder<A>
) => Effect.flatMap(exchange(call), (body) => read(body, schema))

/** Makes a call without an answer, and prints that it is done. */
export const done = <E, R>(call: Effect.Effect<HttpClientResponse.HttpClientResponse, E, R>, text: string) =>
  exchange(call).pipe(
    Effect.tapError(printRefusal),
    Effect.andThen(Json),
    Effect.flatMap((json) => (json ? Effect.void : Console.log(plain(text))))
  )

const words = { asked: "is asked", answered: "answered", failed: "failed" } as const

/** Prints the progress of one platform to a terminal, while others are still being asked. */
const printProgress = ({ platform, side, state, code }: PlatformProgress) =>
  Console.error(plain(`${platform}${side === undefined ? "" : ` (${side})`} ${words[state]}${code ? `: ${code}` : ""}`))

/** Makes a call that spends. Shows the progress of its platforms on a terminal, then prints its answer and its charge. */
export const answerFollowing = <A>(
  path: FollowedPath,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  schema: Schema.ConstraintDecoder<A>,
  show: (value: A, screen: Screen) => string
) =>
  Effect.gen(function* () {
    const { stderrIsTerminal } = yield* Stdio.Stdio
    const watched = yield* stderrIsTerminal
    return yield* exchangeFollowing(yield* following, path, body, {
      headers,
      tell: (progress) => (watched ? printProgress(progress) : Effect.void)
    })
  }).pipe(
    Effect.tapError(printRefusal),
    Effect.flatMap(({ body: text, charge }) =>
      print(text, schema, (value, on) => parts(show(value, on), fields({ charge })))
    )
  )
