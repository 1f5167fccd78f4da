#!/usr/bin/env node
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, Layer, Option } from "effect"
import { CliConfig, CliError, CliOutput, Command, GlobalFlag, TerminalCapabilities } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { type CallFailed, exitCode, exitCodeOf, NegativeAnswer } from "./Failure.ts"
import { usageError } from "./UsageError.ts"
import { plain } from "./Plain.ts"
import { sightline } from "./Sightline.ts"
import { version } from "./Version.ts"

const say = (line: string) => void process.stderr.write(`sightline: ${plain(line)}\n`)

const complain = (line: string) => Effect.sync(() => say(line))

/** An invalid command gets one line per mistake rather than a page of help. */
const presenter = CliOutput.layerPresenter({
  present: (event) =>
    event._tag === "InvalidInvocation"
      ? Effect.andThen(
          Effect.forEach(event.errors, (error) => complain(usageError(error))),
          complain(`see ${event.commandPath.join(" ")} --help`)
        )
      : CliOutput.defaultPresenter.present(event)
})

type Failure = CallFailed | NegativeAnswer | CliError.CliError

const explain = (error: Failure): Effect.Effect<void> => {
  // The presenter has already printed the help, or the command its answer.
  if (error._tag === "ShowHelp" || error._tag === "NegativeAnswer") return Effect.void
  return complain(error._tag === "Refused" ? `${error.code}: ${error.message}` : error.message)
}

const codeOf = (error: Failure): number => {
  if (!CliError.isCliError(error)) return exitCodeOf(error)
  return error._tag === "ShowHelp" && error.errors.length === 0 ? 0 : exitCode.usage
}

const codeOfCause = (cause: Cause.Cause<Failure>): number =>
  Option.match(Cause.findErrorOption(cause), { onNone: () => exitCode.failed, onSome: codeOf })

const explainCause = (cause: Cause.Cause<Failure>): Effect.Effect<void> =>
  Option.match(Cause.findErrorOption(cause), {
    onSome: explain,
    onNone: () => complain(`this should not happen: ${Cause.pretty(cause)}`)
  })

process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
  // The reader has closed the pipe, as in `sightline checks list | head`.
  if (code === "EPIPE") process.exit(0)
  say(`the output cannot be written (${code})`)
  process.exit(exitCode.failed)
})

const platform = Layer.mergeAll(
  NodeServices.layer,
  FetchHttpClient.layer,
  presenter,
  CliConfig.layer({ builtIns: [GlobalFlag.Help, GlobalFlag.Version, GlobalFlag.Completions] }),
  TerminalCapabilities.layer.pipe(Layer.provide(NodeServices.layer))
)

const exitCodeOfRun = Command.run(sightline, { version }).pipe(
  Effect.as(0),
  Effect.provide(platform),
  Effect.catchCauseIf(
    (cause) => !Cause.hasInterruptsOnly(cause),
    (cause) => Effect.as(explainCause(cause), codeOfCause(cause))
  )
)

NodeRuntime.runMain(exitCodeOfRun, {
  disableErrorReporting: true,
  teardown: (exit, end) => end(Exit.isSuccess(exit) && typeof exit.value === "number" ? exit.value : 130)
})
