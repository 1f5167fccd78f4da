import { isIP } from "node:net"
import { connect, createSecureContext, type SecureContext, type TLSSocket } from "node:tls"
import { EgressFailed, failureOf } from "./EgressFailed.ts"
import type { Target } from "./PublicUrl.ts"

/** A target together with the address that was checked for it. */
export interface Admission {
  readonly target: Target
  readonly address: string
}

const sameAddress = (a: string, b: string): boolean => {
  const plain = (address: string) => (isIP(address) === 6 ? new URL(`http://[${address}]`).hostname : address)
  return plain(a) === plain(b)
}

/** What certificates are judged by: the roots that this process trusts now. Making one costs as much as a handshake. */
export const trust = (): SecureContext => createSecureContext()

/**
 * Connects to the checked address, with the name for SNI and certificate, and calls back once: when the connection is secure,
 * or with what went wrong. The socket is the caller's to close, at any time.
 */
export const dial = (
  { address, target }: Admission,
  secureContext: SecureContext,
  done: (failure: EgressFailed | null) => void
): TLSSocket => {
  const socket = connect({
    host: address,
    port: target.port,
    ...(!target.literal && { servername: target.host }),
    secureContext,
    // Said here, because otherwise a variable of the environment could have every certificate believed.
    rejectUnauthorized: true,
    ALPNProtocols: ["http/1.1"]
  }).setNoDelay(true)
  // What goes wrong before the handshake is over and is not the network's is the handshake's.
  const failed = (error: Error) => done(failureOf(error, "tls_error"))
  socket.once("error", failed)
  socket.once("secureConnect", () => {
    socket.off("error", failed)
    // Whoever uses the socket hears of its errors; nobody need hear of those of an idle one.
    socket.on("error", () => undefined)
    const isThere = sameAddress(socket.remoteAddress ?? "", address)
    const reason = "the connection went to another address"
    done(isThere ? null : new EgressFailed({ code: "blocked_address", reason }))
  })
  return socket
}
