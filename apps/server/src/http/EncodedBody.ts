import { bytesOf, type Utf8 } from "@sightline/store/Utf8"
import { HttpBody } from "effect/http"

/**
 * JSON that is encoded already, as a body: its text has a character for each byte, and `NodeServer` sends it as it is. Its
 * bytes are computed on demand.
 */
export class EncodedBody extends HttpBody.Uint8Array {
  readonly #json: Utf8

  constructor(json: Utf8) {
    super(undefined, "application/json", json.length, json)
    this.#json = json
  }

  override get body(): Uint8Array {
    return bytesOf(this.#json)
  }
}
