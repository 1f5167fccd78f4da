/** A stretch of the text as written. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The line of a span, or the part of it that is read, and where that begins. */
export interface Stretch {
  readonly text: string
  readonly from: number
}

/** The match of a sticky lookbehind pattern at `at`. */
export const lookBack = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const mostAround = 2048

/** The text around a place, as far as the numbers of one list reach. */
export const near = (text: string, at: number): string => text.slice(Math.max(0, at - mostAround), at + mostAround)
