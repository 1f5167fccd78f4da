import type { FinalAnswer, FollowedPath, PlatformProgress, ProgressEvent } from "@sightline/contract/Progress"
import { checked } from "@sightline/dashboard/Checked"
import { Failure, failureInSession, failureOf } from "@sightline/dashboard/Failure"
import { queryClient, runFollowed } from "@sightline/dashboard/Query"
import { Effect, Result, Schema } from "effect"
import { useState } from "react"

/** The state of a call: the progress of its platforms, then its answer or its failure. */
export interface Call<A> {
  readonly body: unknown
  readonly running: boolean
  readonly progress: ReadonlyArray<PlatformProgress>
  readonly answer: A | null
  readonly headers: Readonly<Record<string, string>>
  readonly failure: Failure | null
}

/** The progress of a call, with the latest state of each platform. */
const withProgress = (
  progress: ReadonlyArray<PlatformProgress>,
  next: PlatformProgress
): ReadonlyArray<PlatformProgress> => {
  const at = progress.findIndex(({ platform, side }) => platform === next.platform && side === next.side)
  return at < 0 ? [...progress, next] : progress.with(at, next)
}

const ended = <A>(answer: FinalAnswer, schema: Schema.ConstraintDecoder<A>): Partial<Call<A>> => {
  if (answer.status >= 400) return { failure: failureInSession(answer.body) }
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

/** Whether a failure is shown at the form's fields, and not in place of the answer. */
export const isOfFields = ({ issues }: Failure): boolean => issues.length > 0

/**
 * A spending call that is followed while it runs.
 *
 * Shape: `submit` makes a new call with a body that fits its schema; `resend` repeats the last one with its
 * Idempotency-Key; `refused` is the failure of the fields.
 */
export const useCall = <A>(path: FollowedPath, schema: Schema.ConstraintDecoder<A>) => {
  const [call, setCall] = useState<Call<A> | null>(null)
  const [key, setKey] = useState("")
  const change = (changes: (call: Call<A>) => Partial<Call<A>>) =>
    setCall((before) => (before === null ? before : { ...before, ...changes(before) }))
  const hear = (event: ProgressEvent) =>
    change(({ progress }) =>
      event.event === "platform" ? { progress: withProgress(progress, event.data) } : ended(event.data, schema)
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
  const submit = <B, I>(request: Schema.Codec<B, I>, body: unknown) => {
    const fits = Effect.runSync(Effect.result(checked(request, body)))
    if (Result.isFailure(fits)) return setCall({ ...made(body), running: false, failure: fits.failure })
    const fresh = crypto.randomUUID()
    setKey(fresh)
    void follow(body, fresh)
  }
  const resend = () => {
    if (call !== null) void follow(call.body, key)
  }
  const failure = call?.failure ?? null
  return { call, submit, resend, refused: failure !== null && isOfFields(failure) ? failure : null }
}
