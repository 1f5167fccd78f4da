const unasked = Buffer.from("HTTP/1.1 100")
const interimLength = "HTTP/1.1 1".length
const headEnd = Buffer.from("\r\n\r\n")
const [lineFeed, carriageReturn, two] = [0x0a, 0x0d, 0x32]

/**
 * What comes before an answer, read as it comes in, however it is cut: makes 102 of each 100, since the client leaves a connection on
 * which comes the one, and skips the other.
 * Source: RFC 9110, 15.2.
 */
export class Interim {
  /** How many bytes of a status line of 100 this head has begun with; all of them once it is known to be interim. */
  #begun = 0
  /** How many bytes of its end have just come. */
  #ending = 0
  #isOver = false

  /** A request is sent. */
  expect(): void {
    this.#begun = 0
    this.#ending = 0
    this.#isOver = false
  }

  /** Bytes have come in, which are changed where they stand. */
  pass(bytes: Buffer): void {
    for (let at = 0; at < bytes.length && !this.#isOver; at++) this.#read(bytes, at)
  }

  #read(bytes: Buffer, at: number): void {
    const byte = bytes[at]
    if (this.#begun < unasked.length) {
      // A parser passes over blank lines before a head.
      if (this.#begun === 0 && (byte === carriageReturn || byte === lineFeed)) return
      if (byte !== unasked[this.#begun]) {
        if (this.#begun < interimLength) this.#isOver = true
        else this.#begun = unasked.length
        return
      }
      this.#begun++
      if (this.#begun === unasked.length) bytes[at] = two
      return
    }
    this.#ending = byte === headEnd[this.#ending] ? this.#ending + 1 : 0
    if (this.#ending === headEnd.length) this.expect()
  }
}
