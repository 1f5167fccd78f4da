/** The words with which a language says that it does not know a name, written §: alternatives of regular expressions over folded text. */
export interface DisclaimerWords {
  /** Not, never, nothing. */
  readonly not: string
  /** After a negation, makes it a partial one: not only, not so, not everywhere, not among the cheapest. */
  readonly partly: string
  /** No, none, nor, lack: what is missing follows. */
  readonly none: string
  /** Little, hardly any: what is as good as missing follows. */
  readonly little: string
  /** Says without a negation that the speaker does not know a name. */
  readonly unknown: string
  /** What an answer is made from: sources, lists, tests. */
  readonly sources: string
  /** To know, find, recognise, confirm. */
  readonly know: string
  /** Information, results, mentions. */
  readonly facts: string
  /** To appear, be mentioned, exist. */
  readonly appear: string
  /** Separates the two halves of a sentence. */
  readonly contrast: string
  /** Introduces a name: called, by the name of. */
  readonly naming: string
  /** Phrases that deny a name by themselves. */
  readonly idiom: string
  /** Asks what the name is. */
  readonly ask: string
  /** If one of these stands between, the denial is about an attribute of the name, or others do not know it. */
  readonly aside: string
  /** Attributes, whose absence says nothing about the name itself: prices, an address. */
  readonly own: string
}

// Only before a verb, because "no" means "in the" in Portuguese: "figura no topo".
const spanishNo =
  "no(?= (?:me|se|lo|la|nos|he|ha|han|hay|hemos|es|esta|estoy|tengo|dispongo|cuento|pude|puedo|logr\\w+|conozco|reconozco|encuentr\\w+|" +
  "encontr\\w+|aparece|figura|existe|incluyen?|mencionan?|citan?|abarca|di|sera|quisiera)\\b)"

// "Is known to me"; not "seems dear to me".
const risulta =
  "risulta(?! (?!(?:in|nel\\S*|tra|fra|su\\S*|da\\S*|presente|not[ao]|esistente|registrat\\S|censit\\S)(?![a-z]))(?:\\S+ )?[a-z]+[oaie](?:[.,;!]|$))"

