import { type Clause, partAround } from "@sightline/domain/text/Clause"
import { type DisclaimerWords, disclaimerWords } from "./DisclaimerWords.ts"

const wholeWord = (alternatives: string): string => `(?<![a-zа-я])(?:${alternatives})(?![a-zа-я])`

// "And" in these languages. After some words "e" is a folded "è" or "é" and does not count.
const and = "(?:und|et|y|en|i|och|ve|и|(?<!\\b(?:non|nao|mi|me|ci|nos)\\s)e)"
/** The text between a negation and what it denies, of at most `most` characters. An "and" or a colon ends its scope. */
const upTo = (most: number): string => `(?:(?!\\s${and}\\s)[^§.:?!]){0,${most}}?`
// "Not without naming" denies nothing.
const without = "(?:ohne|sans|sin|sem|senza|zonder|bez|utan)"
// After "than" a name is only the standard of a comparison.
const than = "(?:als|dan|niz|an)"

// Words between the facts and the name, in all of these languages.
const about =
  "(?:zu|uber|sur|concernant|a propos de|sobre|acerca de|respecto a|a respeito d[aoe]|su|riguardo a|over|o|na temat|om|о|об|про)"
const named = "(?:\\S+\\s){0,2}[\"'“‘«(*_]*§"
// "The founder of §" is about the founder.
const subject = "(?<!\\b(?:von|vom|der|des|de|del|di|da|do|van|av) )§"
// Further verbs for what sources do with a name.
const lists = wholeWord("nennt|listet|fuhrt|noemt|recoge|wymienia|namner")
// "Of this name", after a name that was mentioned before.
const soNamed =
  "(?:mit diesem namen|unter diesem namen|dieses namens|de ce nom|(?:sous|avec) ce nom|(?:con|bajo) (?:ese|este) nombre|com (?:esse|este) nome|con (?:questo|tale) nome|(?:met|onder) (?:die|deze) naam|o (?:tej|takiej) nazwie|med (?:det|detta) namn(?:et)?|(?:с|под) (?:таким|этим) (?:названием|именем)|bu (?:isimde|adda|adla))"
// That a thing contains or needs none of something is no denial of the thing itself.
const holds = wholeWord(
  "contient|laisse|utilise|propose|emet|donne|enthalt|hinterlasst|braucht|benotigt|verlangt|contiene|deja|usa|necesita|contem|precisa|lascia|richiede|bevat|laat|vraagt|zawiera|wymaga|innehaller|lamnar|kraver|содержит|оставляет|требует"
)

