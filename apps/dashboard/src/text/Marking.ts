/** A piece of a text that is split where marks begin and end. */
export interface Piece {
  readonly text: string
  readonly marked: boolean
}

/** Maximum number of marks in a text: a hostile one may repeat a name endlessly. */
const most = 200

/**
 * Splits a text at `span`, the mention that the detector found, and wherever the same words occur again.
 *
 * Laws: the pieces joined are the text; linear in it.
 */
export const piecesOf = (text: string, span: readonly [number, number] | null): ReadonlyArray<Piece> => {
  if (span === null) return [{ text, marked: false }]
  const words = text.slice(...span)
  const pieces: Array<Piece> = []
  let from = 0
  for (let at: number = span[0]; at >= 0 && pieces.length < most; at = text.indexOf(words, from)) {
    if (words === "") break
    pieces.push({ text: text.slice(from, at), marked: false }, { text: words, marked: true })
    from = at + words.length
  }
  return [...pieces, { text: text.slice(from), marked: false }].filter((piece) => piece.text !== "")
}
