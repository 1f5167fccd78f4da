import { isIP, type LookupFunction } from "node:net"
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls"
import { EgressFailed, failureOf } from "./EgressFailed.ts"
import type { Target } from "./PublicUrl.ts"

/** A target together with the addresses that were checked for it. */
export interface CheckedTarget {
  readonly target: Target
  readonly addresses: readonly [string, ...ReadonlyArray<string>]
}

/** How long one of several addresses may take to connect before the next is tried. A lost packet is sent again after 1 s. */
const addressMillis = 2000

const sameAddress = (a: string, b: string): boolean => {
  const plain = (address: string) => (isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address)
  return plain(a) === plain(b)
}

/** The TLS context with the root certificates that this process trusts now. Creating one costs as much as a handshake. */
export const makeTlsContext = (): SecureContext => createSecureContext()

/** A look-up function that returns the given addresses for any name. */
const fixedLookup =
  (addresses: CheckedTarget["addresses"]): LookupFunction =>
  (_name, _options, use) =>
    use(
      null,
      addresses.map((address) => ({ address, family: isIP(address) }))
    )

/**
 * Connects to one of the checked addresses, with the host name for SNI and the certificate check. Calls `done` once: with
 * the address of the secure connection, or with the failure. The caller closes the socket, at any time.
 */
export const dial = (
  { addresses, target }: CheckedTarget,
  secureContext: SecureContext,
  done: (end: string | EgressFailed) => void
): TLSSocket => {
  const options = {
    host: addresses[0],
    port: target.port,
    ...(!target.literal && { servername: target.host }),
    secureContext,
    // Set explicitly: otherwise an environment variable could switch off the check of certificates.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    // A single address is connected to directly, without a look-up.
    ...(addresses.length > 1 && { host: target.host, lookup: fixedLookup(addresses) }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressMillis
  }
  const socket = connect(options).setNoDelay(true)
  // An error before the end of the handshake that is not a network error is a TLS error.
  const failed = (error: Error) => done(failureOf(error, "tls_error"))
  socket.once("error", failed)
  socket.once("secureConnect", () => {
    socket.off("error", failed)
    // The HTTP client listens for errors itself. Without this listener, an error of a socket that is not in use would be thrown.
    socket.on("error", () => undefined)
    const there = addresses.find((address) => sameAddress(socket.remoteAddress ?? "", address))
    const reason = "the connection went to another address"
    done(there ?? new EgressFailed({ code: "blocked_address", reason }))
  })
  return socket
}
