/** A function of words with a cache of its results; for one answer, in which names recur. */
export const memoize = <A>(read: (words: string) => A): ((words: string) => A) => {
  const known = new Map<string, { readonly value: A }>()
  return (words) => {
    const found = known.get(words)
    if (found !== undefined) return found.value
    const value = read(words)
    known.set(words, { value })
    return value
  }
}
