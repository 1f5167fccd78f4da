import type { Polarity, ResolvedCue } from "./Cue.ts"
import { cuesIn } from "./CueScan.ts"
import { type Clause, clausesOf } from "./SentimentClauses.ts"
import { inEnglish } from "./SentimentGloss.ts"
import { type Measure, measuresIn } from "./SentimentMeasure.ts"
import { counterfactualsIn, wishesIn } from "./SentimentCounterfactual.ts"
import { type Word, wordsIn } from "./SentimentWords.ts"

/** One thing said for or against the brand, in the words that say it. Units: `from` is an offset in the sentence. */
export interface Remark {
  readonly polarity: Polarity
  readonly cue: string
  readonly from: number
}

interface Placed extends Remark {
  readonly clause: Clause
  readonly to: number
  readonly compares: boolean
}

const pairs = new Set(["instead", "rather"])
// A cue of more words than this is quoted by its first and last words alone.
const longestCue = 5

const told = (words: ReadonlyArray<Word>): string => {
  const [first, last] = [words[0]?.told ?? "", words.at(-1)?.told ?? ""]
  const joint = words.at(-2)?.told ?? ""
  const isPlain = words.length <= longestCue && words.every(({ kind }) => kind === "word")
  return isPlain
    ? words.map(({ told }) => told).join(" ")
    : `${first} … ${pairs.has(joint) ? `${joint} ${last}` : last}`
}

const placed = (clause: Clause, { polarity, from, to, compares }: ResolvedCue): Placed => {
  const { words } = clause
  const isMeasured = words[to + 1]?.word === "than"
  const first = isMeasured && words[from - 1]?.word === "more" ? from - 1 : from
  const last = isMeasured ? to + 1 : to
  return {
    polarity,
    cue: told(words.slice(first, last + 1)),
    clause,
    from: words[from]?.from ?? 0,
    to: words[to]?.to ?? 0,
    compares
  }
}

