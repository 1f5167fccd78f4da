/** A stretch of the text as written. */
export interface Span {
  readonly from: number
  readonly to: number
}

/** The line a span stands in, as far as it is read. */
export interface Stretch {
  readonly text: string
  readonly from: number
}

/** What a pattern that looks back finds before `at`. */
export const lookBack = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

const mostAround = 2048

/** What stands around a place, as far as the numbers of one list do. */
export const near = (text: string, at: number): string => text.slice(Math.max(0, at - mostAround), at + mostAround)
