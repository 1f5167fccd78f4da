// The place that words give a name without counting: "Acme takes the top spot", "the runner-up is Acme".

const own = "(?:the|my|our|this)"
const list = "(?:list|rankings?|round-?up|leaderboard)"
const clear = "(?:(?:clear|overall|undisputed|close|narrow|very) )?"
const pick = "(?:spot|place|position|pick|choice|recommendation)"
const count = "two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}"
const quoted = '[*_"“‘«„[]{0,4}'

// What is first for comfort, among the brands to avoid or in 2019 is not first in the answer.
const ends =
  "(?=[*_]{0,3}(?:\\s*(?:[.,;:!)–—]|$)|\\s(?:overall|here|to(?! none)|behind|ahead|after|thanks|because|due|with|and|but|while|this year)(?!\\p{L})|" +
  `\\s(?:on|in|of) ${own} (?:${list}|comparison|tests?)(?!\\p{L})))`

const numberAfter = new RegExp(
  '^[*_"”’»\\])]{0,4}\\s[*_]{0,3}(?:(?:easily|clearly|narrowly|still|again|currently|also) )?(?:' +
    `(?:takes|took|claims|claimed|holds|gets|earns|earned|wins|won|secures|grabs|is|was|remains) ${own} ${clear}(top) ${pick}${ends}|` +
    `(tops|topped|leads|heads) ${own} (?:${list}|pack|field)${ends}|(?:comes|came) out on (top)${ends}|` +
    `(?:claims|claimed|gets|earns|earned|wins|won|secures|grabs) ${own} (number[- ](?:one|${count})) ${pick}${ends}|` +
    `(?:is|sits|stands|ranks|comes) (?:right )?at the (top) of ${own} ${list}${ends}|` +
    `(?:is|was|comes in as|finishes as) (?:a|${own}) ${clear}(runner-up)${ends}|(?:rounds|rounded) out ${own} (top (?:${count}))(?![\\p{L}\\d])|` +
    `(führt) (?:die|das|unsere?|meine?) (?:liste|rangliste|ranking|feld) an(?!\\p{L})|(?:liegt|steht) (?:ganz )?an der (spitze)${ends}|` +
    `(?:arrive|est|se place) en (tête)${ends}|(mène|domine) le (?:classement|palmarès)${ends}|` +
    `(encabeza|lidera) (?:la|el|nuestra|nuestro|a|o) (?:lista|ranking|clasificación|classificação)${ends}|` +
    `(guida) la (?:classifica|lista)${ends}|staat (bovenaan)${ends})`,
  "iu"
)

// Looks back from where a name begins, so that nothing is read twice.
const numberBefore = new RegExp(
  `(?<=(?:(?<!\\p{L})${own} ${clear}(top|number[- ]one) ${pick} (?:is|would be|goes to|belongs to|remains)|` +
    `(?<!\\p{L})(?:taking|claiming|in) the (top|number (?:one|${count})) (?:spot|position)(?:,? (?:is|comes|we have|sits))?,?|` +
    `(?<!\\p{L})(topping) ${own} ${list} is|(?<!\\p{L})at the (top) of ${own} ${list},? (?:is|sits|stands|comes|we have)|` +
    `(?<!\\p{L})${own} ${clear}(runner-up) (?:is|was|would be)|(?<!\\p{L})rounding out ${own} (top (?:${count}))(?: is|,)|` +
    "(?<!\\p{L})an der (spitze) (?:steht|liegt|sehen wir)|(?<!\\p{L})en (tête),? (?:on trouve|arrive|vient)|" +
    `(?<!\\p{L})a la (cabeza) (?:está|se encuentra|se sitúa))\\s${quoted})`,
  "iuy"
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

/** Whether what stands in `[from, to)` stands near there once more: each section may have its top pick. */
const isSaidAgain = (text: string, from: number, to: number): boolean => {
  const said = text.slice(from, to)
  return (
    text.slice(Math.max(0, from - furthestSaid), from).includes(said) ||
    text.slice(to, to + furthestSaid).includes(said)
  )
}

/** The place that words which do not count give the name in `[from, to)`, behind which `after` stands; undefined where they give none. */
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
