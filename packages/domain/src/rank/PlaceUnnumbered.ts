// The place that words without a number give a name: "Acme takes the top spot", "the runner-up is Acme".

const own = "(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]his)"
const list = "(?:list|rankings?|round-?up|leaderboard)"
const clear = "(?:(?:clear|overall|undisputed|close|narrow|very) )?"
const pick = "(?:spot|place|position|pick|choice|recommendation)"
const count = "two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}"
const quoted = '[*_"“‘«„[]{0,4}'

// What is first for comfort, among the brands to avoid or in 2019 is not first in the answer.
const ends =
  "(?=[*_]{0,3}(?:\\s*(?:[.,;:!)–—]|$)|\\s(?:overall|here|to(?! none)|behind|ahead|after|thanks|because|due|with|and|but|while|this year)\\b|" +
  `\\s(?:on|in|of) ${own} (?:${list}|comparison|tests?)\\b))`

const numberAfter = new RegExp(
  '^[*_"”’»\\])]{0,4}\\s[*_]{0,3}(?:(?:easily|clearly|narrowly|still|again|currently|also) )?(?:(?:' +
    `(?:takes|took|claims|claimed|holds|gets|earns|earned|wins|won|secures|grabs|is|was|remains) ${own} ${clear}(top|number[- ](?:one|${count})) ${pick}|` +
    `(tops|topped|leads|heads) ${own} (?:${list}|pack|field)|(?:comes|came) out on (top)|` +
    `(?:is|sits|stands|ranks|comes) (?:right )?at the (top) of ${own} ${list}|` +
    `(?:is|was|comes in as|finishes as) (?:a|${own}) ${clear}(runner-up)|` +
    "(führt) (?:die|das|unsere?|meine?) (?:Liste|Rangliste|Ranking|Feld) an|(?:liegt|steht) (?:ganz )?an der (Spitze)|" +
    "(?:arrive|est|se place) en (tête)|(mène|domine) le (?:classement|palmarès)|" +
    "(encabeza|lidera) (?:la|el|nuestra|nuestro|a|o) (?:lista|ranking|clasificación|classificação)|" +
    `(guida) la (?:classifica|lista)|staat (bovenaan))${ends}|(?:rounds|rounded) out ${own} (top (?:${count}))\\b)`,
  "u"
)

// A lookbehind from the start of a name, so that nothing is read twice.
const numberBefore = new RegExp(
  `(?<=(?:\\b${own} ${clear}(top|number[- ]one) ${pick} (?:is|would be|goes to|belongs to|remains)|` +
    `\\b(?:[Tt]aking|[Cc]laiming|[Ii]n) the (top|number (?:one|${count})) (?:spot|position)(?:,? (?:is|comes|we have|sits))?,?|` +
    `\\b([Tt]opping) ${own} ${list} is|\\b[Aa]t the (top) of ${own} ${list},? (?:is|sits|stands|comes|we have)|` +
    `\\b${own} ${clear}(runner-up) (?:is|was|would be)|\\b[Rr]ounding out ${own} (top (?:${count}))(?: is|,)|` +
    "\\b[Aa]n der (Spitze) (?:steht|liegt|sehen wir)|\\b[Ee]n (tête),? (?:on trouve|arrive|vient)|" +
    `\\b[Aa] la (cabeza) (?:está|se encuentra|se sitúa))\\s${quoted})`,
  "uy"
)

// "For small teams, our top pick is Acme" gives it no place among all.
const narrowed =
  /(?:^|[.!?:;\n]\s{0,2})[\s*_•>-]{0,6}(?:for|if|when|für|pour|para|per|voor)\s[^,:.!?\n]{1,60}[,:][^,.!?\n]{0,60}$/iu
const furthestOpening = 140

const counted = count.split("|").slice(0, -1)

const valueOf = (words: string): number => {
  const last = words.toLowerCase().split(/[ -]/).at(-1) ?? ""
  if (/^\d/.test(last)) return Number(last)
  return words.toLowerCase() === "runner-up" ? 2 : counted.includes(last) ? counted.indexOf(last) + 2 : 1
}

// Room for the words that lead to a name.
const leading = 12
const furthestSaid = 4096

/** Whether the text in `[from, to)` occurs again nearby: each section may have its own top pick. */
const isSaidAgain = (text: string, from: number, to: number): boolean => {
  const said = text.slice(from, to)
  return (
    text.slice(Math.max(0, from - furthestSaid), from).includes(said) ||
    text.slice(to, to + furthestSaid).includes(said)
  )
}

/**
 * The place that words without a number give the name in `[from, to)`; `after` is the text after the name. Undefined where they give none.
 */
export const numberUnnumbered = (text: string, from: number, to: number, after: string): number | undefined => {
  const behind = numberAfter.exec(after)
  numberBefore.lastIndex = from
  const words = (behind ?? numberBefore.exec(text))?.slice(1).find((group) => group !== undefined)
  if (words === undefined || narrowed.test(text.slice(Math.max(0, from - furthestOpening), from))) return undefined
  const isShared =
    behind === null
      ? isSaidAgain(text, Math.max(0, from - leading), from)
      : isSaidAgain(text, to, to + behind[0].length)
  const value = valueOf(words)
  return isShared || value < 1 ? undefined : value
}