/** The word orders in which a language denies the name §, one expression each. */
const denialsOf = (language: DisclaimerWords): ReadonlyArray<RegExp> => {
  // A partial negation is no denial: not so well known, not in every shop, not among the cheapest.
  const not = `${wholeWord(language.not)}(?!(?: [^\\s.,;:]+)? (?:${language.partly})(?![a-z]))`
  const none = wholeWord(language.none)
  const know = wholeWord(language.know)
  const facts = wholeWord(language.facts)
  const appear = wholeWord(language.appear)
  const own = wholeWord(language.own)
  const little = wholeWord(language.little)
  const sources = wholeWord(language.sources)
  const unknown = wholeWord(language.unknown)
  const told = `(?:${know}|${appear})`
  const straight = `(?![^§]*${wholeWord(`${language.aside}|${language.own}`)})`
  const itself = `(?<!${own}[^§,.;:?!]{0,20}|\\b${than} )§(?![*_\\s]*:[^.?!]{0,12}${own})`
  const ofOwn = `(?![^§.,?!]{0,20}${own})`
  const orders = [
    // keine Informationen zu §
    `(?:${not}|${none})${straight}[^§.?!]{0,40}?${facts}[^§,]{0,60}?§`,
    // § ist mir nicht bekannt
    `${itself}[^§.?!]{0,60}?${not}${upTo(35)}(?:${know}|${appear})${ofOwn}`,
    // § kenne ich nicht
    `${itself}[^§.?!]{0,60}?(?:${know}|${appear})${upTo(35)}${not}${ofOwn}`,
    // zu § gibt es keine Informationen
    `${itself}(?![^§.?!]{0,12}${holds})[^§.?!]{0,60}?${none}(?:\\s+\\S+){0,3}?\\s+${facts}(?:\\s+\\S+)?\\s*(?:[.,;:!?)]|$|${know}|${appear})`,
    // no conozco §
    `${not}(?:(?!\\s${without}\\s)[^§.?!]){0,30}?(?:${know}|${appear})${straight}[^§,]{0,60}?§`,
    // ich kenne § nicht
    `${know}[^§.?!]{0,15}§[^§.?!]{0,15}${not}`,
    // Informationen zu § fehlen
    `${facts}(?![^§]*${own})[^§.?!]{0,20}§[^§.?!]{0,40}?(?:${not}|${none})`,
    // ich konnte nichts zu § finden
    `^${straight}[^§.?!]*${not}[^§.?!]{0,15}§[^§.?!]{0,15}${know}`,
    // je ne connais pas §
    `${know}\\s+${not}${straight}[^§.?!]{0,20}§`,
    // in der Liste taucht § nicht auf
    `${appear}[^§.?!]{0,15}§[^§.?!]{0,15}${not}`,
    // § taucht in keiner Liste auf
    `§[^§.?!]{0,60}?${appear}${upTo(12)}${none}${ofOwn}`,
    // in keiner Quelle wird § erwähnt
    `${none}[^§.:?!]{0,20}?${sources}[^§.?!]{0,30}?${itself}[^§.?!]{0,25}?${told}`,
    // keine Quelle nennt §
    `${none}[^§.:?!]{0,20}?${sources}[^§.?!]{0,40}?(?:${told}|${lists})${straight}[^§.?!]{0,20}?(?<!${wholeWord(`que|che|чем|${than}`)} )§`,
    // § konnte ich in keinem Ranking finden
    `${itself}[^§.?!]{0,40}?${none}[^§.:?!]{0,20}?${sources}[^§.?!]{0,25}?${told}`,
    // § finde ich in keiner Liste, ich finde § in keiner Liste
    `(?:${itself}[^§.?!]{0,40}?${told}|${told}[^§.?!]{0,15}${itself})[^§.:?!]{0,20}?${none}[^§.:?!]{0,20}?${sources}`,
    // ich kann nicht bestätigen, dass es § gibt
    `${not}[^§.?!]{0,30}?${know},?\\s\\S{2,4}\\s${named}[^§.?!]{0,25}?${appear}`,
    // kaum Informationen zu §, wenig ist über § bekannt
    `${little}${straight}(?:\\s\\S+){0,3}?\\s${about}\\s${named}[^§.?!]{0,25}?(?:${know}|${facts})`,
    `${little}${straight}(?:[\\s'’]\\S+){0,2}?[\\s'’](?:${know}|${facts})(?:\\s\\S+)?\\s${about}\\s${named}`,
    // über § gibt es kaum Informationen
    `(?<![a-zа-я])${about}\\s${named}[^§.?!]{0,30}?${little}${straight}\\s(?:(?:\\S+\\s)?${facts}|${know})`,
    // zu § habe ich keine Daten, um es zu beurteilen
    `^[^a-zа-я§]*${about}\\s${named}[^§.?!]{0,40}?${none}(?:\\s+\\S+){0,3}?\\s+${facts}${ofOwn}`,
    // § ist mir unbekannt
    `${subject}[^§.?!]{0,40}?${unknown}|${unknown}[^§.?!]{0,25}?${subject}`,
    // §: keine Daten
    `§[\\s*_]*[:–—|-][^§.?!]{0,10}?${none}(?:\\s+\\S+){0,2}?\\s+${facts}${ofOwn}`,
    // §: kein Hersteller mit diesem Namen
    `§[^§]{0,80}?(?:${not}|${none})[^§.?!]{0,60}?${soNamed}`,
    // ein Hersteller namens § ist nicht bekannt
    `${wholeWord(language.naming)}[^§]{1,4}§[^§.?!]{0,30}?${not}${upTo(35)}(?:${know}|${appear})`,
    // kein Hersteller namens §
    `(?:${not}|${none})[^§.?!]{0,70}?${wholeWord(language.naming)}[^§]{1,4}§`,
    wholeWord(language.idiom)
  ]
  // One expression for all of them would take twice as long to compile, and the first answer of a process waits for that.
  return orders.map((order) => new RegExp(order, "u"))
}

const question = /[^,:;–—.!?]*\?$/u

