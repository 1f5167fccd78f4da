// The place that the words beside a name give it in other languages: "an zweiter Stelle steht Acme", "Acme occupe la 2e place".

const quoted = '[*_"“‘«„「『[]{0,4}'
const closing = '^[*_"”’»\\])」』]{0,4}'

const telling =
  "liegt|ist|steht|landet|kommt|rangiert|belegt|est|occupe|arrive|ocupa|es|está|queda|figura|é|fica|è|occupa"
const small = "auf|die|der|dem|das|derzeit|aktuell|à|au|la|le|en|el|em|no|na|o|a|al|il"
const spots = "platz|rang|nummer|puesto|lugar|posto|place|position|posici[oó]n|posição|posizione|n[uú]m[eé]ro"
const numberAfter = new RegExp(
  `${closing}\\s(?:auf\\s|(?:${telling})\\s(?:(?:${small})\\s){0,3})(?:(?:${spots})\\s(\\d{1,3})(?![\\d.,%]\\d|[\\p{L}%])|` +
    `(\\d{1,2})(?:er|re|e|ère|[eè]me|[ºª°])\\s(?:${spots})(?!\\p{L}))`,
  "iu"
)

/** How a language says a place in words: parts of regular expressions. */
interface Places {
  /** The ordinals, from the first on. */
  readonly ordinals: ReadonlyArray<string>
  /** Words before an ordinal: on, in the. */
  readonly opening: string
  /** The noun after an ordinal: place, position; empty where it comes before. */
  readonly spot: string
  /** Words between a place and the name after it. */
  readonly leads: string
  /** Words between a name and the place after it; empty where there are none. */
  readonly takes: string
}

// The letters of endings, in one alphabet each: a class of all letters makes a case-insensitive pattern expensive.
const latin = "[a-zß-ž]"
const cyrillic = "[а-яё]"

const words = (list: string): ReadonlyArray<string> => list.split(" ")

const languages: Readonly<Record<string, Places>> = {
  german: {
    ordinals: words("erste zweite dritte vierte fünfte sechste siebte achte neunte zehnte").map(
      (word) => `${word}[mnrs]?`
    ),
    opening: "an|auf(?: dem)?|den|der",
    spot: "stelle|platz|rang|position",
    leads:
      "(?:steht|liegt|folgt|kommt|landet|ist|rangiert|belegt|sehe ich|sehen wir|befindet sich|geht an)(?: (?:der|die|das))?",
    takes: "belegt|erreicht|holt|steht|liegt|landet|kommt|rangiert|ist|folgt"
  },
  french: {
    ordinals: words(
      "premi[eè]re? (?:deuxi[eè]me|seconde?) troisi[eè]me quatri[eè]me cinqui[eè]me sixi[eè]me septi[eè]me huiti[eè]me neuvi[eè]me dixi[eè]me"
    ),
    opening: "en|à la|au|la|le",
    spot: "place|position|rang",
    leads:
      "(?:on (?:re)?trouve|nous trouvons|vient|arrive|figure|se (?:trouve|place|classe)|est|revient à)(?: (?:le|la))?",
    takes: "occupe|prend|obtient|arrive|se (?:place|classe|trouve|hisse)|est|figure|vient"
  },
  spanish: {
    ordinals: words(
      "primer[oa]? segund[oa] tercer[oa]? cuart[oa] quint[oa] sext[oa] s[eé]ptim[oa] octav[oa] noven[oa] d[eé]cim[oa]"
    ),
    opening: "en(?: el| la)?|el|la",
    spot: "lugar|puesto|posici[oó]n",
    leads:
      "(?:está|se (?:encuentra|ubica|sitúa)|encontramos|tenemos|viene|aparece|figura|queda|es para|l[oa] ocupa)(?: (?:el|la|a))?",
    takes: "ocupa|obtiene|está|queda|aparece|figura|se (?:sitúa|ubica|encuentra|coloca)|viene"
  },
  portuguese: {
    ordinals: words(
      "primeir[oa] segund[oa] terceir[oa] quart[oa] quint[oa] sext[oa] s[eé]tim[oa] oitav[oa] non[oa] d[eé]cim[oa]"
    ),
    opening: "em|no|na|o|a",
    spot: "lugar|posição|colocação",
    leads: "(?:está|vem|fica|aparece|figura|encontra-se|temos|é d[oa])(?: [oa])?",
    takes: "ocupa|está|fica|aparece|figura|vem|conquista|ficou"
  },
  italian: {
    ordinals: words("prim[oa] second[oa] terz[oa] quart[oa] quint[oa] sest[oa] settim[oa] ottav[oa] non[oa] decim[oa]"),
    opening: "al|in|il|la",
    spot: "posto|posizione|piazza",
    leads: "(?:troviamo|c['’]è|si (?:trova|piazza|colloca|classifica)|viene|figura|abbiamo|va a)(?: (?:il|la))?",
    takes: "occupa|è|si (?:trova|piazza|colloca|classifica)|figura|arriva|conquista"
  },
  dutch: {
    ordinals: words("eerste tweede derde vierde vijfde zesde zevende achtste negende tiende"),
    opening: "op de|op|de",
    spot: "plaats|plek|positie",
    leads: "(?:staat|komt|vinden we|eindigt|volgt|is|gaat naar)",
    takes: "staat|komt|eindigt|bezet|is|volgt"
  },
  polish: {
    ordinals: words("pierwsz drug trzeci czwart piąt sz[oó]st siódm ósm dziewiąt dziesiąt").map(
      (stem) => `${stem}${latin}{0,3}`
    ),
    opening: "na|w",
    spot: "miejsc[ue]|pozycji",
    leads: `(?:jest|znajduje się|plasuje się|uplasował${latin}* się|zajmuje|znalazł${latin}* się)`,
    takes: `zajmuje|zaj[ąę]ł${latin}{0,2}|jest|plasuje się|znajduje się|uplasował${latin}{0,2} się`
  },
  swedish: {
    ordinals: words("första andra tredje fjärde femte sjätte sjunde åttonde nionde tionde"),
    opening: "på",
    spot: "plats",
    leads: "(?:kommer|hamnar|ligger|finns|hittar vi|är)",
    takes: "kommer|hamnar|ligger|är|tar"
  },
  turkish: {
    ordinals: words("birinci [iİ]kinci üçüncü dördüncü beşinci altıncı yedinci sekizinci dokuzuncu onuncu"),
    opening: "",
    spot: "sıra(?:da|yı)",
    leads: "(?:ise|da|yine)",
    takes: ""
  },
  russian: {
    ordinals: words("перв втор трет четв[её]рт пят шест седьм восьм девят десят").map(
      (stem) => `${stem}${cyrillic}{1,3}`
    ),
    opening: "на",
    spot: "мест[еоа]|позици[июя]",
    leads: `(?:находится|стоит|идет|идёт|располагается|оказал${cyrillic}+|у)`,
    takes: `занимает|занял${cyrillic}?|находится|стоит|идет|идёт|располагается|оказал${cyrillic}+`
  },
  arabic: {
    ordinals: words("الأول[ىي]? الثانية? الثالثة? الرابعة? الخامسة? السادسة? السابعة? الثامنة? التاسعة? العاشرة?"),
    opening: "المركز|المرتبة",
    spot: "",
    leads: "(?:تأتي|يأتي|جاءت|نجد|تحتل|هي|هو)",
    takes: ""
  },
  hebrew: {
    ordinals: words("הראשון השני השלישי הרביעי החמישי השישי השביעי השמיני התשיעי העשירי"),
    opening: "במקום",
    spot: "",
    leads: "(?:נמצאת?|מגיעה?|ניצבת?|מדורגת?)",
    takes: "נמצאת?|מגיעה?|ניצבת?|מדורגת?"
  }
}

