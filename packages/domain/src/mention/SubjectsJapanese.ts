import { isLatinName, latinName, type Language } from "./Language.ts"

// How Japanese prose names brands that occur only once: "タスクリオは…", "人気なのは鳥居屋で".

const katakana = "\\p{Script=Katakana}"
const begins = "(?<![\\p{Script=Han}\\p{Script=Katakana}ーA-Za-z\\d])"
const han = "\\p{Script=Han}"
// "買い物リスト", "最初の一着", "1位": no name begins there.
const noStart =
  "(?![物方人時点日者]|[一二三四五六七八九十]\\p{Script=Han}(?![\\p{Script=Han}\\p{Script=Katakana}])|\\d+[位人円年つ台万個回])"
const name = `(?:${latinName}|${begins}${noStart}[${han}${katakana}A-Za-z\\d][${han}${katakana}ー・A-Za-z\\d]{0,14}(?:[ ]${katakana}[${katakana}ー]{0,8}){0,2})`
// With hiragana, except particles.
const loose = `(?:${name}|${begins}[${han}${katakana}ーA-Za-zぁ-おき-ごさ-ぞた-づどなぬねばぱひ-ろん]{2,12})`

const opensQuote = "[「『“*]{0,3}"
const closesQuote = "[」』”*]{0,3}"
const opens = `[。！？\\n](?:(?:一方|また|さらに|次に|逆に|対して|同じく|最後に)、?)?${opensQuote}`
// Phrases of choice that introduce a name.
const leadsIn =
  "(?:なら|ならば|[えけげせてねべめれ]ば|(?:国産|定番|新興|老舗|人気|大手|話題|海外|有名)の|[^\\sの]で?には|では|からは|場合は|は、|方には?|人には?|方は|人は|日は|家庭には?|家庭では|会社では?|企業では?|たい時は|ときは|間では|(?<!とい)[うくすつぬむるぐぶいたな])、?"
// "人気なのは", not "大切なのは".
const asked =
  "(?<!大切|重要|必要|肝心|基本|注意したい)(?:(?:な|い|る|た)の[はが]|(?:定番|人気|一番|最大手|代表格|筆頭|老舗|本命|おすすめ|お勧め)は|[一二三四五六七八九十\\d]位[はの])、?"
const kinds = "ブランド|個人店|専門店|工房|サービス|選択肢|会社|企業|メーカー|アプリ|ソフト|ツール|お店|店|製品|商品"

// Where a name may begin: behind a mark or a condition, or behind a modifier where it has no hiragana.
const clause = `(?:[。！？、\\n]|なら|[えけげせてねべめれ]ば|には|では)${opensQuote}`
const modifier = `(?:${clause}|[とのはがもるたいなう]${opensQuote})`
// ボーズのQuietComfort is a product.
const ofNobody = `(?<![${katakana}ー]の)`
const recommended =
  "(?:は[^。]{0,40}(?:最適|向い|適し|おすすめ|定番|人気|評判|支持|候補)|(?:[がもを]|なら|で)[^。、]{0,8}(?:候補|おすすめ|お勧め|お薦め|試し|試す|選択肢|定番|王道|見逃せ|無難|筆頭|一押し|イチオシ))"

// Frequent katakana words of such answers.
const loans = new Set(
  (
    "アプリ サービス ソフト ツール プラン サポート データ カメラ スマホ パソコン バッテリー デザイン コスト " +
    "メーカー ブランド モデル タイプ サイズ チーム メンバー テント コーヒー ミルク ブラジル エチオピア " +
    "カンバン セラミド エンジニア アイテム ジャンル トイレ キッチン リビング オフィス ビジネス ネット サイト " +
    "アカウント パスワード ゲーム ニュース イメージ ルール スタイル パターン バランス シーン シーズン ワセリン " +
    "タオル メニュー システム クラウド シュラフ キャンプ ブラシ ポイント メリット デメリット ユーザー スタッフ " +
    "レビュー ランキング ケース クリーム レンズ ドリップ エスプレッソ ラテ クレンジング ドラッグストア ペット " +
    "ホテル レストラン プール ミル スマートフォン オーガニック メール " +
    "イヤホン ワイヤレスイヤホン ランニングシューズ バックパック ヘアアイロン トリートメント アイシャドウ クッションファンデ サプリ " +
    "サプリメント ヨガマット フィットネス パーソナルジム ネイル スイーツ ドリッパー オーブンレンジ フードプロセッサー ホットプレート " +
    "サーキュレーター ルーター ノートパソコン スマートウォッチ モバイルバッテリー ドライブレコーダー チャイルドシート グランピング " +
    "レンタルサーバー ホスティング パスワードマネージャー チャットボット ワークフロー メルマガ オンラインストア ネットショップ フリマ " +
    "キャッシュバック カードローン キャッシュレス コンサル コーチング プログラミングスクール ハウスクリーニング ダウンジャケット " +
    "ウォレット ゲーミングチェア オフィスチェア ホワイトボード ドッグフード キャットフード ペットフード ペットホテル トイレシート " +
    "コスパ ストリーミング サブスク サブスクリプション フリープラン スタンダードプラン ビジネスプラン"
  ).split(" ")
)
// Endings of other frequent words.
const generic =
  /(?:サービス|プラン|ソフト|アプリ|ツール|タイプ|モデル|メーカー|ブランド|サイズ|機能|効果|料金|価格|性能|方式|システム|ポイント|トラブル|コース|メニュー|ランキング|サイト|シーン|コツ|[料書点性数者人時日月年度方費感肌主剤職])$/u
