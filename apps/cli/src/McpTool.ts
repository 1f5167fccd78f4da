import type { Effect, Schema } from "effect"
import type { PlatformProgress } from "@sightline/contract/Progress"
import type { Reach } from "./Connection.ts"
import type { Paid } from "./Exchange.ts"
import type { CallFailed } from "./Failure.ts"
import type { Screen } from "./Table.ts"

/** Tells a client that a platform of its call is being asked, has answered or has failed. */
export type Tell = (progress: PlatformProgress) => Effect.Effect<void>

/**
 * One tool: a call of the API with what a model has to know of it.
 *
 * Shape: `run` gives back the API's JSON, which is the structured content, and the charge of a call that spends; `show` makes the text
 * beside it.
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
  readonly run: (input: Input, tell: Tell) => Effect.Effect<Paid, CallFailed, Reach>
  readonly show: (output: Output, screen: Screen) => string
}

/** A tool, so that its types are inferred. */
export const tool = <Input, Output>(one: Tool<Input, Output>): Tool<Input, Output> => one
