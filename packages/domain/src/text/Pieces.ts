/** One of three parts of the brand's letters. At least one of them stays intact when two letters are edited. */
export interface Piece {
  readonly text: string
  /** How many of the brand's letters come before it. */
  readonly before: number
}

// Letters per thousand of English text, a to z.
const frequencies = [82, 15, 28, 43, 127, 22, 20, 61, 70, 2, 8, 40, 24, 67, 75, 19, 1, 60, 63, 91, 28, 10, 24, 2, 20, 1]
const chanceOf = (piece: string, at: number): number => (frequencies[piece.charCodeAt(at) - 97] ?? 1) / 1000

// The cost of a stop at the first letter of a piece, where the examination of a whole piece costs 1.
const stopCost = 1 / 30

/** The cost of a search for a piece per unit of English text: its chance hits, and the stops on the way to them. */
const costOf = (piece: string): number => {
  let chance = 1
  for (let at = 0; at < piece.length; at++) chance *= chanceOf(piece, at)
  return chance + stopCost * chanceOf(piece, 0)
}

const longestPiece = 8

/** The part of `letters` in `[from, to)` that is cheapest to search for and lies inside one word of the brand. */
const cheapestWithin = (letters: string, gaps: ReadonlySet<number>, from: number, to: number): Piece | undefined => {
  let best: Piece | undefined
  let lowest = Number.POSITIVE_INFINITY
  for (let start = from; start < to; start++) {
    for (let end = start + 1; end <= Math.min(to, start + longestPiece); end++) {
      const text = letters.slice(start, end)
      const cost = costOf(text)
      if (cost < lowest) {
        best = { text, before: start }
        lowest = cost
      }
      if (gaps.has(end)) break
    }
  }
  return best
}

/** The three disjoint pieces that are cheapest to search for; the cuts of a long brand are simply its thirds. */
export const piecesOf = (letters: string, gaps: ReadonlySet<number>): ReadonlyArray<Piece> => {
  const third = Math.floor(letters.length / 3)
  const searched = letters.length <= 16
  let best: ReadonlyArray<Piece> = []
  let lowest = Number.POSITIVE_INFINITY
  for (let one = searched ? 1 : third; one <= (searched ? letters.length - 2 : third); one++) {
    for (let two = searched ? one + 1 : 2 * third; two <= (searched ? letters.length - 1 : 2 * third); two++) {
      const pieces = [
        cheapestWithin(letters, gaps, 0, one),
        cheapestWithin(letters, gaps, one, two),
        cheapestWithin(letters, gaps, two, letters.length)
      ].filter((piece) => piece !== undefined)
      const cost = pieces.reduce((sum, piece) => sum + costOf(piece.text), 0)
      if (pieces.length === 3 && cost < lowest) {
        best = pieces
        lowest = cost
      }
    }
  }
  return best
}
