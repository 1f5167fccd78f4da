import { type Clause, partAround } from "./Clause.ts"
import { disclaimerWords } from "./DisclaimerWords.ts"

const whole = (alternatives: string): string => `(?<![a-zа-я])(?:${alternatives})(?![a-zа-я])`

type Words = (typeof disclaimerWords)[string]

const deniedIn = (language: Words): RegExp => {
  const not = whole(language.not)
  const none = whole(language.none)
  const know = whole(language.know)
  const facts = whole(language.facts)
  const appear = whole(language.appear)
  const straight = `(?![^§]*${whole(language.aside)})`
  const gap = `${straight}[^§,]{0,60}?`
  const patterns = [
    `(?:${not}|${none})${straight}[^§.?!]{0,40}?${facts}[^§,]{0,60}?§`,
    `§[^§.?!]{0,60}?${not}[^§.?!]{0,35}?(?:${know}|${appear})`,
    `§[^§.?!]{0,60}?(?:${know}|${appear})[^§.?!]{0,35}?${not}`,
    `§[^§.?!]{0,60}?${none}(?:\\s+\\S+){0,3}?\\s+${facts}(?:\\s+\\S+)?\\s*(?:[.,;:!?)]|$|${know}|${appear})`,
    `${not}[^§.?!]{0,30}?(?:${know}|${appear})${gap}§`,
    `${know}[^§.?!]{0,15}§[^§.?!]{0,15}${not}`,
    `${facts}[^§.?!]{0,20}§[^§.?!]{0,40}?(?:${not}|${none})`,
    `^${straight}[^§.?!]*${not}[^§.?!]{0,15}§[^§.?!]{0,15}${know}`,
    `${know}\\s+${not}${straight}[^§.?!]{0,20}§`,
    `${appear}[^§.?!]{0,15}§[^§.?!]{0,15}${not}`,
    `§[^§.?!]{0,60}?${appear}[^§.?!]{0,12}${none}`,
    `§[\\s*_]*[:–—|-][^§.?!]{0,10}?${none}(?:\\s+\\S+){0,2}?\\s+${facts}`,
    `(?:${not}|${none})[^§.?!]{0,70}?${whole(language.naming)}[^§]{1,4}§`,
    whole(language.idiom)
  ]
  return new RegExp(patterns.map((pattern) => `(?:${pattern})`).join("|"), "u")
}

/** One language's readings. The large ones are made when a text first needs them, so that no text waits for all of them. */
class Language {
  private readonly words: Words
  private readonly no: RegExp
  private readonly contrast: RegExp
  private denied: RegExp | undefined
  private asked: RegExp | undefined

  constructor(words: Words) {
    this.words = words
    this.no = new RegExp(whole(`${words.not}|${words.none}`), "u")
    this.contrast = new RegExp(`[;；]|${whole(words.contrast)}`, "gu")
  }

  disclaims(clause: Clause): boolean {
    if (this.no.test(clause.before) || this.no.test(clause.after)) {
      this.denied ??= deniedIn(this.words)
      if (this.denied.test(partAround(this.contrast, clause))) return true
    }
    if (!clause.after.includes("?")) return false
    this.asked ??= new RegExp(`(?:${this.words.ask})[^.!]*\\?`, "u")
    return this.asked.test(`${clause.before}§${clause.after}`)
  }
}

const languages = Object.values(disclaimerWords).map((words) => new Language(words))

/** Whether a sentence in another European language says of the name in it that nothing is known of it. */
export const isDisclaimedElsewhere = (clause: Clause): boolean =>
  languages.some((language) => language.disclaims(clause))
