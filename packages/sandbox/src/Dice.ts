/**
 * A stream of pseudo-random choices that depends only on its key.
 *
 * Laws: dice with the same key draw the same values in the same order; no clock and no global state is read.
 */
export interface Dice {
  /** A number in [0, 1). */
  readonly next: () => number
  /** A whole number in [0, bound). */
  readonly below: (bound: number) => number
  /** True with probability `p`. */
  readonly chance: (p: number) => boolean
  /** One item of a non-empty list. */
  readonly pick: <A>(items: readonly [A, ...Array<A>]) => A
  /** The items in another order. */
  readonly shuffle: <A>(items: ReadonlyArray<A>) => ReadonlyArray<A>
  /** That many lower-case hexadecimal digits. */
  readonly hex: (length: number) => string
}

/** Four 32-bit words that depend on every character of the text (the cyrb128 hash). */
const digest = (text: string): readonly [number, number, number, number] => {
  let [a, b, c, d] = [1779033703, 3144134277, 1013904242, 2773480762]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ code, 597399067)
    b = c ^ Math.imul(b ^ code, 2869860233)
    c = d ^ Math.imul(c ^ code, 951274213)
    d = a ^ Math.imul(d ^ code, 2716044179)
  }
  a = Math.imul(c ^ (a >>> 18), 597399067)
  b = Math.imul(d ^ (b >>> 22), 2869860233)
  c = Math.imul(a ^ (c >>> 17), 951274213)
  d = Math.imul(b ^ (d >>> 19), 2716044179)
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a]
}

/** The small fast counter generator (sfc32). */
const generator = (text: string): (() => number) => {
  let [a, b, c, d] = digest(text)
  return () => {
    const drawn = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + drawn) | 0
    return (drawn >>> 0) / 4294967296
  }
}

/** The dice of a key. The parts of the key are kept apart, so that ("ab", "c") and ("a", "bc") differ. */
export const dice = (...key: ReadonlyArray<string | number>): Dice => {
  const next = generator(key.map((part) => `${String(part).length}:${part}`).join(""))
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    next,
    below,
    chance: (p) => next() < p,
    pick: (items) => items[below(items.length)] ?? items[0],
    shuffle: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .sort((left, right) => left.order - right.order)
        .map(({ item }) => item),
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join("")
  }
}
