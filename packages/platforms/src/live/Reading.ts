/** Fewer characters than any answer has: where less was read, the reader missed it. Source: upstream reference, section 9. */
export const textMinLength = 20
