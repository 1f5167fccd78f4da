import { isIP, type LookupFunction } from "node:net"
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls"
import { EgressFailed, failureOf } from "./EgressFailed.ts"
import type { Target } from "./PublicUrl.ts"

/** A target together with the addresses that were checked for it. */
export interface Admission {
  readonly target: Target
  readonly addresses: readonly [string, ...ReadonlyArray<string>]
}

/** How long one of several addresses may take to connect before the next is tried: a lost packet is sent again after 1 s. */
const addressMillis = 2000

const sameAddress = (a: string, b: string): boolean => {
  const plain = (address: string) => (isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address)
  return plain(a) === plain(b)
}

/** What certificates are judged by: the roots that this process trusts now. Making one costs as much as a handshake. */
export const trust = (): SecureContext => createSecureContext()

/** A look-up that says what was found before, of whatever it is asked. */
const knowing =
  (addresses: Admission["addresses"]): LookupFunction =>
  (_name, _options, use) =>
    use(
      null,
      addresses.map((address) => ({ address, family: isIP(address) }))
    )

/**
 * Connects to a checked address, with the name for SNI and certificate, and calls back once: when the connection is secure,
 * with the address it goes to, or with what went wrong. The socket is the caller's to close, at any time.
 */
export const dial = (
  { addresses, target }: Admission,
  secureContext: SecureContext,
  done: (end: string | EgressFailed) => void
): TLSSocket => {
  const options = {
    host: addresses[0],
    port: target.port,
    ...(!target.literal && { servername: target.host }),
    secureContext,
    // Said here, because otherwise a variable of the environment could have every certificate believed.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"],
    // Of one address nothing is looked up.
    ...(addresses.length > 1 && { host: target.host, lookup: knowing(addresses) }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: addressMillis
  }
  const socket = connect(options).setNoDelay(true)
  // What goes wrong before the handshake is over and is not the network's is the handshake's.
  const failed = (error: Error) => done(failureOf(error, "tls_error"))
  socket.once("error", failed)
  socket.once("secureConnect", () => {
    socket.off("error", failed)
    // Whoever uses the socket hears of its errors; nobody need hear of those of an idle one.
    socket.on("error", () => undefined)
    const there = addresses.find((address) => sameAddress(socket.remoteAddress ?? "", address))
    const reason = "the connection went to another address"
    done(there ?? new EgressFailed({ code: "blocked_address", reason }))
  })
  return socket
}
