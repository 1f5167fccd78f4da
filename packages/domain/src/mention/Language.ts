import { isKnownBrand, lettersOf } from "@sightline/domain/text/Vocabulary"
import { fold } from "@sightline/domain/text/Fold"
import type { Name } from "./Names.ts"

/** A phrasing in which a language names a brand. `pattern` matches before the name; its first group is the name with what follows it. */
interface Saying {
  readonly pattern: RegExp
  /** Whether the phrasing recommends the name. */
  readonly isAdvice?: true
  /** Whether a dictionary word is no name there. */
  readonly isOfNoWord?: true
}

/** How a language without capitals, or with endings after names, names brands. */
export interface Language {
  readonly sayings: ReadonlyArray<Saying>
  /** The name at the start of a stretch, or after the word that opens a sentence; empty where there is none. */
  readonly nameIn: (stretch: string, behind: string, isAdvice: boolean) => string
  /** Whether a word is in a dictionary, so that it does not help to show that the names are brands. */
  readonly isWord?: (name: string) => boolean
  /** What is said only of brands, after a name. */
  readonly ofBrands: RegExp
  /** Whether the language itself has Latin letters, so that names in them do not stand out. */
  readonly isLatin: boolean
  /** Whether several names are brands by their number alone, because they are no words of the language. */
  readonly countsAsBrands: boolean
  /** Whether a recurring or well-known name means something else there. */
  readonly isNone?: (text: string, name: Name) => boolean
}

/** A name in Latin letters within another script: part of a regular expression. */
export const latinName = "(?<![A-Za-z\\d.-])[A-Za-z][A-Za-z\\d'’&+.-]{1,30}(?:[ ][A-Z\\d][A-Za-z\\d+.-]{0,30}){0,2}"

// Words in Latin letters in texts of other scripts that are no brand names.
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