// 鳥居屋.
const shop = /[屋堂亭庵園館舎房蔵店便]$/u
// What is said of brands, after the name.
const ofBrands = new RegExp(
  `${closesQuote}(?:(?:は|の|も)[^。]{0,40}(?:月額|料金|会員|人気|定番|国産|支持|評判|好評|導入|連携|サポート|割引|無料)|という(?:[^。、]{0,6})(?:${kinds}))`,
  "uy"
)
const segmenter = new Intl.Segmenter("ja", { granularity: "word" })

/** Whether a katakana word is in the dictionary: the segmenter splits the words that it knows from the text beside them. */
const isLoan = (word: string): boolean => {
  const [first] = segmenter.segment(`${word}テスト`)
  return /^[\p{Script=Katakana}ー]+$/u.test(word) && first?.segment === word
}

/** Whether a stretch may be a name: no frequent word and, if in Han characters, one that is in no dictionary or names a shop. */
const isName = (written: string): boolean => {
  if (/^[A-Za-z]/u.test(written) && !/[^\p{Script=Latin}\p{P}\p{Nd} +]/u.test(written)) return isLatinName(written)
  if (loans.has(written) || generic.test(written) || written.length < 2) return false
  if (/^[\p{Script=Katakana}ー・ ]+$/u.test(written)) return true
  const pieces = Array.from(segmenter.segment(written), ({ segment }) => segment)
  if (/^[\p{Script=Han}々]+$/u.test(written))
    return pieces.length > 1 && (pieces.every((piece) => piece.length === 1) || shop.test(written))
  return pieces.length > 1
}

/** The patterns for names with these words behind them: those without hiragana also begin behind a modifier. */
const before = (behind: string): ReadonlyArray<RegExp> => [
  new RegExp(`(?<=${modifier})${ofNobody}(?=(${name})${closesQuote}${behind})`, "gu"),
  new RegExp(
    `(?<=${clause})(?![^。、]{0,12}(?:なら|れば|[ないるた]${katakana}))(?=(${loose})${closesQuote}${behind})`,
    "gu"
  )
]

/** How Japanese names brands: as topics, after phrases of choice, and after のは. */
export const japanese: Language = {
  sayings: [
    {
      pattern: new RegExp(`(?<=${asked}${opensQuote})(?=(${loose})${closesQuote}(?:で|です|の|だ|が|は))`, "gu"),
      isAdvice: true
    },
    {
      pattern: new RegExp(
        `(?<=${opens})(?=(${name})${closesQuote}(?:は|も|なら|では|のよう[なに]|といった|の[^。、]{1,12}[はが]))`,
        "gu"
      ),
      isOfNoWord: true
    },
    {
      pattern: new RegExp(
        `(?<=${opens})(?=([ぁ-ん]{1,6}[${katakana}][${katakana}ー]{1,12})${closesQuote}[はもの])`,
        "gu"
      ),
      isOfNoWord: true
    },
    ...before(`という[^。、]{0,6}(?:${kinds})`).map((pattern) => ({ pattern })),
    ...before(recommended).map((pattern) => ({ pattern, isAdvice: true, isOfNoWord: true }) as const),
    // "ソニーのWF-1000XM5": whose product it is.
    {
      pattern: new RegExp(`(?<=${modifier})(?=([${katakana}][${katakana}ー・]{1,14})の[A-Z][A-Za-z\\d])`, "gu"),
      isAdvice: true
    },
    {
      pattern: new RegExp(
        `(?<=${leadsIn}${opensQuote})(?=(${name})${closesQuote}(?:が(?!展開|運営|手がけ|提供|開発|販売)|を|も|で|の|は|に|という))`,
        "gu"
      ),
      isAdvice: true,
      isOfNoWord: true
    }
  ],
  nameIn: (written) => (isName(written) ? written : ""),
  isWord: isLoan,
  ofBrands,
  isLatin: false,
  countsAsBrands: true
}
