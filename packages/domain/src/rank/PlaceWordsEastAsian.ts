import { hanNumerals } from "@sightline/domain/text/Letters"
import { lookBack, near, type Span, type Stretch } from "./Span.ts"

// The place that numerals beside a name give it in Chinese and Japanese, and behind it in Korean: "1、华为 2、小米", "一、小米", "第二名：华为".

const hanNumeralBefore = /(?<=(?:(?<!\d)(1)|[\s，；：。](\d{1,2}))、\s*[*_“「]{0,4})/uy

/** "1、华为 2、小米": a list within a line. It has to begin with 1, because the same mark joins names that end in numbers. */
const listedInHan = (line: Stretch, span: Span): number | undefined => {
  const found = lookBack(hanNumeralBefore, line.text, span.from - line.from)
  if (found === null) return undefined
  const value = Number(found[1] ?? found[2])
  const others = value === 1 ? /[\s，；：。]2、\s*[^\s\d]/u : /(?<![\dA-Za-z] ?)1、\s*[^\s\d]/u
  return others.test(line.text) ? value : undefined
}

const hanSectionBefore = new RegExp(`(?<=(?:^|\\n)[\\s#>*_]{0,6}([${hanNumerals}])、\\s?[*_]{0,2})`, "uy")
const endsSection = /^[*_]{0,2}\s{0,2}(?:$|[\n：:（(])/

/** "一、小米" on a line of its own, with a neighbouring number nearby: a numbered name, and not the title of a section. */
const sectionInHan = (text: string, { from, to }: Span): number | undefined => {
  const numeral = lookBack(hanSectionBefore, text, from)?.[1]
  if (numeral === undefined || !endsSection.test(text.slice(to, to + 8))) return undefined
  const at = hanNumerals.indexOf(numeral)
  const beside = new RegExp(
    `(?:^|\\n)[\\s#>*_]{0,6}[${hanNumerals.charAt(at - 1)}${hanNumerals.charAt(at + 1)}]、`,
    "u"
  )
  return beside.test(near(text, from)) ? at + 1 : undefined
}

const hanPlaceBefore = new RegExp(
  `(?<=第(?:(\\d{1,2})|([${hanNumerals}]))(?:名|位|的|则?是|为|给|归|属于?|当属|要数|は|の|[:：]){1,3}\\s*[*_“「《]{0,4})`,
  "uy"
)
// "一位はmineo", "二番目のIIJmio".
const japanesePlaceBefore = new RegExp(
  `(?<=(?<![第\\d${hanNumerals}])(?:(\\d{1,2})|([${hanNumerals}]))(?:位|番目)[はのが]、?[*_「]{0,4})`,
  "uy"
)

// How a sentence about a name ends: "我把它排在第二", "Zentraは2位としました". "销量排名第一" says how it sells.
const placesAfter = [
  new RegExp(
    `^[^。！？\\n]{0,60}?[把将](?:它|其|这[款家个])[排放列][在到为]?第(?:(\\d{1,2})|([${hanNumerals}]))(?![\\d个次])`,
    "u"
  ),
  new RegExp(
    `^[*_”》」]{0,4}\\s?(?:则|也|只能?)?(?:排名?|位[列居]|名列)在?第(?:(\\d{1,2})|([${hanNumerals}]))(?![\\d个次])`,
    "u"
  ),
  new RegExp(
    `^[*_”』」]{0,4}[はを][^。、\\n]{0,24}?(?<!シェア|売上|業界|世界|国内|人気)(?:(\\d{1,2})|([${hanNumerals}]))位(?:と|に)(?:し|選|挙げ|推|置|入れ)`,
    "u"
  ),
  /^[*_”』」]{0,4}[がは](\d{1,2})位(?=[、。で]|です)/u,
  /^[*_”’」]{0,4}(?:[은는이가]\s)(\d{1,2})위(?=[,.\s]|입니다|이고|이며|로\s)/u
]
const furthestAfter = 80

/** "排名第二的是华为", "第二名：华为", "华为排第二". */
const placeBeside = (line: Stretch, span: Span): number | undefined => {
  const at = span.from - line.from
  const after = line.text.slice(span.to - line.from, span.to - line.from + furthestAfter)
  const found =
    lookBack(hanPlaceBefore, line.text, at) ??
    lookBack(japanesePlaceBefore, line.text, at) ??
    (/[第位위]/.test(after) ? placesAfter.map((place) => place.exec(after)).find((match) => match !== null) : undefined)
  if (!found) return undefined
  return found[2] === undefined ? Number(found[1]) : hanNumerals.indexOf(found[2]) + 1
}

/** The place that numerals of Chinese, Japanese and Korean give a name; undefined where they give none. */
export const numberInEastAsian = (text: string, line: Stretch, span: Span): number | undefined =>
  listedInHan(line, span) ?? sectionInHan(text, span) ?? placeBeside(line, span)
