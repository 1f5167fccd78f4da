import { isKnownBrand, lettersOf } from "@sightline/domain/text/Vocabulary"
import { fold } from "@sightline/domain/text/Fold"
import type { Name } from "./Names.ts"

/** A phrasing in which a language names a brand. `pattern` matches before the name; its first group is the name with what follows it. */
interface Saying {
  readonly pattern: RegExp
  /** Whether the phrasing recommends the name. */
  readonly isAdvice?: true
  /** Whether the phrasing says that it names something, so that any words are the name. */
  readonly isNaming?: true
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
// The world's brands as Chinese, Japanese and Korean spell them, without those that are everyday words (苹果, 小米). Unlike those of
// `KnownBrands.json`, they count only where a phrase is about one or advises it.
const brandsSpelt = new Set(
  (
    "飞利浦 索尼 松下 东芝 夏普 日立 三星 佳能 尼康 富士胶片 西门子 博世 戴森 惠普 戴尔 联想 华为 海尔 海信 格力 美的 苏泊尔 九阳 方太 腾讯 百度 阿里巴巴 京东 淘宝 微信 " +
    "支付宝 抖音 宝马 奔驰 奥迪 丰田 本田 日产 特斯拉 比亚迪 吉利 沃尔沃 保时捷 法拉利 耐克 阿迪达斯 安踏 优衣库 宜家 星巴克 麦当劳 肯德基 必胜客 可口可乐 " +
    "百事可乐 雀巢 伊利 蒙牛 欧莱雅 雅诗兰黛 兰蔻 资生堂 谷歌 微软 英特尔 亚马逊 诺基亚 摩托罗拉 迪士尼 任天堂 劳力士 乐高 卡西欧 雅马哈 罗技 携程 美团 滴滴 顺丰 茅台 五粮液 " +
    "アップル グーグル アマゾン マイクロソフト インテル ソニー パナソニック シャープ テクニクス 東芝 日立 三菱 富士通 任天堂 トヨタ ホンダ 日産 マツダ スバル スズキ ダイハツ ヤマハ カシオ キヤノン " +
    "ニコン オリンパス リコー エプソン ブラザー デル レノボ ナイキ アディダス プーマ アシックス ミズノ ユニクロ イケア ニトリ スターバックス ドトール タリーズ マクドナルド モスバーガー ロレックス オメガ " +
    "セイコー シチズン グッチ シャネル エルメス ディズニー ネスレ ダイソン フィリップス ボッシュ ブラウン シーメンス ティファール デロンギ サンスター ロート 資生堂 花王 メルカリ ヤフー ツイッター ダイキン " +
    "オムロン タニタ テルモ ブリヂストン ミシュラン テスラ アウディ ベンツ ボルボ ポルシェ サムスン ファーウェイ アンカー ボーズ ゼンハイザー テンピュール シモンズ シマノ ダイワ コールマン " +
    "삼성 삼성전자 엘지 애플 구글 아마존 마이크로소프트 소니 파나소닉 필립스 다이슨 보쉬 지멘스 브라운 네이버 카카오 쿠팡 현대 기아 현대차 테슬라 벤츠 도요타 혼다 나이키 아디다스 푸마 이케아 유니클로 " +
    "스타벅스 맥도날드 코카콜라 네슬레 샤오미 화웨이 레노버 델 캐논 니콘 후지필름 로지텍 닌텐도 레고 디즈니 넷플릭스 유튜브 구찌 샤넬 롤렉스 코웨이 쿠쿠 한샘 아모레퍼시픽 슬랙 노션"
  ).split(" ")
)

/** Whether a name is one of the world's brands, in letters of Chinese, Japanese or Korean. */
export const isBrandSpelt = (name: string): boolean => brandsSpelt.has(name)

/** Whether a stretch is the number of a model: "WH-1000XM5", "X20". */
export const isModel = (written: string): boolean => /^[A-Z]{0,3}-?\d/u.test(written)

/** Whether a stretch of Latin letters may be a name within another script. */
export const isLatinName = (written: string): boolean => {
  if (isKnownBrand(lettersOf(fold(written).text))) return true
  const [first = ""] = written.split(" ")
  return !technical.has(first.toLowerCase()) && !isModel(written) && /[A-Z\d]|^[a-z]{4}/u.test(written)
}
