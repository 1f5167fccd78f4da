import { useState } from "react"
import { Result, Schema } from "effect"
import type { FinalAnswer, FollowedPath, PlatformProgress, ProgressEvent } from "@sightline/contract/Progress"
import { Failure, failureOf } from "./Failure.ts"
import { queryClient, runFollowed } from "./Query.ts"

/** What is known of a call that has been made: who has answered so far, then its answer or why there is none. */
export interface Call<A> {
  readonly body: unknown
  readonly running: boolean
  readonly progress: ReadonlyArray<PlatformProgress>
  readonly answer: A | null
  readonly headers: Readonly<Record<string, string>>
  readonly failure: Failure | null
}

/** The platforms of a call with the last that was heard of each. */
export const heard = (
  progress: ReadonlyArray<PlatformProgress>,
  next: PlatformProgress
): ReadonlyArray<PlatformProgress> => {
  const at = progress.findIndex(({ platform, side }) => platform === next.platform && side === next.side)
  return at < 0 ? [...progress, next] : progress.with(at, next)
}

const ended = <A>(answer: FinalAnswer, schema: Schema.ConstraintDecoder<A>): Partial<Call<A>> => {
  if (answer.status >= 400) return { failure: failureOf(answer.body) }
  const read = Schema.decodeUnknownResult(schema)(answer.body)
  return Result.isSuccess(read)
    ? { answer: read.success, headers: answer.headers }
    : { failure: failureOf(read.failure) }
}

const made = (body: unknown): Call<never> => ({
  body,
  running: true,
  progress: [],
  answer: null,
  headers: {},
  failure: null
})

const unfinished = new Failure({
  code: "unreachable",
  message: "The connection ended before the answer. Send it again: the same call is not charged twice.",
  issues: []
})

/**
 * A spending call that is followed while it runs.
 *
 * Shape: `send` makes a new call; `resend` repeats the last one under its Idempotency-Key; `refuse` shows what is wrong
 * with a body that was not sent.
 */
export const useCall = <A>(path: FollowedPath, schema: Schema.ConstraintDecoder<A>) => {
  const [call, setCall] = useState<Call<A> | null>(null)
  const [key, setKey] = useState("")
  const change = (changes: (call: Call<A>) => Partial<Call<A>>) =>
    setCall((before) => (before === null ? before : { ...before, ...changes(before) }))
  const hear = (event: ProgressEvent) =>
    change(({ progress }) =>
      event.event === "platform" ? { progress: heard(progress, event.data) } : ended(event.data, schema)
    )
  const follow = async (body: unknown, under: string) => {
    setCall(made(body))
    const failure = await runFollowed(path, body, under, hear).then(() => null, failureOf)
    change(({ answer, failure: known }) => ({
      running: false,
      failure: known ?? failure ?? (answer === null ? unfinished : null)
    }))
    await queryClient.invalidateQueries()
  }
  const send = (body: unknown) => {
    const fresh = crypto.randomUUID()
    setKey(fresh)
    void follow(body, fresh)
  }
  const resend = () => {
    if (call !== null) void follow(call.body, key)
  }
  const refuse = (failure: Failure) => setCall({ ...made(null), running: false, failure })
  return { call, send, resend, refuse }
}
