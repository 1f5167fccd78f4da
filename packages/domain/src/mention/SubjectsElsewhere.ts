import { brandKey, hasKnownBrand, isMeasure, wordsOf } from "./Naming.ts"
import type { Name } from "./Names.ts"
import { areSeveral } from "./Subjects.ts"
import { isEnglishWord, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Names that the prose of other languages is about, though each stands there once: "GNP ofrece coberturas más amplias."

const word = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’+]*(?:[.-][\\p{L}\\p{Nd}]+)*"
const run = new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}'’.-])${word}(?:[ ](?:&[ ])?${word}){0,3}`, "gu")

const opens = /(?:^|[.!?;:\n\])]|,)[\s*_"“«]*$/u

// What sentences of one say that it is or does.
const verbs =
  // Spanish and Portuguese.
  "es|está|tiene|ofrece|permite|cobra|paga|cuesta|destaca|gusta|suele|sigue|queda|cubre|incluye|funciona|resulta|vende|lleva|cuenta|mantiene|también|tampoco|" +
  "é|tem|oferece|custa|costuma|fica|cobre|inclui|leva|chega|também|atende|aposta|mantém|entrega|continua|" +
  // Italian and French.
  "è|ha|offre|permette|costa|resta|rimane|produce|punta|copre|funziona|propone|garantisce|" +
  "est|n['’]est|n['’]a|propose|permet|reste|coûte|travaille|convient|couvre|fournit|possède|mise|multiplie|fabrique|garantit|inclut|séduit|" +
  // Dutch, German, Swedish and Polish.
  "is|heeft|biedt|kost|zit|rekent|levert|maakt|scoort|verkoopt|blijft|" +
  "ist|hat|bietet|kostet|gehört|arbeitet|liegt|gilt|punktet|überzeugt|liefert|verkauft|zahlt|leistet|verlangt|schneidet|bleibt|" +
  "är|har|erbjuder|kostar|säljer|jest|oferuje|kosztuje|daje|działa|" +
  "aprueba|mezcla|gana|domina|añade|apuesta|exige|devuelve|promete|lidera|fabrica|nació|llegó|fue|practica|emite|faz|agrada|nasceu|foi|" +
  "costruisce|chiede|richiede|convince|unisce|assure|demande|facture|vend|combine|domine|setzt|baut|macht|läuft|verbindet|hält|kommt|wirkt|kann|geeft|werkt|komt"
// "HDI, por su parte, destaca".
const tells = new RegExp(`^[*_]{0,2}(?:,[^,.\\n]{2,60},| \\([^()\\n]{0,60}\\))? (?:${verbs})(?![\\p{L}'’])`, "u")

// What is said of a dish, a town or a poet as well, unless it is a brand: "Sintra é mais popular", "Acme es una marca".
const ofAnything =
  "es|está|queda|sigue|resulta|tiene|fue|nació|llegó|é|tem|fica|foi|nasceu|è|ha|resta|rimane|est|n['’]est|reste|is|heeft|zit|blijft|" +
  "ist|hat|gehört|liegt|gilt|kommt|bleibt|är|har|jest|también|tampoco|também"
const aBrand = "(?:una?|uma|une|eine?|een|en) (?:marca|empresa|azienda|marque|entreprise|marke|merk|firma)"
const tellsOfAnything = new RegExp(
  `^[*_]{0,2}(?:,[^,.\\n]{2,60},| \\([^()\\n]{0,60}\\))? (?:${ofAnything})(?![\\p{L}'’])(?! ${aBrand}(?!\\p{L}))`,
  "iu"
)

// What comes before a name that is advised.
const advised = new RegExp(
  "(?<!\\p{L})(?:recomiendo|recomendaría|aconsejo|elige|elegiría|prueba|miraría|opta por|recomendo|escolha|prefiro|começaria pel[ao]|gostar d[ao]|existe ainda [ao]|" +
    "consiglio|consiglierei|scegli|sceglierei|proverei|merita (?:infine )?una menzione|" +
    "conseille(?:rais)?(?: plutôt| aussi)?|recommande(?:rais)?|choisissez|optez pour|quant à|commencez par|" +
    "empfehle(?: ich)?|nenne ich|folgt|folgen|geht an|Blick auf|würde(?: ich)?(?: aber| eher| auch| dann)?|kies|aanrader is|" +
    "(?:arbeitet|punktet|überzeugt|gewinnt)|(?:sigue siendo|(?<!gibt )es|é|è|est|dan is|uit bij|sería|seria|sarà|resta|reste|rest|quindi|c['’]est)(?: también| anche| aussi| também)?(?: [oai]l?)?) [*_]{0,2}$",
  "iu"
)
// "Otra alternativa, La Sportiva, con un ajuste preciso".
const apposed =
  /^[*_]{0,2}, (?:con|avec|com|met|mit|che|que|qui|una?|une|uma?|ein|eine|een|cuy[ao]s?|cuj[ao]s?|dont|fundad[ao]|fondée?|fondat[ao]|gegründet|nat[ao])(?!\p{L})/u
const followsComma = /\p{Ll}, [*_]{0,2}$/u

// Pronouns, adverbs and other words that open sentences before a verb.
const noName = new RegExp(
  "^(?:ahí|ahora|además|aparte|aunque|ainda|alles|ambos|anche|ancora|aqui|aquí|así|auch|aujourd['’]hui|aussi|aún|cada|ce|ceci|cela|celle|celui|" +
    "chacun|che|chi|como|così|cosa|da|daar(?:na|naast|om)|dan|danach|dann|das|dat|de|den|dentro|depois|der|des|después|det|detrás|deze|" +
    "die|dies(?:e[rs]?)?|dit|dopo|dort|e|een|ein|eine|el|ela|ele|elle|ell[ao]|enfin|ensuite|entonces|er|es|es[ae]|eso|essa?|est[ae]|" +
    "esto|finora|forse|gli|het|heute|hier|hij|hoy|i|ihr|il|infine|inoltre|isso|isto|jede[rs]?|já|la|las|le|les|leur|lo|los|luego|ma|" +
    "man|meu|mi|minha|mon|nada|nadie|nessuno|nichts|niemand|niente|ninguno|ninguém|no|notre|nur|nunca|o|och|oggi|ogni|on|ona|ook|otra|" +
    "otro|outra|outro|personne|poi|puis|que|quella|quello|quem|questa|questo|qui|quien|quién|qué|quizás?|rien|sa|sein|sempre|ses|seu|si|" +
    "sie|siempre|so|solo|son|su|sua|subito|sus|suo|sí|sólo|también|também|tampoco|to|toch|toda|todo|toujours|tout|tudo|tutto|uma?|un[ao]?|" +
    "une?|verder|voici|voilà|vooral|usted|você|votre|was|wat|weiter|wer|wie|wszystko|y|ya|ebenso|zij|zo|zuletzt|zuerst|ça|él|" +
    "aber|als|am|an|auf|aus|avec|bei|beim|chez|com|come|comme|como|con|cuando|dans|desde|doch|durch|em|en|entre|fra|für|gegen|im|in|maar|mais|" +
    "mas|met|mit|nach|o[bp]|oder|ohne|para|per|pero|por|pour|quando|quand|sans|se|sem|según|senza|sin|su|sur|tra|um|und|unter|van|vom|von|voor|vor|" +
    "weil|wenn|zonder|zu[mr]?|über)$",
  "iu"
)
const adverb =
  /(?:lich|ig|isch|weise|dem|mals|bei|für|mit|durch|falls|wärts|stens|sam|bar|haft|ung|ungen|heit|keit|tät|schaft|tion|nis|mente|dad|ção|ción|zione|tà|té)$/u
const days =
  /^(?:lunes|martes|miércoles|jueves|viernes|s[áa]bado|domingo|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|sabato|domenica)$/iu
// "L'INPS chiede".
const elided = /^L['’]\p{Lu}/u
const places =
  /^(?:españa|méxico|argentina|colombia|chile|perú|europa|alemania|francia|italia|brasil|portugal|deutschland|österreich|schweiz|frankreich|italien|spanien|nederland|belgië|france|allemagne|espagne|suisse|belgique|italie|polska|sverige)$/iu

const opening = 12
const advice = 40
const telling = 80
// More than any answer has.
const namesMax = 200

/** Whether a run may name a brand: no word that opens sentences, no place, and no adverb or noun that German has capitals for. */
const isName = (name: string): boolean => {
  if (hasKnownBrand(name)) return true
  if (noName.test(name) || places.test(name) || days.test(name) || elided.test(name) || isMeasure(name)) return false
  const words = wordsOf(name)
  if (words.length > 1) return !noName.test(name.slice(0, name.indexOf(" ")))
  const [only = ""] = words
  return only.length > 1 && !adverb.test(name) && !(isEnglishWord(only) && !isOrdinaryWord(only))
}

// Portuguese has its articles before names: "A Natura também …".
const article = /^[AO]s? (?=\p{Lu})/u

/** A name without an article that Portuguese has before it: "A Zentra". */
export const withoutArticle = (name: string): string => name.replace(article, "")

/**
 * The names that sentences of prose in other European languages are about, or that they advise, where these are two or more and brands: beside
 * brands that are known, or one of them does what only somebody does.
 */
export const subjectsElsewhere = (text: string, besideBrands: boolean): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  let areBrands = besideBrands
  for (const { 0: written, index } of text.matchAll(run)) {
    if (names.length === namesMax) break
    const to = index + written.length
    const isSubject =
      opens.test(text.slice(Math.max(0, index - opening), index)) && tells.test(text.slice(to, to + telling))
    const isApposed =
      apposed.test(text.slice(to, to + telling)) && followsComma.test(text.slice(Math.max(0, index - opening), index))
    if (!isSubject && !isApposed && !advised.test(text.slice(Math.max(0, index - advice), index))) continue
    const name = withoutArticle(written)
    if (!isName(name)) continue
    areBrands ||= hasKnownBrand(name) || (isSubject && !tellsOfAnything.test(text.slice(to, to + telling))) || isApposed
    names.push({ key: brandKey(name), from: to - name.length, to })
  }
  return areBrands && areSeveral(names) ? names : []
}
