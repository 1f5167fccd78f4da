import { Brand } from "effect"

/**
 * Encoded text: each character stands for one byte of its UTF-8.
 *
 * Shape: pieces are concatenated like any text, and parts that are the same in all answers are encoded once. V8 stores such a text with
 * one byte for each character, so that sending it is a copy.
 */
export type Utf8 = string & Brand.Brand<"Utf8">
const encoded = Brand.nominal<Utf8>()

/** A text, encoded. */
export const utf8 = (text: string): Utf8 =>
  encoded(Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString("latin1"))

/** The bytes themselves. */
export const bytesOf = (text: Utf8): Uint8Array => Buffer.from(text, "latin1")

/** The text that was encoded. */
export const textOf = (text: Utf8): string => Buffer.from(text, "latin1").toString()

const nothing = utf8("")

/** Concatenates encoded pieces. Appended one by one, they are copied only once, when the whole is sent. */
export const joined = (pieces: ReadonlyArray<Utf8>, between: Utf8 = nothing): Utf8 =>
  encoded(pieces.reduce((row, piece, place) => (place === 0 ? piece : row + between + piece), ""))
