/**
 * What the owner of a receiver sees of a failed connection, for each error that a socket may have.
 *
 * Planted and seen red: any line of the table left out; the message of the error passed on.
 */
import { assert, it } from "vitest"
import { type EgressFailure, failureOf } from "@sightline/egress/EgressFailed"

const failures: ReadonlyArray<readonly [EgressFailure, ReadonlyArray<string>]> = [
  ["connection_refused", ["ECONNREFUSED"]],
  ["connection_reset", ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]],
  ["unreachable", ["EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"]],
  ["timeout", ["ETIMEDOUT"]],
  ["tls_error", ["EPROTO", "ERR_SSL_WRONG_VERSION_NUMBER", "ERR_TLS_CERT_ALTNAME_INVALID"]],
  ["protocol_error", ["HPE_INVALID_CONSTANT", "", "E"]]
]

it.each(failures)("reports %s for the error codes %j", (failure, codes) => {
  for (const code of codes) {
    const error = Object.assign(new Error("connect 10.0.0.1:443"), { code })
    const { code: told, reason } = failureOf(error, "protocol_error")
    assert.strictEqual(told, failure, code)
    assert.strictEqual(reason, "no secure connection could be made, or it broke")
  }
})

it("an error without a network code is reported as a failure of its step", () => {
  assert.strictEqual(failureOf(new Error("certificate has expired"), "tls_error").code, "tls_error")
  assert.strictEqual(failureOf(new Error("no HTTP"), "protocol_error").code, "protocol_error")
})
