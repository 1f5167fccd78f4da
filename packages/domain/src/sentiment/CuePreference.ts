const verbs = new Set(
  (
    "prefer prefers preferred choose chose chosen choosing pick picked picking recommend recommends recommended buy take get go opt " +
    "favour favoured favor favored select selected"
  ).split(" ")
)
const furthest = 10

/** Where "over", "instead of", "rather than" or, after "prefer", "to" ends the preference that begins at `at`; -1 for none. */
export const preferenceEnd = (words: ReadonlyArray<string>, at: number): number => {
  const verb = words[at] ?? ""
  if (!verbs.has(verb)) return -1
  for (let end = at + 1; end < Math.min(words.length, at + furthest); end++) {
    const [word, next] = [words[end], words[end + 1]]
    if (word === "over") return end
    if ((word === "instead" && next === "of") || (word === "rather" && next === "than")) return end + 1
    if (word === "to" && verb.startsWith("prefer")) return end
  }
  return -1
}
