interface Phrases {
  /** How a denial ends just before the name. */
  readonly before?: RegExp
  /** How a denial begins just after the name. */
  readonly after?: RegExp
  /** What follows a name where only something about it is missing, such as its price. */
  readonly own?: RegExp
  /** A denial in two parts, one before the name and one after it. */
  readonly around?: readonly [before: RegExp, after: RegExp]
}

// Texts arrive folded: no accents, no capitals, й as и. One entry per language, most common phrasings only.
const languages: Readonly<Record<string, Phrases>> = {
  arabic: {
    before:
      /(?:لم\s+(?:اجد|اعثر|اتمكن)|لا\s+(?:توجد|يوجد|تتوفر|تتوافر|املك|اعرف)|ليس\s+لدي)(?:\s+\S+){0,4}?\s+(?:عن|حول|بشان|على|باسم|تسمى|تدعى)\s+(?:علامة\s+|شركة\s+)?["«“]?$|لا\s+(?:استطيع|يمكنني)\s+(?:التاكد|التحقق)\s+من\s+ان\s+["«“]?$|لم\s+يرد\s+ذكر\s+["«“]?$/u,
    around: [
      /(?:لم|لا)\s+(?:تظهر|يظهر|تذكر|يذكر|ترد|يرد)\s+(?:علامة\s+|شركة\s+)?["«“]?$/u,
      /^["»”]?\s+في\s+(?:اي|هذه|قائمة|نتائج|القوائم|المصادر|النتائج|المراجعات)/u
    ],
    after: /^["»”]?\s+غير\s+(?:مالوف|معروف)/u
  },
  chinese: {
    around: [
      /(?:关于|有关|对于)[“"「《\s]*$/u,
      /^[”"」》\s]*[，,]?\s*(?:我们?)?(?:暂时|目前|并)*(?:没有|未能?|无法)(?:找到|查到|检索到|(?:任何|相关|可靠|足够|公开)*的?(?:数据|信息|资料|记录))/u
    ],
    before:
      /(?:(?:并?没有)(?:一家|一个|一款)?(?:叫做?|名为)|(?:没有?|未)(?:被)?(?:提到|提及|列出|收录)|无法(?:确认|核实|验证)|(?<!人|你|您|大家)没听说过|没有?找到|未找到|找不到|未能找到|(?<!(?:人|者|你们?|您|大家|用户)(?:可能|也许|还|尚|并|都|对)*)(?:不了解|不熟悉|不知道)|(?<!人|你|您|大家)没有听说过|没有(?:任何)?(?=关于|有关))(?:任何)?(?:关于|有关|与)?[“"「《\s]*$/u,
    own: /^[”"」》\s]*的?(?:具体|最新|详细|官方|当前)*(?:价格|售价|报价|费用|地址|电话|联系方式|营业时间|缺点|问题|投诉|负面)/u,
    after:
      /^[”"」》\s]*(?:不在我的(?:知识|数据|资料)|(?:并?没有|未|并未|不)(?:被)?(?:出现|提及|上榜|列入|在列)|的?(?:相关)?信息(?:未|没有|不))/u
  },
  greek: {
    before:
      /δεν\s+(?:(?:εχω\s+)?βρ(?:ηκα|ισκω|ει)|μπορεσα\s+να\s+βρω|εχω|υπαρχουν|εντοπισα)(?:\s+[^\s.,;]+){0,3}?\s+(?:πληροφοριεσ|στοιχεια|αναφορεσ|δεδομενα)\s+(?:για|σχετικα με)(?:\s+\S{1,4})?(?:\s+εταιρεια)?\s+["«“]?$|δεν\s+γνωριζω\s+(?:\S{1,4}\s+)?["«“]?$/u,
    after: /^["»”]?\s+δεν\s+(?:αναφερεται|εμφανιζεται|υπαρχει|μου ειναι γνωστ[ηο])/u
  },
  hebrew: {
    before:
      /(?:לא\s+(?:מצאתי|נמצא|מצאנו|הצלחתי למצוא)|אין\s+(?:לי|בידי))(?:\s+[^\s.,]+){0,2}?\s+(?:מידע|נתונים|פרטים|אזכור(?:ים)?)(?:\s+(?:אמין|מהימן|זמין))?\s+(?:על|אודות|לגבי)\s*["“־-]?$|(?:לא\s+מכיר|איני\s+מכיר|אינני\s+מכיר)(?:ה)?\s+את\s*["“]?$/u,
    after: /^["”]?\s+(?:לא|אינה|אינו)\s+(?:מוכרת?\s+לי|מופיעה?|מוזכרת?|נזכרת?)/u
  },
  hindi: {
    own: /^["”]?\s+(?:की|के|का)\s+(?!बारे)/u,
    after:
      /^["”]?\s+(?:के\s+(?:बारे\s+में|संबंध\s+में|विषय\s+में)|नाम(?:क|\s+की?))[^।.]{0,50}?(?:(?:जानकारी|उल्लेख|डेटा|परिणाम|कंपनी|ब्रांड)\s+(?:नहीं|उपलब्ध\s+नहीं)|नहीं\s+जानता)/u
  },
  thai: {
    own: /^["”]?\s*(?:ราคา|ข้อเสีย|ปัญหา)/u,
    before:
      /(?:ไม่พบ|ไม่มี|หาไม่พบ|ไม่เจอ)(?:ข้อมูล|รายละเอียด|การกล่าวถึง)[^.!?\n]{0,16}?(?:เกี่ยวกับ|ของ|ถึง)(?:บริษัท|แบรนด์)?\s*["“]?$|ไม่รู้จัก(?:แบรนด์|บริษัท)?\s*["“]?$/u
  },
  vietnamese: {
    own: /^["”]?\s+(?:co|bi)\s/u,
    before:
      /(?:khong|chua)\s+(?:(?:the\s+)?tim thay|co|tim duoc)(?:\s+(?:bat ky|nhieu|mot))?\s+(?:thong tin|du lieu|ket qua)(?:\s+(?!gia\b)[^\s.,]+){0,4}?\s+(?:ve|lien quan den)(?:\s+(?:thuong hieu|cong ty))?\s+["“]?$|khong\s+(?:biet|quen thuoc voi)\s+["“]?$/u,
    after: /^["”]?\s+khong\s+(?:duoc\s+(?:nhac|de cap|liet ke)|xuat hien|ton tai)/u
  },
  japanese: {
    own: /^[」』”"\s]*(?:に関する|についての|の)(?:苦情|不満|欠点|価格|料金|問題)/u,
    after:
      /^[」』”"\s]*(?:(?:について|に関する|という).{0,24}(?:見つかりません|ありません|存じません|わかりません|分かりません|見つけられません|確認できません|知りません|聞いたことがありません)|は(?:知りません|聞いたことがありません)|は存じ(?:上げ)?ません|の名前は.{0,12}(?:ません|なかった)|という.{0,16}存在しない|に該当する.{0,16}(?:確認でき|見つから)|に関するデータを持ち|は.{0,16}(?:見つかりません|含まれていません|記載されていません|掲載されていません))/u
  },
  korean: {
    own: /^["'”’\s]*(?:에\s?대한|에\s?관한|의)\s(?:불만|가격|요금|단점|부작용|문제)/u,
    after:
      /^["'”’\s]*\S{0,2}\s?(?:관련 (?:내용|정보|자료)[이가]? ?없|.{0,20}목록에 없|언급한 곳은 없|.{0,16}존재하는\s?\S{0,6}지\S? 확인할 수 없)|^["'”’\s]*(?:에\s?대[한해]|에\s?관[한해]|(?:이)?라는).{0,24}(?:찾을 수 없|찾지 못|없습니다|알지 못)|^["'”’\s]*[은는이가]\s.{0,16}(?:(?:언급|포함|검색|확인|등재)되(?:지|어 있지)|나오지|나와 있지|등장하지)\s?않/u,
    around: [
      /(?:결과|자료|목록|출처|데이터|기사|리뷰|문서|순위)\S{0,3}\s(?:\S+\s)?["'“‘]?$/u,
      /^["'”’]?[을를]\s(?:찾을 수 없|찾지 못|확인할 수 없|발견하지 못)/u
    ]
  }
}

const phrases = Object.values(languages)

// A test of the letters rules out the clauses of most texts.
const nonEnglish = /[\u0370-\u1fff\u3000-\ud7ff]|khong |chua /

// Every phrase above contains one of these, so this test rules out most clauses cheaply.
const denial = /لم|لا|ليس|غير|没|未|不|无法|找|ません|ない|なかった|없|못|않|δεν|לא|אין|אינ|नहीं|ไม่|khong|chua/u

/** Whether the clause denies what it names in a language other than English; both sides are folded text. */
export const isAbsentNonEnglish = (before: string, after: string): boolean =>
  (nonEnglish.test(before) || nonEnglish.test(after)) &&
  (denial.test(before) || denial.test(after)) &&
  phrases.some(
    (phrase) =>
      phrase.own?.test(after) !== true &&
      (phrase.before?.test(before) === true ||
        phrase.after?.test(after) === true ||
        (phrase.around?.[0].test(before) === true && phrase.around[1].test(after)))
  )
