const continueLine = Buffer.from("HTTP/1.1 100")
const interimLength = "HTTP/1.1 1".length
const headEnd = Buffer.from("\r\n\r\n")
const [lineFeed, carriageReturn, two] = [0x0a, 0x0d, 0x32]

/**
 * Rewrites interim answers in incoming bytes, which may be cut into pieces anywhere: status 100 becomes 102. The HTTP
 * client gives up a connection on which a 100 arrives, but skips a 102.
 * Source: RFC 9110, 15.2.
 */
export class Interim {
  /** How many bytes of `HTTP/1.1 100` the current head has matched; the full length once the head is known to be interim. */
  #begun = 0
  /** How many bytes of the blank line that ends the head have been matched. */
  #ending = 0
  #isOver = false

  /** Starts with a new head: a request is sent, or an interim answer has ended. */
  expect(): void {
    this.#begun = 0
    this.#ending = 0
    this.#isOver = false
  }

  /** Reads incoming bytes and changes them in place. */
  pass(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#isOver; at++) this.#read(bytes, at)
  }

  #read(bytes: Buffer, at: number): void {
    const byte = bytes[at]
    if (this.#begun < continueLine.length) {
      // HTTP parsers skip blank lines before a head.
      if (this.#begun === 0 && (byte === carriageReturn || byte === lineFeed)) return
      if (byte !== continueLine[this.#begun]) {
        if (this.#begun < interimLength) this.#isOver = true
        else this.#begun = continueLine.length
        return
      }
      this.#begun++
      if (this.#begun === continueLine.length) bytes[at] = two
      return
    }
    this.#ending = byte === headEnd[this.#ending] ? this.#ending + 1 : 0
    if (this.#ending === headEnd.length) this.expect()
  }
}
