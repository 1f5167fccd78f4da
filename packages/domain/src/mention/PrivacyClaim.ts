import type { Clause } from "@sightline/domain/text/Clause"

// What is done with data, in English and ten other languages: parts of regular expressions over folded text.

const none =
  "(?:no|kein(?:e[nr]?|erlei)?|aucune?|pas de|ningun\\w*|sin|nessun\\w*|geen|nenhum\\w*|sem|zadn\\w+|inga|ingen|никак\\S+)"
const data =
  "(?:data|entry|registration|eintrag|eintrage|registro|inscription|registrazione|registratie|inschrijving|rejestracj\\w+|registrering|регистраци\\S+|information|info|records?|logs?|daten|informationen|angaben|donnees?|informations|datos|informacion|dati|informazioni|" +
  "gegevens|informatie|dados|informac\\w+|danych|informacji|uppgifter|данн\\S+)"
const deals =
  "(?:sells|shares|stores|collects|keeps|logs|retains|speichert|verkauft|sammelt|teilt|erhebt|gibt(?! es\\b)|nutzt|braucht|benotigt|" +
  "verlangt|vend|revend|partage|collecte|conserve|stocke|transmet|envoie|verkoopt|deelt|verzamelt|bewaart|gebruikt|vraagt|saljer|delar|" +
  "sparar|samlar|lagrar|kraver)"
const dealtWith =
  "(?:needed|required|necessary|notig|notwendig|erforderlich|benotigt|necessaires?|requis\\w*|necesari\\w+|necessari\\w+|richiest\\w+|" +
  "nodig|vereist|potrzebn\\w+|wymagan\\w+|kravs|behovs|stored|sold|resold|shared|collected|kept|retained|logged|sent|uploaded|transmitted|leaves?|third parties|cloud|servers?|" +
  "gespeichert|(?:weiter)?verkauft|weitergegeben|gesammelt|erhoben|geteilt|ubermittelt|ubertragen|dritte|servern|" +
  "(?:re)?vendue?s?|partagee?s?|collectee?s?|conservee?s?|stockee?s?|envoyee?s?|transmises?|tiers|serveurs?|" +
  "vendid\\w+|compartid\\w+|guardad\\w+|almacenad\\w+|terceros|nube|servidor\\w*|vendut\\w|condivis\\w|raccolt\\w|conservat\\w|terzi|" +
  "verkocht|gedeeld|verzameld|bewaard|opgeslagen|derden|(?:com)?partilhad\\w+|armazenad\\w+|nuvem|delas|saljs|sparas|samlas|lagras)"

const about = "(?:on|about|regarding|zu|uber|sur|sobre|su|over|om)"
// "Zu Acme sind keine Daten gespeichert."
const told = new RegExp(`\\b${about}\\s(?:\\S+\\s)?[^a-z]*$`, "u")
const kept = new RegExp(
  `(?<![a-z])${none}(?:\\s\\S+)?\\s${data}(?:\\s(?:on|about) your\\b|[^§.?!:;]{0,40}?\\b${dealtWith}\\b(?!\\s(?:${about}|in my)\\b))|` +
    `§[*_:\\s]{0,5}[^§.?!:;,]{0,20}?\\b${deals}\\s(?:\\S+\\s)?${none}(?:\\s\\S+)?\\s${data}(?![a-z])`,
  "u"
)

/** Whether a clause denies that data is kept, sold or needed, and not that the name is known: "Acme: no data is sold". */
export const isPrivacyClaim = ({ before, after }: Clause): boolean =>
  kept.test(`${before}§${after}`) && !told.test(before)