const question = /(?:[?？؟]|か[。.])["'”’*_)」』\s]*$/u
const introducers = new Set("include includes including such like consider are is were from between as".split(" "))
const strictIntroducers = new Set(["include", "includes", "including"])
const listed = new Set(
  "options picks choices brands tools contenders recommendations alternatives products makers names companies providers apps services".split(
    " "
  )
)

/** The offset up to which a sentence only introduces a list of names that includes the brand; 0 where it does not. */
const introducedUntil = (words: ReadonlyArray<Word>): number => {
  const brandAt = words.findIndex(({ kind }) => kind === "brand")
  const isName = (at: number): boolean => words[at]?.kind === "brand" || words[at]?.kind === "name"
  const isLink = (at: number): boolean => [",", "and", "or", "&", "**"].includes(words[at]?.word ?? "")
  let first = brandAt
  while (first > 0 && (isName(first - 1) || isLink(first - 1))) first--
  let last = brandAt
  while (last + 1 < words.length && (isName(last + 1) || isLink(last + 1))) last++
  const links = words.slice(first, last + 1).filter(({ word }) => word === "," || word === "and" || word === "or")
  const isSeries = links.length > 0 && words.slice(first, last + 1).filter((_, at) => isName(first + at)).length > 1
  const introducer = words[first - 1]?.word ?? ""
  if (strictIntroducers.has(introducer) || (isSeries && introducers.has(introducer))) return words[first]?.from ?? 0
  const colon = words.findLastIndex(
    ({ word }, at) => word === ":" && at < brandAt && listed.has(words[at - 1]?.word ?? "")
  )
  return words[colon]?.from ?? 0
}

const isWithin = ({ words }: Clause, at: number): boolean => (words[0]?.from ?? 0) <= at && at < (words.at(-1)?.to ?? 0)

/** What a comparison implies about the brand: the opposite of what is said of the other side. */
const measuredBy = (words: ReadonlyArray<Word>, measure: Measure, all: ReadonlyArray<Placed>): Remark | undefined => {
  const pivot = words.slice(measure.from, measure.to + 1)
  const [from, to] = [pivot[0]?.from ?? 0, pivot.at(-1)?.to ?? 0]
  if (measure.kind === "contrast") {
    const balance = all.reduce((sum, { polarity }) => sum + polarity, 0)
    const decisive = all.find(({ polarity }) => polarity === Math.sign(balance))
    if (decisive === undefined) return undefined
    const cue = decisive.from < from ? `${decisive.cue} … ${told(pivot)}` : `${told(pivot)} … ${decisive.cue}`
    return { polarity: decisive.polarity === 1 ? -1 : 1, cue, from }
  }
  const near = all.findLast((one) => one.to <= to && isWithin(one.clause, from))
  if (near === undefined || (measure.kind === "equal" && near.polarity === 1)) return undefined
  // "As buggy as Acme" blames both, "not as good as Acme" only the other.
  const opening = words.slice(0, measure.from).findLast(({ word }) => word === "as" || word === "so")
  const isAlike = pivot[0]?.word === "as" && opening !== undefined && opening.from < near.from
  const isWhole = near.compares || near.cue.endsWith(` ${told(pivot)}`)
  return {
    polarity: near.polarity === 1 || isAlike ? -1 : 1,
    cue: isWhole ? near.cue : `${near.cue} ${told(pivot)}`,
    from
  }
}

const echo =
  /^(?:(?:is|are|was|were|does|do|did|has|can|will)(?: not)?|(?:is|are|was|were|does|do|did|has|ca|wo)n't|cannot)$/
const denials = new Set(["not", "no", "never", "cannot"])

const isDenied = ({ words }: Clause): boolean => words.some(({ word }) => denials.has(word) || word.endsWith("n't"))

/**
 * What a clause implies that only affirms or denies of the brand what the clause before says of something else: "Bolt is slow, but Acme is
 * not". Its polarity is the opposite. There is no remark where both clauses are negated or neither is.
 */
const echoOf = (clause: Clause, before: Clause | undefined, all: ReadonlyArray<Placed>): Remark | undefined => {
  const at = clause.words.findLastIndex(({ kind }) => kind === "brand")
  const ending = told(clause.words.slice(at + 1))
  if (before?.subject !== "other" || clause.subject !== "brand" || at < 0 || !echo.test(ending)) return undefined
  const last = all.findLast((one) => one.clause === before)
  if (last === undefined || isDenied(before) === isDenied(clause)) return undefined
  return { polarity: last.polarity === 1 ? -1 : 1, cue: `${last.cue} … ${ending}`, from: last.from }
}

/**
 * What one sentence says for and against the brand. `form` is the brand as spelled there, in lower case. `goesOn` is whether the sentence
 * continues about the brand without naming it.
 */
export const remarksIn = (sentence: string, form: string, goesOn: boolean): ReadonlyArray<Remark> => {
  const words = inEnglish(wordsIn(sentence, form), sentence)
  const isNamed = words.some(({ kind }) => kind === "brand")
  if ((!isNamed && !goesOn) || question.test(sentence)) return []
  const measures = measuresIn(words)
  const since = isNamed ? introducedUntil(words) : 0
  const clauses = clausesOf(words, sentence, measures, goesOn)
  const all = clauses.flatMap((clause) => cuesIn(clause.words).map((meant) => placed(clause, meant)))
  const counterfactual = counterfactualsIn(clauses)
  const own = all.filter(({ clause, polarity, from }) => {
    const isSupposed =
      counterfactual.has(clause) ||
      clause.opener === "whether" ||
      clause.opener === "unless" ||
      (clause.opener === "if" && polarity === -1)
    return clause.subject === "brand" && !isSupposed && from >= since
  })
  // "If you value reliability, avoid Acme" does not praise its reliability.
  const wishes = wishesIn(clauses)
  const blame = own.filter(({ polarity }) => polarity === -1)
  const isOnlyBlamed = blame.length > 0 && own.every(({ clause, polarity }) => polarity === -1 || wishes.has(clause))
  const given = isOnlyBlamed ? blame : own
  const echoes = clauses.flatMap((clause, at) => echoOf(clause, clauses[at - 1], all) ?? [])
  const measured = measures.flatMap((measure) => measuredBy(words, measure, all) ?? [])
  return [...measured, ...given, ...echoes].sort((a, b) => a.from - b.from)
}
