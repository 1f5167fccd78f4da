import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, type Duration, Effect, Fiber, Layer, Stdio, Terminal } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { TestClock } from "effect/testing"
import { sightline } from "@sightline/cli/Sightline"

/** The environment of a command: a terminal of sixty columns, or a pipe. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>
  readonly terminal?: boolean
  readonly color?: boolean
  /** Advances the command's clock by `time` once `once` has happened, and then calls `next`. */
  readonly passing?: { readonly once: Promise<void>; readonly time: Duration.Input; readonly next: () => void }
}

const meanwhile = <A, E>(
  command: Effect.Effect<A, E>,
  { once, time, next }: NonNullable<CommandEnvironment["passing"]>
) =>
  Effect.gen(function* () {
    const running = yield* Effect.forkChild(command)
    yield* Effect.promise(() => once)
    yield* TestClock.adjust(time)
    next()
    return yield* Fiber.join(running)
  }).pipe(Effect.provide(TestClock.layer()))

/** Runs `sightline` in this process, and returns its output and its errors. */
export const inProcess = async (
  { env, terminal = false, color = false, passing }: CommandEnvironment,
  args: ReadonlyArray<string>
): Promise<{ readonly out: string; readonly err: string }> => {
  const [out, err]: [Array<string>, Array<string>] = [[], []]
  const heard = { ...console, log: (line: string) => void out.push(line), error: (line: string) => void err.push(line) }
  const there = Effect.succeed(terminal)
  const layer = Layer.mergeAll(
    FetchHttpClient.layer,
    Layer.effect(
      Stdio.Stdio,
      Effect.map(Stdio.Stdio, (stdio) => ({ ...stdio, stdoutIsTerminal: there, stderrIsTerminal: there }))
    ),
    Layer.effect(
      Terminal.Terminal,
      Effect.map(Terminal.Terminal, (one) => ({ ...one, columns: Effect.succeed(60) }))
    ),
    Layer.succeed(TerminalCapabilities.TerminalCapabilities, { canColor: color, canAnimate: false, canPrompt: false }),
    Layer.succeed(Console.Console, heard),
    ConfigProvider.layer(ConfigProvider.fromUnknown(env))
  ).pipe(Layer.provideMerge(NodeServices.layer))
  const command = Command.runWith(sightline, { version: "0" })(args).pipe(Effect.provide(layer))
  await Effect.runPromise(passing === undefined ? command : meanwhile(command, passing))
  return { out: out.join("\n"), err: err.join("\n") }
}
