import { bytesOf, type Utf8 } from "@sightline/store/Utf8"
import { HttpBody } from "effect/http"

/**
 * A body of JSON that is already encoded: a string with one character per byte, which `NodeServer` sends unchanged. The byte
 * array is computed on demand.
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