/** By language, most common words only. Texts arrive folded: no accents, no capitals, й as и. */
export const disclaimerWords: Readonly<Record<string, DisclaimerWords>> = {
  german: {
    not: "nicht|nichts|nie|noch nie|nirgends|bislang nichts",
    partly:
      "nur|so(?! richtig zu finden)|sehr|besonders|immer|uberall|umsonst|fur|lange|in (?:allen|jede\\w)|zu den \\S+sten|als (?:\\S+ ){1,2}(?:genannt|erwahnt)",
    none: "kein\\w*|weder|fehlen",
    little: "kaum|(?:nur |sehr )?wenige?",
    unknown: "(?:mir|uns) (?:\\S+ ){0,2}unbekannt|unbekannt fur mich",
    sources:
      "[a-z-]*(?:(?:quelle|liste|ranking|bericht|vergleich|verzeichnis|artikel|ubersicht|ergebnis|portal)\\w*|tests?)",
    know: "kenne|bekannt|gehort(?! nicht z)|finde(?! ich nicht (?!(?:in|im|auf|bei|unter|mehr)\\b)\\S+(?:[.,;!]|$))|finden|gefunden|herausfinden|verifizieren|bestatigen|beurteilen|sagen|sagt mir|vertraut|begriff|(?:nach|uber)prufen|ermitteln|ausfindig machen|in erfahrung bringen",
    facts:
      "informationen|angaben|daten|(?:test|erfahrungs)berichte|erfahrungen|rezensionen|hinweise?|treffer|eintrag|eintrage|nachweise?|quellen|ergebnisse|kenntnisse",
    appear:
      "taucht|(?<!^[^a-z§]{0,8}§[*_:\\s]{0,5})erwahnt|erwahnen|genannt|existier(?:t|en)(?! nicht (?:fur|in (?!mein|den|der|dies|unser)))|aufgefuhrt|aufgenommen|zu finden(?! unter)|heisst",
    contrast: "aber|obwohl|doch|auch wenn|dabei|wahrend|dafur",
    naming: "namens|mit (?:dem namen|der bezeichnung)",
    idiom:
      "sagt mir (?:leider )?nichts|§ kommt (?:\\S+ ){0,3}(?:nicht|nirgends) vor|" +
      "weiss (?:ich )?(?:leider )?(?:gar )?(?:nichts|nicht viel) (?:uber|von) (?:\\S+ ){0,2}§|uber § weiss ich (?:leider )?(?:nichts|nicht viel)|" +
      "§ (?:\\S+ )?in keine[mnr] (?:\\S+ )?\\S*(?:test|bericht|liste|ranking|vergleich|verzeichnis)\\w* (?:finden|gefunden|erwahnt|genannt)",
    ask: "(?:was|wer) §(?: \\S+){0,2} (?:ist|anbietet|macht)|meinst du mit §|meinen sie mit §",
    aside: "als|viele|wer|besser\\w*|ander\\w*|hersteller bekannt",
    own: "preise?[ns]?|kosten|adressen?|anschrift|telefonnummern?|offnungszeiten|rufnummer|gebuhren|lieferzeit\\w*|garantie\\w*|beschwerden|haltbarkeit|sicherheitslucken|nachteile|negative\\w*"
  },
  french: {
    not: "(?<!\\b(?:impossible|difficile) de ne )pas|rien|jamais|impossible(?! de ne pas)",
    partly: "seulement|encore|si|tres|toujours|souvent|partout|plus|dans tou\\w+|parmi les (?:plus|moins)",
    none: "aucun\\w*|ni|faute de|pas d\\w*",
    little: "(?:tres )?peu d\\w*",
    unknown:
      "m['’](?:est|etait) (?:\\S+ )?inconnue?s?|inconnue?s? (?:de|pour) moi|informations (?:\\S+ ){0,4}?inexistantes",
    sources: "sources?|listes?|classements?|comparatifs?|articles?|resultats?|guides?|tests?|palmares",
    know: "connais|connaissance|(?<!on ne )trouve|trouver|verifier|confirme\\w*|identifier|familier\\w*|entendu parler|dit rien|renseigner|prononcer|voit",
    facts: "informations?|donnees?|mentions?|resultats?|sources?|elements?|traces?|references?",
    appear:
      "figure|apparait|apparaitre|(?<!(?:§|\\belle|\\bil)[*_:\\s]{0,5}ne )(?:mentionne|cite)\\w*|existe(?! pas (?:en(?:core)?|pour)\\b)|rien donne|correspond",
    contrast: "mais(?! pas d)|cependant|pourtant|meme si|bien que|en revanche|contrairement a",
    naming: "nommee?|appelee?|intitulee?|du nom(?: de)?",
    idiom:
      "(?:les|la|mes|ces) (?:sources|listes?|resultats|articles)(?: \\S+)? ne (?:mentionne|cite)\\w* pas §|" +
      "sais (?:pas grand[- ]chose|rien) (?:sur|de|d['’]) ?(?:\\S+ ){0,2}§|ne me dit rien",
    ask: "(?:ce qu['’]est|c['’]est quoi|qu['’]est-ce que) §|faites reference avec §",
    aside: "que|dont|si|avis|tests?|essais?|vaut|meilleur\\w*|autre|concurrent|peu de gens",
    own: "prix|tarifs?|cout|adresses?|numeros?|horaires?|frais|delais|garanties?|plaintes|inconvenients|negati\\w+"
  },
  spanish: {
    not: `${spanishNo}|nada|nunca|desconozco`,
    partly: "solo|tan|muy|siempre|en tod\\w+|entre l[ao]s (?:mas|menos)",
    none: `ning\\w+|ni|carezco de|sin|${spanishNo}`,
    little: "(?:muy )?poc[ao]s?|apenas",
    unknown: "me (?:es|resulta) (?:\\S+ )?desconocid[ao]|desconocid[ao] para mi|fuera de lo que conozco",
    sources: "fuentes?|listas?|rankings?|comparativas?|articulos?|resultados?|resenas?|guias?|clasificaci\\w+",
    know: "conozco|oido hablar|familiariz\\w+|suena|encuentro|encontr\\w+|confirmar|verificar|reconozco|desconozco|abarca|di con|seguro de que es|logro",
    facts:
      "informacion|datos|(?<!§[*_:\\s]{0,5}no )mencion(?!ar\\b)\\w*|resultados|referencias?|constancia|conocimiento",
    appear:
      "aparece|figura|(?<!§[*_:\\s]{0,5}no )(?:mencionan?|cita|incluyen?)|mencionad\\w+|cita\\w+|existe(?! (?:por|para|en (?!mi|l[ao]s?\\b|el\\b|est|ning|tod)))|referencia",
    contrast: "pero|aunque|sin embargo|si bien|mientras|a diferencia de",
    naming: "llamad[oa]|denominad[oa]|con el nombre(?: de)?",
    idiom: "desconozco|no me suena|no se (?:mucho|nada|casi nada) (?:sobre|de|acerca de) (?:\\S+ ){0,2}§",
    ask: "(?:que es|te refieres con|se refiere con) §",
    aside: "quejas?|desventajas?|que|quien|gente|cuota|mejor|gastos|competidores|version",
    own: "precios?|costes?|costos?|tarifas?|direccion|telefono|horarios?|comisiones|garantia|negativ\\w+"
  },
  portuguese: {
    not: "nao|nada|nunca|desconheco",
    partly: "so|tao|muito(?! sobre)|sempre|em tod\\w+|entre [ao]s (?:mais|menos)",
    none: "nenhum\\w*|nem|sem|nao(?= (?:ha|tenho|temos|disponho|existem|encontrei|foram|constam)\\b)",
    little: "(?:muito )?pouc[ao]s?",
    unknown: "me e (?:\\S+ )?desconhecid[ao]|desconhecid[ao] (?:para|por) mim",
    sources: "fontes?|listas?|rankings?|comparativos?|artigos?|resultados?|avaliac\\w+|guias?",
    know: "conheco|ouvi falar|conhecimento|encontr\\w+|confirmar|verificar|reconheco|familiarizad[ao]|desconheco",
    facts: "informac\\w+|dados|(?<!§[*_:\\s]{0,5}nao )menc(?!ionar\\b)\\w+|resultados?|referencias?|registros?",
    appear:
      "aparece|figura|consta|(?<!§[*_:\\s]{0,5}nao )(?:menciona|cita)|menciona\\w+|cita\\w+|existe(?! (?:para|em (?!nenhum|minh|tod|qualquer)))|devolveu",
    contrast: "mas|porem|embora|no entanto|contudo|ao contrario",
    naming: "chamad[oa]|com o nome(?: de)?",
    idiom: "desconheco|nao sei (?:muito|nada|quase nada) (?:sobre|d[aoe]|acerca d\\S+) (?:\\S+ ){0,2}§",
    ask: "(?:o que e|seria a|seria o|refere com) §",
    aside: "reclamac\\w+|desvantage\\w+|que|quem|melhor|como a|como o",
    own: "precos?|custos?|tarifas?|enderecos?|telefone|horarios?|taxas|garantia|negativ\\w+"
  },
  italian: {
    not: "non|nulla|niente|mai",
    partly: "solo|cosi|molto(?! su\\b)|sempre|ovunque|in tutt\\w|(?:tra|fra) \\S+ (?:piu|meno)",
    none: "nessun\\w*|ne|mancano|non(?= (?:ci sono|ho|abbiamo|dispongo|esistono|risultano|trovo|emergono)\\b)",
    little: "(?:molto )?poc(?:h[ei]|[ao])|scars[aei]",
    unknown: "mi e (?:\\S+ )?sconosciut[ao]|(?:a|per) me sconosciut[ao]|sconosciut[ao] (?:a|per) me",
    sources: "font[ei]|list[ae]|classific(?:a|he)|articol[oi]|risultat[oi]|recension[ei]|guid[ae]|confront[oi]",
    know: `conosco|conoscenza|trovat\\w+|trovo|(?:trovare|individuare)(?! (?:difett|problem|un motivo))|confermare|verificare|riconosco|${risulta}|so|sentito parlare|familiarit\\w+|in grado`,
    facts: "informazion\\w+|(?<!§[*_:\\s]{0,5}non )menzion(?!are\\b)\\w+|dati|risultati|fonti|riferimenti|notizie",
    appear:
      "compare|figura|appare|menzionat\\w*|menzionano|citano|citat\\w*|esiste(?! (?:in|per) )|presente n\\w+|emergono|elencat\\w*",
    contrast: "ma|pero|anche se|eppure|benche|mentre|a differenza",
    naming: "chiamat[oa]|con il nome(?: di)?|di nome",
    idiom: `non mi ${risulta}`,
    ask: "(?:cos['’]e|che cos['’]e) §",
    aside: "reclami|svantaggi|che|se|chi|pochi|meglio|batte",
    own: "prezz[oi]|cost[oi]|tariff[ae]|indirizz[oi]|telefono|orari\\w?|commissioni|garanzia|lamentele|negativ\\w+"
  },
  dutch: {
    not: "niet|niets|nooit|nergens",
    partly: "alleen|zo|erg|heel|altijd|overal|voor niets|bekend (?:om|bij(?! mij))|in (?:alle|elke)|tot de \\S+ste",
    none: "geen|noch",
    little: "nauwelijks|(?:erg |zeer )?weinig",
    unknown: "mij (?:\\S+ ){0,2}onbekend|onbekend (?:voor|bij) mij",
    sources: "[a-z-]*(?:(?:lijst|overzicht|vergelijking|artikel|resultat)\\w*|bron(?:nen)?|tests?)",
    know: "ken|bekend|gehoord|(?<!§ )vinden|gevonden|terugvinden|achterhalen|bevestigen|nagaan|tegengekomen|zegt me|herken",
    facts: "informatie|gegevens|ervaringen|reviews|beoordelingen|resultaten|vermelding\\w*|bron(?:nen)?|treffers",
    appear: "genoemd|vermeld|bestaat(?! niet (?:voor|in (?!mijn|de|deze|onze)\\b))|heet|met de naam",
    contrast: "maar|hoewel|terwijl|echter|al|wel",
    naming: "genaamd|met de naam",
    idiom:
      "zegt me niets|§ komt (?:\\S+ ){0,3}(?:niet|nergens) voor|weet (?:\\S+ )?(?:niets|niet veel) (?:over|van) (?:\\S+ ){0,2}§|" +
      "§ (?:\\S+ )?in geen (?:enkele )?\\S*(?:lijst|bron|test|overzicht|vergelijking|artikel)\\w* (?:vinden|gevonden)",
    ask: "(?:wat is|wat voor product is) §",
    aside: "dan|als|mensen|zo goed",
    own: "prijs|prijzen|kosten|tarieven|adres\\w*|telefoonnummer|openingstijden|levertijd\\w*|garantie|klachten|negatie\\w*"
  },
  polish: {
    not: "nie|nic|nigdy",
    partly: "tylko|tak|bardzo|zawsze|wszedzie|we wszystkich|do naj\\w+",
    none: "zadn\\w+|brak\\w*|nie(?= (?:ma|mam|mamy|znalazl\\w+|znaleziono|posiadam|istnieja)\\b)",
    little: "niewiele|(?:bardzo )?malo",
    unknown: "(?:jest )?mi (?:\\S+ )?nieznan\\w|nieznan\\w (?:mi|dla mnie)",
    sources: "zrod\\w+|list(?:a|y|e|ie|ach|om)?|ranking\\w*|artykul\\w*|zestawie\\w*|recenzj\\w*|wynik\\w*|porowna\\w*",
    know: "znam|znalazl\\w+|znalezc|potwierdzic|slyszal\\w*|kojarze|wiem",
    facts: "informacji|danych|wzmianek|wynikow|zrodel",
    appear:
      "(?<!§[*_:\\s]{0,5}nie )(?:wymienia|wspomina)|wymienia\\w+|pojawia|wystepuje(?! w (?:kolor|wersj|rozmiar)\\w+)|wspomniano|wymienion\\w*|istnieje(?! w wersji)|figuruje",
    contrast: "ale|jednak|choc|natomiast|a",
    naming: "o nazwie",
    idiom:
      "nic mi nie mowi|o (?:\\S+ ){0,2}§ (?:\\S+ )?(?:niewiele|malo|nic nie) wiadomo|(?:niewiele|malo|nic nie) wiadomo o (?:\\S+ ){0,2}§",
    ask: "czym jest §",
    aside: "skarg\\w*|wad\\w*|niz|kto|ile|lepsz\\w+",
    own: "cen\\w{0,3}|cennik\\w*|koszt\\w*|adres\\w*|telefon\\w*|godzin\\w*|gwarancj\\w*|oplat\\w*|negatywn\\w+"
  },
  swedish: {
    not: "inte|aldrig",
    partly: "bara|sa|sarskilt|alltid|overallt|i alla|bland de \\S+(?:ste|aste)",
    none: "ingen|inget|inga|ingenting",
    little: "(?:mycket |valdigt )?lite|knappt nag\\w+",
    unknown: "(?:okan[dt]|obekant) for mig",
    sources:
      "[a-z]*(?:(?:lista|listor|artikl|artikel|resultat|jamforelse|rankning)\\w*|kall(?:a|an|or|orna)|test(?:er|et|en|erna)?)",
    know: "hittar|hittade|(?<!§[*_:\\s]{0,5})namner|jag kanner(?= inte till)|kanner till|bekrafta|hort talas|kanner igen",
    facts: "information|uppgifter|omdomen|recensioner|resultat|data|traffar|omnamnanden",
    appear:
      "namns|finns(?! inte (?:som|till|pa (?!list|min|internet|natet)|i (?!min|kall|list|result|databas|nag)))|forekommer|omnamns|dyker upp|foretag",
    contrast: "men|fast|aven om|dock|medan",
    naming: "som heter|vid namn|under namnet|med namnet",
    idiom: "sager mig inget|vet (?:inte (?:sa )?mycket|inget|ingenting) om §",
    ask: "(?:vad|om vad) § ar|vad ar §",
    aside: "som|de flesta|battre",
    own: "pris\\w*|kostnad\\w*|adress\\w*|telefonnummer|oppettider\\w*|avgift\\w*|garanti\\w*|klagomal|negativ\\w*"
  },
  russian: {
    not: "не|нигде|ничего",
    partly: "только|так|очень|всегда|везде|во всех|среди самых",
    none: "нет|никак\\S+|ни",
    little: "(?:очень )?мало|почти ничего",
    unknown: "мне (?:\\S+ )?неизвест\\S+|неизвест\\S+ мне",
    sources: "источник\\S*|списк\\S+|реитинг\\S*|обзор\\S*|стат(?:ье|ьи|ья|еи)\\S*|подбор\\S*|результат\\S*",
    know: "знаком\\S*|знаю|известен|известн\\S+|слышал\\S*|наити|наиден\\S*|нашел|нашла|обнаружить|подтвердить|удалось",
    facts: "информаци\\S*|данны\\S+|сведени\\S*|упоминани\\S*|результат\\S*|источник\\S*",
    appear:
      "(?<!§[*_:\\s]{0,5}не )упомина\\S+|упоминаетс\\S+|встречаетс\\S+|существу\\S+(?! (?:для|в \\S+ цвет))|фигуриру\\S+|значится",
    contrast: "но|однако|хотя|зато|а",
    naming: "под названием|под маркой|с названием|по имени",
    idiom: "мне не знаком\\S*|мне не известн\\S+",
    ask: "что такое §",
    aside: "чем|мало|лучше|удобнее",
    own: "цен\\S{0,3}|стоимост\\S*|адрес\\S*|телефон\\S*|график\\S*|жалоб\\S*|гаранти\\S*|комисси\\S*|негативн\\S+"
  },
  turkish: {
    not: "degil|hicbir\\S*|bulamad\\S*|ulasamad\\S*|bilmiyorum|gecmiyor|dogrulayam\\S*|tanimiyorum|rastlamad\\S*|duymad\\S*|almiyor|almamakta\\S*|gorunmuyor",
    partly: "kadar|cok|her zaman",
    none: "yok|bulunmuyor|bulunamad\\S*|ulasamad\\S*|bulamad\\S*",
    little: "(?:cok |pek )?az",
    unknown: "bana yabanci|bahsedilmiyor|yeterli bilgi\\S* (?:\\S+ )?degilim",
    sources: "kaynak\\S*|liste\\S*|siralama\\S*|sonuc\\S*|inceleme\\S*|makale\\S*|rehber\\S*",
    know: "bilmiyorum|tanimiyorum|dogrulayam\\S*|duymad\\S*|rastlamad\\S*|asina",
    facts: "bilgi\\S*|veri\\S*|sonuc\\S*|kayit\\S*|kaynak\\S*",
    appear: "gecmiyor|adinda|isimli|adli|listesinde",
    contrast: "ama|ancak|fakat|yalnizca",
    naming: "isimli|adli|adinda",
    idiom:
      "hicbir bilgim yok|§\\S* (?:hakkinda|ile ilgili) (?:\\S+ ){0,2}?az (?:\\S+ )?bilgi|" +
      "§ (?:\\S+ ){0,4}?(?:kaynak|liste|siralama|sonuc|inceleme|makale|rehber|test)\\S* (?:\\S+ ){0,2}?(?:yer alm\\S+|gecmiyor|bulunmuyor|gorunmuyor)|" +
      "bilgi\\S*\\s+(?:\\S+\\s+){0,2}(?:bulamad\\S*|ulasamad\\S*|yok)",
    ask: "§ (?:tam olarak )?ne(?:dir)?\\b",
    aside: "kadar|baska|cok",
    own: "fiyat\\S*|adres\\S*|telefon\\S*|ucret\\S*|garanti\\S*|sikayet\\S*|olumsuz\\S*"
  }
}
