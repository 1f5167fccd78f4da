import type { Effect, Schema } from "effect"
import type { PlatformProgress } from "@sightline/contract/Progress"
import type { Reach } from "./Connection.ts"
import type { Paid } from "./Exchange.ts"
import type { CallFailed } from "./Failure.ts"
import type { Screen } from "./Table.ts"

/** Reports to a client that a platform of its call is being asked, has answered or has failed. */
export type ReportProgress = (progress: PlatformProgress) => Effect.Effect<void>

/**
 * One tool: a call of the API, with what a model has to know about it.
 *
 * Shape: `run` returns the API's JSON, which becomes the structured content, and the charge of a call that spends. `show`
 * makes the text that goes with it.
 */
export interface Tool<Input, Output> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Schema.ConstraintDecoder<Input>
  readonly output: Schema.ConstraintDecoder<Output>
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
  readonly run: (input: Input, tell: ReportProgress) => Effect.Effect<Paid, CallFailed, Reach>
  readonly show: (output: Output, screen: Screen) => string
}

/** Returns its argument; only used to infer the types of a tool. */
export const tool = <Input, Output>(one: Tool<Input, Output>): Tool<Input, Output> => one
