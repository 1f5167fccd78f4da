import { Schema } from "effect"

/** Why a call failed, as one code. It is safe to show to the customer who supplied the address. */
export const EgressFailure = Schema.Literals([
  "blocked_address",
  "dns_error",
  "connection_refused",
  "connection_reset",
  "unreachable",
  "tls_error",
  "protocol_error",
  "timeout"
])
export type EgressFailure = typeof EgressFailure.Type

/** A call that was not made or not finished. `code` and `reason` are safe to show to the customer who supplied the address. */
export class EgressFailed extends Schema.TaggedError<EgressFailed>()("EgressFailed", {
  code: EgressFailure,
  reason: Schema.String
}) {}

const byErrno: Readonly<Record<string, EgressFailure>> = {
  ECONNREFUSED: "connection_refused",
  ECONNRESET: "connection_reset",
  EPIPE: "connection_reset",
  UND_ERR_SOCKET: "connection_reset",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ETIMEDOUT: "timeout"
}

/** The code that Node and its libraries put on an error. */
const codeOf = (error: Error): string => ("code" in error ? String(error.code) : "")

/** The failure for an error of a socket: a network or TLS failure by its code, `otherwise` for any other error. */
export const failureOf = (error: Error, otherwise: EgressFailure): EgressFailed => {
  const code = codeOf(error)
  const isTls = code === "EPROTO" || code.startsWith("ERR_SSL") || code.startsWith("ERR_TLS")
  return new EgressFailed({
    code: byErrno[code] ?? (isTls ? "tls_error" : otherwise),
    reason: "no secure connection could be made, or it broke"
  })
}
