import { isLatinName, latinName, type Language } from "./Language.ts"

// How Chinese prose names brands that occur only once: "飞帆的优势在…", "预算有限可以试试签立方".

const han = "\\p{Script=Han}"
const stretch = `(?:${latinName}|(?<![A-Za-z])[A-Za-z]{0,2}${han}{1,10})`
const opensQuote = "[\\s“《「『*]{0,3}"

const opening =
  `(?:[。！？；\\n]|那么|的话，|(?:除了|如果|要是|若|想)[^，。]{1,20}，|的[^，。的]{0,4}，)${opensQuote}` +
  "(?:(?:而|但|不过|至于|另外|此外|同样|首先|其次|那么|相比之下)，?)?(?:(?:国产|国内|老牌|老字号|新兴|小众|上海|北京)的?)?"
const advising =
  "推荐|喜欢|[高多好大低早快新稳强全便宜火]的|首选|试试|试一下|试一试|考虑|看看|可以看|先看|尝试|提到|想到|走向|入手|要数|(?<!踩坑|重要|关键|担心|注意|头疼|值得|怕|难|麻烦)的是|选择|会选|可选|可以选|优先选|常用|会用|可以用|会买|买|至于|比如|例如|包括|" +
  "品牌|龙头|老大哥|厂商|厂家|大厂|开始用|从|留给|给|关注|关注一下|像|(?:店|人|户|友|家|就)用|了解|转向|换成|换到|当属|叫做|名为"

// What is said of brands, after the name.
const ofBrands =
  /[”》」』*]{0,3}\s?(?:则|也|更|最|还|都)?(?:旗下|名气|口碑|主打|胜在|性价比|走的是|由.{2,12}(?:推出|开发|创办)|起源|是.{0,12}(?:品牌|厂商|公司|工作室|产品|服务商)|的(?:产品|门店|客服|口碑|价格|报价|会员|品牌|社区|接口|界面|功能|服务|型号|用户)|.{0,10}(?:收费|计费|报价|客服|用户|免费))/uy

const segmenter = new Intl.Segmenter("zh", { granularity: "word" })

// Characters that end a name and begin none: particles, pronouns, verbs of one character.
const ends = new Set(
  "的是在和了也都就不没这那则更最还会能有由与或把被让对为以及而但要来去很较偏走主打胜卖做用看买讲出每从给到上下时后前里全其它价贵比因您你我他她" +
    "着过吗呢吧该各所多少刚写得听想先再按零占非已未正如若虽并自本此请选换试放拿等将又只才却叫属"
)
// 签约前: a time, not a name.
const times = new Set(["前", "后", "时", "之前", "之后", "以后", "以前"])
const number = /^[第两几一]|[一二三四五六七八九十两几百千万]./u
const endsInDigit = /[一二三四五六七八九十两几百千万]$/u
const measure = /^[个款家种年月日次百千万元块件张名位倍分天折]/u
// Affixes of ordinary words: 入耳式, 朝阳区, 家长们.
const affix =
  /[式者们区市省县会图机率器员度性型类版剂店费力端量面号品法学期段层级款只件份名条次个年月日点分奶霜油皮肌]$/u
// 阿里云.
const closesName = /^[云宝猫狗鱼网通派客坊阁堂社记邦达兔熊虎鹰星]$/u
// Words that are missing from the dictionary.
const words = new Set(
  "业内 剪藏 键帽 增项 编程 客服 云端 洁面 降噪 续航 手冲 佩戴 耗材 糖友 支持 小程序 公众号 小红书 性价比 甘特".split(
    " "
  )
)
const longestName = 6

/** The pieces into which a dictionary splits the start of a stretch, up to the end of a name; empty where no name begins. */
const piecesOf = (stretch: string): ReadonlyArray<string> => {
  const pieces: Array<string> = []
  for (const { segment } of segmenter.segment(stretch)) {
    const last = pieces.at(-1) ?? ""
    if (last !== "" && (times.has(segment) || (endsInDigit.test(last) && measure.test(segment)))) return []
    if (ends.has(segment.charAt(0)) || number.test(segment) || (segment.length > 1 && pieces.length > 1)) break
    pieces.push(segment)
  }
  return pieces
}

/** The name at the start of a stretch: characters that form no dictionary word (森海塞尔), or a word together with one character (签立方, 阿里云). */
const nameIn = (stretch: string): string => {
  if (!/\p{Script=Han}/u.test(stretch)) return isLatinName(stretch) ? stretch : ""
  const pieces = piecesOf(stretch)
  const name = pieces.join("")
  const [first = "", second = ""] = pieces
  const inDictionary = pieces.filter((piece) => piece.length > 1).length
  const isMade = inDictionary === 0 || (pieces.length === 2 && inDictionary === 1)
  if (pieces.length < 2 || !isMade || (first.length > 1 && !closesName.test(second))) return ""
  return name.length > longestName || affix.test(name) || words.has(name) ? "" : name
}

/** How Chinese names brands: by characters that form no word, at the start of a sentence or after a recommendation. */
export const chinese: Language = {
  sayings: [
    { pattern: new RegExp(`(?<=${opening}${opensQuote})(?=(${stretch}))`, "gu") },
    { pattern: new RegExp(`(?<=(?:${advising})${opensQuote})(?![择购用取手])(?=(${stretch}))`, "gu"), isAdvice: true }
  ],
  nameIn,
  ofBrands,
  isLatin: false,
  countsAsBrands: true
}
