import { Result, Schema } from "effect"
import type { Outcome } from "./Composition.ts"
import type { Fault, LiveEnding } from "./Fault.ts"
import { Target } from "./Inquiry.ts"

/** A directive has a clause that the sandbox does not know. This is an error, because an ordinary answer would hide a typing mistake. */
export class UnknownDirective extends Schema.TaggedError<UnknownDirective>()("UnknownDirective", {
  clause: Schema.String
}) {}

/** A question without its directives, and the faults that they ask for, in the order in which they were written. */
export interface Scripted {
  readonly question: string
  readonly faults: ReadonlyArray<Fault>
}

const directive = /\s{0,8}\[\[sandbox:([^\]]*)\]\]/g
const clauseShape = /^([a-z-]+)(?:=(\d+)(ms|s|KiB|MiB)?)?$/
const mebibyte = 1024 * 1024

/** Upper bounds, so that no question can keep the sandbox waiting longer, or make it send more, than a test needs. */
const bounds = { latencyMillis: 120_000, oversizedBytes: 64 * mebibyte, times: 1_000, retryAfterSeconds: 86_400 }

const outcomes: ReadonlyMap<string, Outcome> = new Map([
  ["answer", "answer"],
  ["truncated", "truncated"],
  ["refusal", "refusal"],
  ["silent-refusal", "silent_refusal"],
  ["empty", "empty"]
])

const liveEndings: ReadonlyMap<string, LiveEnding> = new Map([
  ["no-answer", "no_answer"],
  ["consent", "consent"],
  ["captcha", "captcha"],
  ["login-wall", "login_wall"],
  ["region", "region"],
  ["container-empty", "container_empty"],
  ["broken", "broken"]
])

/** A fault that is still incomplete: `retryAfter` is applied when its status is known. */
interface Draft extends Fault {
  readonly retryAfter?: number
}

/** What one clause adds to the fault, or undefined if the clause is not known. */
const clauseOf = (clause: string): Draft | undefined => {
  const [, name = "", digits, unit] = clauseShape.exec(clause) ?? []
  const amount = Number(digits)
  const within = (max: number, least = 0) => digits !== undefined && amount >= least && amount <= max
  const bare = digits === undefined
  const outcome = outcomes.get(name)
  if (outcome !== undefined && bare) return { ending: { kind: "outcome", outcome } }
  const liveEnding = liveEndings.get(name)
  if (liveEnding !== undefined && bare) return { ending: { kind: liveEnding } }
  if ((name === "hang" || name === "malformed" || name === "reset") && bare) return { ending: { kind: name } }
  if ((name === "latency" || name === "slow") && (unit === "ms" || unit === "s")) {
    const millis = unit === "s" ? amount * 1000 : amount
    if (millis > bounds.latencyMillis) return undefined
    return name === "slow" ? { slow: millis } : { latency: millis }
  }
  if (name === "oversized" && (unit === "KiB" || unit === "MiB")) {
    const bytes = amount * (unit === "MiB" ? mebibyte : 1024)
    return bytes <= bounds.oversizedBytes ? { ending: { kind: "oversized", bytes } } : undefined
  }
  if (unit !== undefined) return undefined
  if (name === "status" && within(599, 400)) return { ending: { kind: "status", status: amount } }
  if (name === "retry-after" && within(bounds.retryAfterSeconds)) return { retryAfter: amount }
  return name === "times" && within(bounds.times, 1) ? { times: amount } : undefined
}

const faultOf = (text: string): Result.Result<Fault, UnknownDirective> => {
  const [first = "", ...others] = text.split(/[:;]/)
  const target = Target.literals.find((name) => name === first)
  const clauses = (target === undefined ? [first, ...others] : others).map((clause) => clause.trim())
  const parts = clauses.map(clauseOf)
  const unknown = clauses.find((_clause, index) => parts[index] === undefined)
  if (unknown !== undefined) return Result.fail(new UnknownDirective({ clause: unknown }))
  const draft: Draft = Object.assign({}, target === undefined ? {} : { target }, ...parts)
  const { retryAfter, ...fault } = draft
  if (retryAfter === undefined) return Result.succeed(fault)
  return fault.ending?.kind === "status"
    ? Result.succeed({ ...fault, ending: { ...fault.ending, retryAfterSeconds: retryAfter } })
    : Result.fail(new UnknownDirective({ clause: "retry-after without status" }))
}

/**
 * Reads the directives in a question: `[[sandbox:openai:status=429;retry-after=2;times=1]]`.
 *
 * Errors: `UnknownDirective` with the first clause that is unknown or out of bounds.
 */
export const parseDirectives = (text: string): Result.Result<Scripted, UnknownDirective> =>
  Result.map(Result.all(Array.from(text.matchAll(directive), ([, body = ""]) => faultOf(body))), (faults) => ({
    question: text.replace(directive, "").trim(),
    faults
  }))
