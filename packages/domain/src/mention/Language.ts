import { isKnownBrand, lettersOf } from "@sightline/domain/text/Vocabulary"
import { fold } from "@sightline/domain/text/Fold"
import type { Name } from "./Names.ts"

/** A way in which a language names somebody: `pattern` matches before a name and has it, with what follows, as its first group. */
interface Saying {
  readonly pattern: RegExp
  /** Whether somebody is chosen there. */
  readonly isAdvice?: true
  /** Whether no word of a dictionary is a name there. */
  readonly isOfNoWord?: true
}

/** How a language without capitals, or with endings behind its names, names brands. */
export interface Language {
  readonly sayings: ReadonlyArray<Saying>
  /** The name that a stretch opens with, or has behind the word that opens a sentence; empty where there is none. */
  readonly nameIn: (stretch: string, behind: string, isAdvice: boolean) => string
  /** Whether a dictionary has a word, so that it takes others to show that it is a name. */
  readonly isWord?: (name: string) => boolean
  /** What is said of brands alone, behind a name. */
  readonly ofBrands: RegExp
  /** Whether the language itself has Latin letters, so that names in them do not stand out. */
  readonly isLatin: boolean
  /** Whether several names show by their number that they are brands, as they are no words of the language. */
  readonly countsAsBrands: boolean
  /** Whether a name that recurs or is well known is meant for something else there. */
  readonly isNone?: (text: string, name: Name) => boolean
}

/** A name in Latin letters within another script: an alternative of a regular expression. */
export const latinName = "(?<![A-Za-z\\d.-])[A-Za-z][A-Za-z\\d'’&+.-]{1,30}(?:[ ][A-Z\\d][A-Za-z\\d+.-]{0,30}){0,2}"

// What texts in other scripts have in Latin letters and nobody is called.
const technical = new Set(
  (
    "ai api app apps bi erp crm hr nas raid ups sdk usb hdmi led lcd oled ssd hdd cpu gpu ram spf pa pdf ppt html css sql nfc gps " +
    "wifi vpn seo saas paas ev iot diy oem faq sns sim nisa esim ui ux url web mac ios android windows linux unix iphone ipad excel " +
    "word python java javascript typescript php ruby swift kotlin rust git kanban gantt id ok pc tv vr ar dna bmi vip ota nft tvl " +
    "kpi okr roi gdp mba toeic toefl ielts"
  ).split(" ")
)
/** Whether a stretch is the number of a model: "WH-1000XM5", "X20". */
export const isModel = (written: string): boolean => /^[A-Z]{0,3}-?\d/u.test(written)

/** Whether a stretch of Latin letters may be a name within another script. */
export const isLatinName = (written: string): boolean => {
  if (isKnownBrand(lettersOf(fold(written).text))) return true
  const [first = ""] = written.split(" ")
  return !technical.has(first.toLowerCase()) && !isModel(written) && /[A-Z\d]|^[a-z]{4}/u.test(written)
}
