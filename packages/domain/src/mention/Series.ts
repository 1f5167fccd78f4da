import { isInPassing } from "./InPassing.ts"
import { brandKey, hasKnownBrand, isNameLike, wordsOf } from "./Naming.ts"
import { type Name, readingOf } from "./Names.ts"
import { joinedBrand } from "./Runs.ts"
import { hanNumerals } from "@sightline/domain/text/Letters"
import { isEnglishWord } from "@sightline/domain/text/Vocabulary"

// Names in a series within running text: "Acme, Bolt and …".

const reach = 300
const item =
  `(?:${joinedBrand}|` +
  "\\p{Lu}[^\\s,;、，。.:()]*(?:\\.(?:com|co|io|ai|net|org))?(?:[ ][\\p{Lu}\\p{Nd}][^\\s,;、，。.:()]*){0,3}|[\\p{Ll}]+\\p{Lu}[^\\s,;]*)(?:\\s\\([^)\\n]{0,40}\\))?"
// "And" and "or" in European languages, and "versus".
const joint = "and|or|&|vs\\.?|versus|y|o|und|oder|et|ou|e|en|och|og|i|oraz|и|или"
const series = new RegExp(
  `(?:${item}[*_]{0,2}[,;]\\s+[*_]{0,2}){0,24}${item}[*_]{0,2},?\\s+(?:${joint})\\s+[*_"“]{0,3}$|(?:${item}[*_]{0,2}[,;]\\s+[*_]{0,2}){1,24}["“]?$`,
  "u"
)
const unspacedSeries =
  /(?:[^\s、，,。：:（）()]{1,16}[、，]){1,24}$|(?:[^\s、，,。：:（）()]{1,16}[、，]){0,24}[^\s、，,。：:（）()]{1,16}(?:和|及|以及|と|や)$/u

// Scripts with spaces and without capitals: Korean joins by a particle too, Hindi by a word.
const caselessJoint = "및|또는|그리고|और|या"
const caselessItem = "[\\p{Lo}\\p{M}\\p{Nd}]{1,24}"
const caselessSeries = new RegExp(
  `(?:${caselessItem}[,،]\\s+){1,24}$|(?:${caselessItem}[,،]\\s+){0,24}${caselessItem}(?:[와과]\\s+|[,،]?\\s+(?:${caselessJoint})\\s+)$`,
  "u"
)

const between = new RegExp(`([,;、，،]|\\s(?:${joint}|${caselessJoint})\\s|[와과]\\s|[和及とや]$)`, "u")
// How a series ends before its next name. Most names follow none, which this lookbehind from the end shows cheaply.
const goesOn = new RegExp(`$(?<=(?:[,;、，،와과和及とや]|\\s(?:${joint}|${caselessJoint}))[\\s*_"“]*)`, "u")

// 가볍고, 서울에서는, …: a part with the ending of a verb or topic is a clause of its own.
const koreanClause = /[가-힣]{2}(?:고|며|면|는|은|을|를|에|도|서|만)$/u

// 日常旅游的话，: a clause of its own.
const chineseClause = /^\p{Script=Han}{2,}的\p{Script=Han}|[了是]|^\p{Script=Han}{5,}$/u

/** Whether a part is a list number, which the same mark separates from its name: 二、小米. */
const isNumeral = (part: string): boolean => part.length === 1 && hanNumerals.includes(part)

const opensQuote = /[「『]/
const inQuotes = /[「『]([^「」『』]+)[」』]/

/** Whether a part is a place, before the name that is the subject: "Among airlines in the UK, Emirates …". */
const isPlace = (text: string, at: number, name: string): boolean =>
  isInPassing(text, at, at) && (/^\p{Lu}{2,4}$/u.test(name) || wordsOf(name).every(isEnglishWord))

/** The names of a series that ends just before an offset, as in "Acme, Bolt and …": a list within a sentence. */
export const namesBefore = (text: string, before: number): ReadonlyArray<Name> => {
  const at = opensQuote.test(text.charAt(before - 1)) ? before - 1 : before
  const near = text.slice(Math.max(0, at - reach), at)
  const from = Math.max(near.lastIndexOf("\n"), near.lastIndexOf("。")) + 1
  const line = near.slice(from)
  if (!goesOn.test(line)) return []
  const match = series.exec(line) ?? unspacedSeries.exec(line) ?? caselessSeries.exec(line)
  if (match === null) return []
  const names: Array<Name> = []
  let offset = at - near.length + from + match.index
  // 人気のイヤホンは、… : a topic particle ends the introduction of the series.
  const leadIn = /^.*[はがもでに][、，]/u.exec(match[0])?.[0].length ?? 0
  for (const [index, part] of match[0].split(between).entries()) {
    const quoted = inQuotes.exec(part)?.[1]
    // と also marks quoted speech, so before a name in quotes only quoted parts count.
    const written = quoted ?? (at < before ? "" : part.replace(/\([^)]*\)|\[[^\]]*\]/g, "").trim())
    // All words of "Both 3M" may be ordinary ones.
    const name = written.replace(/^(?:Both|Either|Neither)\s/, "")
    const isNamed =
      isNameLike(name) &&
      !koreanClause.test(name) &&
      !chineseClause.test(name) &&
      !isNumeral(name) &&
      !isPlace(text, offset, name)
    if (index % 2 === 0 && offset >= at - match[0].length + leadIn && isNamed) {
      // "Both Acme and Bolt": the sentence's first words are no part of the name.
      const key = brandKey(name)
      const read = hasKnownBrand(name) ? undefined : readingOf(name, offset + part.indexOf(name), text).name
      names.push(read ?? { key, from: offset, to: offset + part.length })
    }
    offset += part.length
  }
  return names
}
