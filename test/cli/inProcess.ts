import * as NodeServices from "@effect/platform-node/NodeServices"
import { ConfigProvider, Console, Effect, Layer, Stdio, Terminal } from "effect"
import { Command, TerminalCapabilities } from "effect/cli"
import { FetchHttpClient } from "effect/http"
import { sightline } from "@sightline/cli/Sightline"

/** Where a command believes that it runs: on a terminal of sixty columns, or with its output in a pipe. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string>>
  readonly terminal?: boolean
  readonly color?: boolean
}

/** Runs `sightline` in this process; what it wrote to its output and to its errors. */
export const inProcess = async (
  { env, terminal = false, color = false }: Surroundings,
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
  await Effect.runPromise(Command.runWith(sightline, { version: "0" })(args).pipe(Effect.provide(layer)))
  return { out: out.join("\n"), err: err.join("\n") }
}