const ranks = Array.from(
  { length: 10 },
  (_, at) =>
    new RegExp(
      `^(?:${Object.values(languages)
        .map(({ ordinals }) => ordinals[at])
        .join("|")})$`,
      "iu"
    )
)

const spoken = Object.values(languages).map(({ ordinals, opening, spot, leads, takes }) => {
  const place = `(${ordinals.join("|")})${spot === "" ? "" : `\\s(?:${spot})`}`
  const opened = opening === "" ? place : `(?:${opening})\\s${place}`
  return {
    before: `${opened}(?:,?\\s${leads})?`,
    after: `\\s${takes === "" ? "" : `(?:${takes})\\s`}(?:(?:${opening})\\s)?${place}`
  }
})
// Most names have no word for a place beside them, so the text there is tested for one first.
const furthestWord = 48
const spot = new RegExp(
  `(?:^|\\s)(?:${Object.values(languages)
    .map(({ ordinals, spot }) => (spot === "" ? ordinals.join("|") : spot))
    .join("|")})(?!\\p{L})`,
  "iu"
)
// Lookbehinds from the start of a name, so that nothing is read twice. One pattern per language compiles faster than one for all.
const wordsBefore = spoken.map(
  ({ before }) => new RegExp(`(?<=(?<!\\p{L})${before}\\s?[*_]{0,2}[:–—-]?[*_]{0,2}\\s?${quoted})`, "iuy")
)
const wordsAfter = spoken.map(({ after }) => new RegExp(`${closing}${after}(?!\\p{L})`, "iu"))

/** The place that the first matching pattern at `at` gives. */
const placeSaid = (patterns: ReadonlyArray<RegExp>, text: string, at: number): number | undefined => {
  for (const pattern of patterns) {
    pattern.lastIndex = at
    const ordinal = pattern.exec(text)?.[1]
    if (ordinal === undefined) continue
    const value = ranks.findIndex((rank) => rank.test(ordinal)) + 1
    if (value > 0) return value
  }
  return undefined
}

/** The place that words of a language other than English give the name at `from`; `after` is the text after the name. */
export const numberNonEnglish = (text: string, from: number, after: string): number | undefined => {
  const number = /\d/.test(after) ? numberAfter.exec(after) : null
  if (number !== null) return Number(number[1] ?? number[2])
  if (spot.test(text.slice(Math.max(0, from - furthestWord), from))) {
    const value = placeSaid(wordsBefore, text, from)
    if (value !== undefined) return value
  }
  return spot.test(after) ? placeSaid(wordsAfter, after, 0) : undefined
}