/** What a sentence states before its question: "Don't you know Zorvane yet?" states nothing, "I don't know Zorvane, is it new?" does. */
const withoutQuestion = (clause: Clause): Clause => {
  const asked = clause.after.search(question)
  if (asked === 0) return { ...clause, before: "", after: "" }
  return asked < 0 ? clause : { ...clause, after: clause.after.slice(0, asked) }
}

/**
 * Recognises the denials of one language. Its large expressions are compiled when a text first needs them, so that no text waits for those
 * of all languages.
 */
class Language {
  private readonly words: DisclaimerWords
  private readonly negation: RegExp
  private readonly contrast: RegExp
  private readonly twice: RegExp
  private denials: ReadonlyArray<RegExp> | undefined
  private question: RegExp | undefined

  constructor(words: DisclaimerWords) {
    this.words = words
    this.negation = new RegExp(wholeWord([words.not, words.none, words.little, words.unknown].join("|")), "u")
    // "Kaum ein Ranking, in dem § nicht …", "мало кто не слышал о §": a double negation, which denies nothing.
    this.twice = new RegExp(
      `${wholeWord(words.little)}(?:\\s(?!${and}\\s)[^\\s.,;:!?]+){1,3}\\s${wholeWord(words.not)}`,
      "u"
    )
    this.contrast = new RegExp(`[;；]|${wholeWord(words.contrast)}`, "gu")
  }

  /** `stated` is the clause without its question. */
  disclaims(clause: Clause, stated: Clause): boolean {
    if (this.negation.test(stated.before) || this.negation.test(stated.after)) {
      this.denials ??= denialsOf(this.words)
      const part = partAround(this.contrast, stated)
      if (this.denials.some((denial) => denial.test(part)) && !this.twice.test(part)) return true
    }
    if (!clause.after.includes("?")) return false
    this.question ??= new RegExp(`(?:${this.words.ask})[^.!]*\\?`, "u")
    return this.question.test(`${clause.before}§${clause.after}`)
  }
}

// A search for the name, or for facts about it, whose failure is in the other half of the sentence.
const fruitless = new RegExp(
  [
    'nach (?:\\S+ (?:marke|firma|begriff) |informationen (?:zu|uber) )?["“„»*]{0,3}§["“”«*]{0,3} (?:gesucht|recherchiert),? (?:aber |doch |jedoch )?(?:ich )?(?:habe )?(?:leider )?(?:nichts|ohne (?:erfolg|ergebnis)|keine?\\S* (?:treffer|ergebnisse?|informationen))',
    '(?:suche|recherche) (?:nach|zu) (?:\\S+ (?:marke|firma) )?["“„»*]{0,3}§["“”«*]{0,3} (?:war|blieb|verlief|ergab|brachte|lieferte) (?:leider )?(?:erfolglos|ergebnislos|ohne (?:erfolg|ergebnis)|nichts|keine?\\S* (?:\\S+ )?(?:treffer|ergebnisse?|informationen))',
    'cherche (?:l[ae] (?:marque|entreprise|nom) |des informations sur )?["“«* ]{0,3}§["”»* ]{0,3},? ?(?:mais )?(?:sans (?:succes|resultat)|(?:je )?n[\'’]ai (?:rien|pas) trouve|en vain)',
    '(?:ma|mes|la|une) recherches? (?:sur|pour|de|concernant) ["“«* ]{0,3}§["”»* ]{0,3} n[\'’](?:a|ont) (?:rien donne|(?:donne|produit|renvoye) (?:aucun|rien)|pas abouti)',
    '(?:busque|buscado) (?:la (?:marca|empresa) |informacion (?:sobre|de) )?["“«*]{0,3}§["”»*]{0,3},? (?:pero )?(?:sin (?:exito|resultados?)|no (?:encontre|he encontrado|halle) (?:nada|informacion|resultados))',
    'busqueda (?:de|sobre) ["“«*]{0,3}§["”»*]{0,3} no (?:arrojo|dio|devolvio|produjo) (?:\\S+ )?(?:resultados?|nada)'
  ].join("|"),
  "u"
)

const languages = Object.values(disclaimerWords).map((words) => new Language(words))

/** Whether a sentence in one of these languages says that nothing is known of the name in it. */
export const isDisclaimedNonEnglish = (clause: Clause): boolean => {
  const stated = withoutQuestion(clause)
  return (
    fruitless.test(`${stated.before}§${stated.after}`) ||
    languages.some((language) => language.disclaims(clause, stated))
  )
}
