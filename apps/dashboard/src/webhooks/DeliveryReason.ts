const reasons = new Map([
  ["timeout", "No answer within 10 seconds."],
  ["dns_error", "The receiver's name has no address."],
  ["blocked_address", "The address is not one that may be called."],
  ["connection_refused", "The receiver refused the connection."],
  ["connection_reset", "The receiver closed the connection."],
  ["unreachable", "The receiver is unreachable."],
  ["tls_error", "No secure connection: its certificate, name or protocol. The body was not sent."],
  ["protocol_error", "What came back was not HTTP/1.1, or its head was too large."],
  ["unknown", "The process that sent it ended during the attempt; it may have arrived."],
  ["endpoint_disabled", "The endpoint was disabled or deleted before it was sent."],
  ["watch_paused", "The watch was paused before it was sent."],
  ["secret_unreadable", "The service could not read the signing secret. The operator has to look into it."]
])

/** The meaning of the API's reason for a failed attempt or delivery; empty for an unknown reason. */
export const reasonText = (reason: string): string => {
  const status = /^http_(\d{3})$/.exec(reason)?.[1]
  return status === undefined ? (reasons.get(reason) ?? "") : `The receiver answered ${status}, and not 2xx.`
}
