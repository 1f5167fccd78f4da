import {
  McpServer,
  type CallToolResult,
  type ServerContext,
  type StandardSchemaWithJSON
} from "@modelcontextprotocol/server"
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio"
import { Cause, Effect, FiberSet, JsonSchema, Option, Result, Schema } from "effect"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { fieldIssues, sentence } from "@sightline/contract/FieldIssues"
import { opened } from "@sightline/contract/OpenAnswers"
import type { Reach } from "./Connection.ts"
import type { Paid } from "./Exchange.ts"
import { plain, plainJson } from "./Plain.ts"
import type { ReportProgress, Tool } from "./McpTool.ts"
import { version } from "./Version.ts"

const screen = { columns: Infinity, bold: false }

/**
 * The schema in the form that the SDK takes. It validates, gives errors in the API's words, and describes itself as JSON
 * Schema, as `/openapi.json` does. Input may have no other properties; output may.
 */
const standard = <A>(
  schema: Schema.ConstraintDecoder<A>,
  onExcessProperty: "error" | "ignore"
): StandardSchemaWithJSON<unknown, A> => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty })
  const validate = (value: unknown) =>
    Result.match(decode(value), {
      onSuccess: (known) => ({ value: known }),
      // The sentence already names the field; the SDK would repeat it if it were given a path.
      onFailure: ({ issue }) => ({ issues: fieldIssues(issue).map((one) => ({ message: sentence(one) })) })
    })
  const { schema: root, definitions: $defs } = Schema.toJsonSchemaDocument(schema, { onExcessProperty: "error" })
  const closed = { $schema: JsonSchema.META_SCHEMA_URI_DRAFT_2020_12, ...root, $defs }
  const described = () => (onExcessProperty === "error" ? closed : opened(closed))
  return {
    "~standard": { version: 1, vendor: "sightline", validate, jsonSchema: { input: described, output: described } }
  }
}

const said = (text: string): CallToolResult => ({ content: [{ type: "text", text }] })

/** Reports ended platforms to a client that asked for progress. `progress` must grow with each report. */
const progressReporter = ({ mcpReq }: ServerContext): ReportProgress => {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return () => Effect.void
  let [total, progress] = [0, 0]
  return ({ platform, side, state, code }) => {
    if (state === "asked") return Effect.sync(() => void total++)
    progress++
    const message = plain(`${platform}${side === undefined ? "" : ` (${side})`} ${state}${code ? `: ${code}` : ""}`)
    const params = { progressToken, progress, total: Math.max(total, progress), message }
    // A client that has gone is no reason to stop a call that is already paid for.
    return Effect.ignore(Effect.tryPromise(() => mcpReq.notify({ method: "notifications/progress", params })))
  }
}

/**
 * The result for an answer that does not fit the tool's output schema. To the protocol it is an error. The answer is
 * included all the same, because it may have been paid for.
 */
const unknown = (body: string): CallToolResult => ({
  ...said(`The call was made. This version does not know all of its answer: ${plainJson(body)}`),
  isError: true
})

/** The key under which a host finds the id of a call's charge, which HTTP has in `X-Charge-ID`. */
const chargeKey = "sightline/charge_id"

const answer = <A>(
  { body, charge }: Paid,
  schema: Schema.ConstraintDecoder<A>,
  show: Tool<never, A>["show"]
): CallToolResult => {
  const structuredContent: Record<string, unknown> = JSON.parse(body)
  const result = Option.match(Schema.decodeUnknownOption(schema)(structuredContent), {
    onNone: () => unknown(body),
    onSome: (value) => ({ ...said(show(value, screen)), structuredContent })
  })
  return charge === undefined ? result : { ...result, _meta: { [chargeKey]: charge } }
}

const refusal = (cause: Cause.Cause<{ readonly message: string; readonly code?: string }>): CallToolResult => {
  const text = Option.match(Cause.findErrorOption(cause), {
    onNone: () => "the call was ended",
    onSome: ({ code, message }) => (code === undefined ? message : `${code}: ${message}`)
  })
  return { ...said(plain(text)), isError: true }
}

/** Registers one tool on a server. */
export type Register = <Input, Output>(tool: Tool<Input, Output>) => void

/** Standard input, which ends only when the calls read from it have ended: at the end of its input the SDK drops calls that still run. */
const inputOf = (calls: FiberSet.FiberSet<CallToolResult>) =>
  Readable.from(
    (async function* () {
      yield* process.stdin
      // Within one turn, input that was read starts its call, and the result of an ended call is written.
      await setImmediate()
      await Effect.runPromise(FiberSet.awaitEmpty(calls))
      await setImmediate()
    })(),
    { objectMode: false }
  )

/**
 * Serves MCP over standard input and output until the input ends and its calls are answered. Nothing else is written to the
 * output. `list` registers the tools.
 */
export const serve = Effect.fnUntraced(function* (instructions: string, list: (register: Register) => void) {
  const calls = yield* FiberSet.make<CallToolResult>()
  const start = yield* FiberSet.runtimePromise(calls)<Reach>()
  const make = () => {
    const server = new McpServer({ name: "sightline", title: "Sightline", version }, { instructions })
    list(({ name, title, description, input, output, annotations, run, show }) => {
      const [inputSchema, outputSchema] = [standard(input, "error"), standard(output, "ignore")]
      const config = { title, description, annotations, inputSchema, outputSchema }
      server.registerTool(name, config, (given, call) => {
        const answered = Effect.matchCause(run(given, progressReporter(call)), {
          onFailure: refusal,
          onSuccess: (paid) => answer(paid, output, show)
        })
        return start(answered, { signal: call.mcpReq.signal })
      })
    })
    return server
  }
  const input = inputOf(calls)
  const ended = Effect.callback<void>((resume) => {
    input.once("close", () => resume(Effect.void))
  })
  yield* Effect.acquireUseRelease(
    Effect.sync(() =>
      serveStdio(make, {
        transport: new StdioServerTransport(input),
        onerror: (error) => void process.stderr.write(`sightline: ${plain(error.message)}\n`)
      })
    ),
    () => ended,
    (handle) => Effect.promise(() => handle.close())
  )
}, Effect.scoped)
