import { hasKnownBrand } from "./Naming.ts"
import { isModel, type Language } from "./Language.ts"

// How Turkish prose names brands that occur only once: "Görevlio'nun arayüzü …", "Lingura ise …".

const letter = "[\\p{L}\\p{M}\\p{Nd}+&.-]"
const word = `\\p{Lu}${letter}{0,30}(?<![.-])`
const stretch = `(?<![\\p{L}\\p{M}\\p{Nd}'’.-])(?:Dr\\. )?(?:\\p{Lu}|\\p{Ll}(?=\\p{Lu}))${letter}{1,30}(?<![.-])(?:[ ]${word}){0,3}`
const ending = /^['’](\p{Ll}{1,6})/u
const longestEnding = 8

const places = new Set(
  (
    "türkiye istanbul ankara izmir antalya bursa adana konya muğla bodrum kadıköy beşiktaş üsküdar şişli pendik kartal ataşehir taksim nişantaşı kapadokya uçhisar göreme karadeniz ege akdeniz marmara anadolu avrupa asya abd almanya " +
    "ingiltere fransa italya ispanya japonya çin kore hollanda yunanistan brezilya etiyopya kolombiya"
  ).split(" ")
)
// Languages, peoples, and common terms that are no names.
const noName = new Set(
  (
    "türkçe ingilizce almanca fransızca arapça türk alman ingiliz amerikan android ios windows mac linux python javascript java api crm erp kdv sgk vergi ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık " +
    "pazartesi salı çarşamba perşembe cuma cumartesi pazar kanban gantt bakanlığı üniversitesi belediyesi derneği kurumu excel google allah yakası"
  ).split(" ")
)
// Words that open sentences.
const opener =
  /^(?:bu|şu|o|bir|biri|birçok|birkaç|çoğu|her|pek|biraz|hiç|en|daha|ancak|fakat|ama|ayrıca|öte|bunun|buna|bunlar|siz|sizin|biz|kim|kimse|ne|nasıl|eğer|yine|sonra|önce|ilk|ikinci|üçüncü|birinci|son|yeni|küçük|büyük|uygun|günlük|genellikle|özellikle|karar|fiyat|kalite|evet|hayır|tabii|elbette|kısaca|sonuç|lüks|yerli|yabancı|iyi|organik|hazır|evde|türkiye|online|tek|yalnızca|sadece|kahve|bebek|iki|üç|dört|beş|on|hangi|hangisi|ikisi|hepsi|bazı|diğer|başka|benim|bence|bunu|onu|bana|size|burada|orada|şimdi|bugün|artık|zaten|belki|mutlaka|üstelik|yani|çünkü|böyle|öyle|ister|hem|ya|ve|veya|ile|gibi|için)$/u

const asSubject =
  /^[*_]{0,2}\s(?:ise|de|da|gibi|sayesinde|üzerinden|ile|tarafından|daha|hem|özellikle|yalnızca|sadece|genellikle|çok|en|uzun|hâlâ|oldukça|firması|markası|uygulaması|programı|şirketi)(?!\p{L})/u
const lower = (written: string): string => written.toLocaleLowerCase("tr")

// Endings after an apostrophe that say where something is, as for towns.
const where = /^[dt][ae]$/u
const vowels = "aeıioöuüâîû"
// "Dr. Koray Erdoğan'ın kurduğu klinik".
const founder = /^['’]\p{Ll}{2,3} (?:kurduğu|kurucu)/u
// "Dr. Serkan Aygın".
const title = /^(?:Dr|Prof|Op)$/u
// Letter sequences that no Turkish word has: Natro, Typeform, Mailjet.
const foreign = new RegExp(`[qwx]|o$|[^${vowels}]y(?:[^${vowels}]|$)|[${vowels}]{2}`, "u")
const withTwoVowels = /^(?:saat|aile|ait|dair|şair|kaide|müdaa|itiraz|ziraat|daire|kıraat|şiir|fiil)/u
const plural = /(?:lar|ler)(?:[ıiae]|da|de|ın|in|dan|den)?$/u

/** Turkish capitalises only names and the first word of a sentence. There a name has an ending after an apostrophe, or is the subject. */
const nameIn = (written: string, behind: string, isInside: boolean): string => {
  const opens = !isInside && opener.test(lower(written.split(" ")[0] ?? ""))
  const stretch = opens ? written.slice(written.indexOf(" ") + 1 || written.length) : written
  const isWithin = isInside || opens
  const words = stretch.split(" ")
  const [first = ""] = words
  if (stretch === "" || places.has(lower(first)) || words.some((word) => noName.has(lower(word)))) return ""
  if (founder.test(behind) || isModel(stretch)) return ""
  if (words.length > 1) return isWithin || !plural.test(first) ? stretch : ""
  const suffix = ending.exec(behind)?.[1]
  if (suffix !== undefined && where.test(suffix)) return ""
  if (hasKnownBrand(stretch)) return stretch
  if (/^\p{Lu}{1,4}$/u.test(first)) return ""
  if (suffix !== undefined || isWithin) return stretch
  return !plural.test(first) &&
    (asSubject.test(behind) || (foreign.test(lower(first)) && !withTwoVowels.test(lower(first))))
    ? stretch
    : ""
}

const ofBrands =
  /(?:['’]\p{Ll}{1,6})?[^.!?\n]{0,50}\s(?:öne çık|sunu|sunar|sağl|teslim|satıl|satın|ekib|destek|yazılım|mağaza|platform|rezervasyon|tercih|öner|seç|dene|ürün|model|fiyat|arayüz|panel|uygulama|marka|firma|ücret|destek|sipariş|paket|sürüm|garanti|müşteri|kullan|hizmet|seri)/uy

/** How Turkish names brands: with a capital within a sentence, with an ending after an apostrophe, or as the subject of a sentence. */
export const turkish: Language = {
  sayings: [
    {
      pattern: new RegExp(
        `(?<=[\\p{L}\\p{Nd},;:)'’] [*_"“]{0,3})(?<!\\p{Lu}[\\p{L}\\p{M}\\p{Nd}'’.&-]{0,40}(?<!['’][dt][ae]ki) [*_"“]{0,3})(?=(${stretch}))`,
        "gu"
      ),
      isAdvice: true
    },
    { pattern: new RegExp(`(?<=(?:^|[.!?\\n][ *_]{0,3}))(?<!(?:Dr|Prof|Op)\\. )(?=(${stretch}))`, "gu") }
  ],
  nameIn,
  ofBrands,
  isLatin: true,
  countsAsBrands: false,
  isNone: (text, { from, to }) => {
    const suffix = ending.exec(text.slice(to, to + longestEnding))?.[1]
    return (suffix !== undefined && where.test(suffix)) || (text.charAt(to) === "." && title.test(text.slice(from, to)))
  }
}
