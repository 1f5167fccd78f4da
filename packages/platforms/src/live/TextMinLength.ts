/** The least length of an answer. If less text was read, the reader missed the answer. Source: upstream reference, section 9. */
export const textMinLength = 20
