import { brandKey, hasKnownBrand, isMeasure, wordsOf } from "./Naming.ts"
import type { Name } from "./Names.ts"
import { advice, hasBeforeIt, namesMax, opening, telling } from "./Subjects.ts"
import { type Capitals, runsOf } from "@sightline/domain/text/Capitals"
import { isEnglishWord, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// Names that the prose of other languages is about although each occurs only once: "GNP ofrece coberturas más amplias."

const word = "\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’+]*(?:[.-][\\p{L}\\p{Nd}]+)*"
const run = new RegExp(`(?<![\\p{L}\\p{M}\\p{Nd}'’.-])${word}(?:[ ](?:&[ ])?${word}){0,3}`, "uy")

const opens = /(?:^|[.!?;:\n\])]|,)[\s*_"“«]*$/u

// Verbs in Spanish, Portuguese, Italian, French, Dutch, German, Swedish and Polish. `ofAnything` fits a dish, a town or a poet as well
// ("Sintra é mais popular"), `ofBrands` only brands.
const ofAnything =
  "es|está|queda|sigue|resulta|tiene|fue|nació|llegó|é|tem|fica|foi|nasceu|è|ha|resta|rimane|est|n['’]est|reste|is|heeft|zit|blijft|" +
  "ist|hat|gehört|liegt|gilt|kommt|bleibt|är|har|jest|también|tampoco|também"
const ofBrands =
  "ofrece|permite|cobra|paga|cuesta|destaca|gusta|suele|cubre|incluye|funciona|vende|lleva|cuenta|mantiene|oferece|custa|costuma|" +
  "cobre|inclui|leva|chega|atende|aposta|mantém|entrega|continua|offre|permette|costa|produce|punta|copre|funziona|propone|" +
  "garantisce|n['’]a|propose|permet|coûte|travaille|convient|couvre|fournit|possède|mise|multiplie|fabrique|garantit|inclut|séduit|" +
  "biedt|kost|rekent|levert|maakt|scoort|verkoopt|bietet|kostet|arbeitet|punktet|überzeugt|liefert|verkauft|zahlt|leistet|verlangt|" +
  "schneidet|erbjuder|kostar|säljer|oferuje|kosztuje|daje|działa|aprueba|mezcla|gana|domina|añade|apuesta|exige|devuelve|promete|" +
  "lidera|fabrica|practica|emite|faz|agrada|costruisce|chiede|richiede|convince|unisce|assure|demande|facture|vend|combine|domine|" +
  "setzt|baut|macht|läuft|verbindet|hält|wirkt|kann|geeft|werkt|komt"
// "HDI, por su parte, destaca".
const aside = "^[*_]{0,2}(?:,[^,.\\n]{2,60},| \\([^()\\n]{0,60}\\))? "
const tells = new RegExp(`${aside}(?:${ofAnything}|${ofBrands})(?![\\p{L}'’])`, "u")
const aBrand = "(?:una?|uma|une|eine?|een|en) (?:marca|empresa|azienda|marque|entreprise|marke|merk|firma)"
// "Acme ofrece", "Acme es una marca".
const tellsOfBrand = new RegExp(`${aside}(?:(?:${ofBrands})(?![\\p{L}'’])|(?:${ofAnything}) ${aBrand}(?!\\p{L}))`, "iu")

// What comes before a recommended name.
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

// Pronouns, prepositions, adverbs and other words that open sentences.
const noName = new RegExp(
  "^(?:aber|además|ahí|ahora|ainda|alles|als|am|ambos|an|anche|ancora|aparte|aqui|aquí|así|auch|auf|aujourd['’]hui|aunque|aus|" +
    "aussi|aún|avec|bei|beim|cada|ce|ceci|cela|celle|celui|chacun|che|chez|chi|com|come|comme|como|con|cosa|così|cuando|ça|da|" +
    "daar(?:na|naast|om)|dan|danach|dann|dans|das|dat|de|den|dentro|depois|der|des|desde|después|det|detrás|deze|die|" +
    "dies(?:e[rs]?)?|dit|doch|dopo|dort|durch|e|ebenso|een|eine?|el|ela|ele|ell[ao]|elle|em|en|enfin|ensuite|entonces|entre|er|" +
    "es|es[ae]|eso|essa?|est[ae]|esto|él|finora|forse|fra|für|gegen|gli|het|heute|hier|hij|hoy|i|ihr|il|im|in|infine|inoltre|" +
    "isso|isto|já|jede[rs]?|la|las|le|les|leur|lo|los|luego|ma|maar|mais|man|mas|met|meu|mi|minha|mit|mon|nach|nada|nadie|" +
    "nessuno|nichts|niemand|niente|ninguém|ninguno|no|notre|nunca|nur|o|o[bp]|och|oder|oggi|ogni|ohne|on|ona|ook|otra|otro|" +
    "outra|outro|para|per|pero|personne|poi|por|pour|puis|quand|quando|que|quella|quello|quem|questa|questo|qué|qui|quien|" +
    "quién|quizás?|rien|sa|sans|se|según|sein|sem|sempre|senza|ses|seu|si|sie|siempre|sin|sí|so|solo|son|sólo|su|sua|subito|" +
    "suo|sur|sus|também|también|tampoco|to|toch|tod[ao]|toujours|tout|tra|tudo|tutto|uma?|un[ao]?|und|une?|unter|usted|über|" +
    "van|verder|você|voici|voilà|vom|von|voor|vooral|vor|votre|was|wat|weil|weiter|wenn|wer|wie|wszystko|y|ya|zij|zo|zonder|" +
    "zu[mr]?|zuerst|zuletzt)$",
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

/** Whether a run may name a brand: no word that opens sentences, no place, and no adverb or noun that German capitalises. */
const isName = (name: string): boolean => {
  if (hasKnownBrand(name)) return true
  if (noName.test(name) || places.test(name) || days.test(name) || elided.test(name) || isMeasure(name)) return false
  const words = wordsOf(name)
  if (words.length > 1) return !noName.test(name.slice(0, name.indexOf(" ")))
  const [only = ""] = words
  return only.length > 1 && !adverb.test(name) && !(isEnglishWord(only) && !isOrdinaryWord(only))
}

// Portuguese puts articles before names: "A Natura também …".
const article = /^[AO]s? (?=\p{Lu})/u

/** A name without a Portuguese article: "A Zentra". */
export const withoutArticle = (name: string): string => name.replace(article, "")

/**
 * The names that sentences in other European languages are about or recommend, where there are two or more and they are brands. They are
 * brands beside known brands, or where what is said of one of them is said only of brands.
 */
export const subjectsEuropean = (text: string, capitals: Capitals, besideBrands: boolean): ReadonlyArray<Name> => {
  const names: Array<Name> = []
  let areBrands = besideBrands
  for (const { from: index, run: written } of runsOf(text, capitals, run)) {
    if (names.length === namesMax) break
    const to = index + written.length
    const behind = text.slice(to, to + telling)
    const isSubject = hasBeforeIt(text, index, opening, opens) && tells.test(behind)
    const isApposed = apposed.test(behind) && hasBeforeIt(text, index, opening, followsComma)
    if (!isSubject && !isApposed && !hasBeforeIt(text, index, advice, advised)) continue
    const name = withoutArticle(written)
    if (!isName(name)) continue
    areBrands ||= hasKnownBrand(name) || (isSubject && tellsOfBrand.test(behind)) || isApposed
    names.push({ key: brandKey(name), from: to - name.length, to })
  }
  return areBrands ? names : []
}
