import { isLatinName, type Language } from "./Language.ts"

// How Korean prose names brands that occur only once: "잔디는 …", "음질이 중요하다면 젠하이저가 …".

const closesQuote = "(?:['’”」》*]{1,3}[가-힣]{1,4})?"
const closingQuotes = /['’”」》*]+$/u
const word = `(?<![가-힣A-Za-z\\d])(?:[가-힣]{1,8}(?:\\d{1,3})?[가-힣]{0,3}|[A-Za-z][A-Za-z\\d'’&+.-]{1,30}[가-힣]{0,3})${closesQuote}`
const stretch = `${word}(?:[ ]${word}){0,2}`
const opensQuote = "['‘“「《*]{0,3}"

const opening = `(?:[.!?][\\s*]{1,3}|\\n)(?:(?:반면|또한|한편|그리고|하지만|다만|특히|먼저|다음으로|마지막으로|그중에서도?),?\\s)?`
// "식빵이 유명한 밀도는".
const described =
  "(?:[가-힣\\d]{1,10}\\s){1,4}?[가-힣]{0,6}(?:하는|되는|있는|많은|높은|좋은|쓰는|찾는|권하는|유명한|저렴한|편리한|간편한|다양한|강한|뛰어난|인|된)\\s"
const leadsIn =
  "(?:[가-힣](?:라면|다면|으면|려면|면)|에게|에게는|한테는|때는|땐|때|에는|으로는|데에는|경우에는|경우|중에서는|[곳장팀계업]에서는|중에는|사람은|분들?은|회사에서는|브랜드는|제품은|서비스는|업체는|앱은|곳은|인|(?:하는|되는|한)(?=,?\\s[A-Z])|있는|없는|주는|나온|위는|위인|위로|먼저|특히|대체로|보통|주로|흔히|여전히|바로|[가-힣][은는](?=\\s\\S{1,14}[이가]\\s(?:가장|더|제일|훨씬))),?\\s"
// What is said of a recommended name: "…를 추천합니다", "…가 적합합니다".
const advises =
  /^[^.!?\n]{0,30}?(?:추천|고려|권[하합해]|살펴|이용|문의|선택|고르|사용|써 ?보|찾는|눈여겨|검토|들어 ?보|적합|편리|유리|좋|괜찮|나쁘지|무난|저렴|알맞|효과|표준|정답|만족|강력|뛰어|인기|편합|편하|도움|믿을|재미|언급|유용|맞|앞서|앞섭|씁니다|유명|대안|체험|방법|제격|빼놓|매력|강하|강점|드뭅|드물|도입|늘었|시작|적당|합리|안전|낫|탁월|우수|훌륭|쉽|쉬|빠르|다양|풍부|많|거론|어울|맞춤|나은|돋보|두드러|특화|눈에 띄|호평|알려|즐겨|대표|선두|입니다)|^\s(?:한 [가-힣]{1,4} (?:없|드)|있(?:습니다|어요|죠))/u
// "유기농 식품을 자주 사는 분에게는": what follows advises another.
const forOthers = /(?:에게|한테|다면|라면|으면|경우).*$/su
// "반려동물이 있다면": a condition.
const conditionOfTopic = /^\s[^\s.!?,\n]{1,14}(?:다면|라면|으면|려면|면)[\s,]/u
const condition = /^\s[^.!?,\n]{0,14}?(?:다면|라면|으면|려면|면|(?:좋아|선호|원|중시)하는)[\s,]/u

const hangul = 0xac00
const hangulEnd = 0xd7a3
const finals = 28
const rieul = 8

/** The final consonant of the last syllable, as Unicode counts them; 0 where it ends in a vowel. */
const finalOf = (name: string): number => {
  const unit = name.charCodeAt(name.length - 1)
  return unit >= hangul && unit <= hangulEnd ? (unit - hangul) % finals : 0
}

const closed = (final: number): boolean => final > 0
const open = (final: number): boolean => final === 0
const either = (): boolean => true

// 세무나라는: the topic of a sentence, unless a kind of thing follows ("로그라는 앱").
const kind = /^\s(?:앱|어플|서비스|브랜드|업체|회사|제품|프로그램|도구|사이트|매장|가게|곳|이름)/u

// "…로 시작해 보세요".
const choice = /^\s(?:가면|가시|갈아|시작|정하|고르|골라|선택|바꾸|바꿔|옮기|옮겨|결정|넘어)|^\s?,/u

// The particles after a name, the sounds before them, and what has to follow.
const particles: ReadonlyArray<readonly [ending: RegExp, fits: (final: number) => boolean, behind?: RegExp]> = [
  [/이라는$/u, closed, kind],
  [/라는$/u, open, kind],
  [/은$/u, closed],
  [/는$/u, open],
  [/이$/u, closed],
  [/가$/u, open],
  [/을$/u, closed],
  [/를$/u, open],
  [/으로$/u, closed, choice],
  [/로$/u, (final) => final === 0 || final === rieul, choice],
  [/(?:의|도|처럼|만|에|에서)$/u, either],
  [/(?:이고|입니다|인데|이며|같은)$/u, either]
]

// Endings of a word after which no name continues.
const clause = /[가-힣](?:에게|에서|에|의|을|를|은|는|로|고|서|까지|부터|와|과|면|지)$/u

// 시몬스 역시, 네스프레소 같은.
const dependent = /^(?:같은|역시|쪽[이은을]?|정도|등)/u

// Nouns of such answers that are no brands.
const nouns = new Set(
  (
    "부부 어떤 모든 여러 다른 대안 정책 업계 표준 대기 견적 주말 평일 인기 최근 요즘 지금 현재 올해 오늘 나중 이후 이전 아래 먼저 가장 " +
    "반면 특히 또한 다음 마을 같은 이런 그런 머신 백탁 장부 어휘 프로젝트 도메인 브러시 의자 캠핑 이메일 필라테스 배터리 가격 요금 무게 " +
    "디자인 기능 사용자 사람 제품 서비스 회사 업체 브랜드 의사 텐트 온도 커피 칸반 차트 세안 계약 영수증 프리랜서 세무사 그라인더 물티슈 " +
    "기저귀 바셀린 속도 예산 방문자 비용 배송 지역 환불 규정 서버 위치 도구 구성원 처음 성수기 아이 아기 부모 직원 번째 구입 구매 개인정보 " +
    "응답자 분유 초보자 메뉴 고객 발송량 스팸 품질 음질 통화 착용감 소음 성능 흡입력 강남 서울 노원 제주 애월 바다 에티오피아 브라질 신발 " +
    "쿠션 발목 센터 강사 체형 해외 국내 보증금 조건 날씨 침낭 모닥불 데이터 정보 방식 목적 습관 오류 메시지 언어 매장 안경 거리 월세 신고 " +
    "상담 원두 신선도 입자 피부 수건 세라마이드 성분 화장품 종합소득세 경비 처리 계약서 경우 이것 그것 여기 거기 누구 무엇 모두 대부분 " +
    "나머지 하나 우리 저희 후기 별점 평점 평판 장점 단점 차이 문제 이유 특징 한계 재질 소재 두께 높이 크기 너비 용량 색상 원단 수명 보증 사례 " +
    "마지막 결과 순서 경험 전문가 담당자 등판 팔걸이 좌석 손잡이 본체 화면 모터 필터 버튼 뚜껑 바닥 천장 창문 조명 마감 재료 식감 향 맛 국물 반찬 " +
    "자동 수동 별도 추가 실제 기본 무선 유선 대형 소형 중고 신품 직장인 학생 대학생 어른 노인 남성 여성 가족 친구 커플 관광객 현지인 여행객 " +
    "음식 식빵 빵 쌀 고기 과일 채소 원룸 아파트 주택 사무실 모델 상품 포장 택배 예약 대기 주차 교통 접근 인테리어 분위기 서비스 직접 온라인 오프라인 홈페이지 사이트 문의 설치 수리 교체 청소 관리 보관"
  ).split(" ")
)
// Endings of verbs, adjectives and generic nouns.
const generic =
  /(?:[가-힣]{2}(?:제|용품)|(?:청소|세탁|건조|가습|제습|정수|면도|공기청정|충전|변압|계산|자전거|선풍|온풍|안마|전화)기|하는|있는|없는|되는|하기|보다|에는|에서|하고|하면|다면|라면|으면|지만|어서|아서|해서|하여|니다|세요|적인|스러운|[가-힣]{2}한|된|할|될|하|되|르|나오|보이|거래|시간|[가-힣](?:음|함|들|률|량|감|료|력|적|에|에게|식인)|(?:정|양|의|동|장|안|환|구)성|(?:송|지|치|리)비|기간|방법|제품|서비스|회사|업체|브랜드|앱|사람|기능|요금|가격|비용|사용자)$/u

/** The name; empty where one of its words is such a noun or has such an ending. */
const unlessGeneric = (name: string): string =>
  name.length > 1 && !name.split(" ").some((part) => nouns.has(part) || generic.test(part)) ? name : ""

/** What is written, where it may be a name; else empty. */
const nameOf = (written: string): string =>
  /^[A-Za-z]/u.test(written) ? (isLatinName(written) ? written : "") : unlessGeneric(written)

/**
 * The name at the start of a stretch, up to a particle that fits its last sound. Empty where the name is only supposed, or where a
 * recommendation is required and missing.
 */
const nameIn = (stretch: string, behind: string, isAdvised: boolean): string => {
  const words = stretch.split(" ")
  for (const [at, word] of words.entries()) {
    if (at > 0 && dependent.test(word)) return unlessGeneric(words.slice(0, at).join(" "))
    if (at > 1) break
    const rest = ` ${words.slice(at + 1).join(" ")}${behind}`
    const ending = particles.find(([particle, fits, follows]) => {
      const bare = word.replace(particle, "").replace(closingQuotes, "")
      return particle.test(word) && (/[A-Za-z\d]$/u.test(bare) || fits(finalOf(bare))) && follows?.test(rest) !== false
    })?.[0]
    if (ending === undefined) continue
    const name = [...words.slice(0, at), word.replace(ending, "").replace(closingQuotes, "")].join(" ")
    if (word.endsWith("로")) return nameOf(name)
    if ((/[은는]$/u.test(word) ? conditionOfTopic : condition).test(rest) || (at > 0 && clause.test(words[0] ?? "")))
      return ""
    const isSaid = /(?:이고|입니다|인데|같은|이라는|라는)$/u.test(word)
    const isTopic = /[은는의]$/u.test(word)
    if (!isSaid && (isAdvised || !isTopic) && !advises.test(rest.replace(forOthers, ""))) return ""
    return nameOf(name)
  }
  return ""
}

// What is said of brands.
const ofBrands =
  /[^.!?\n]{0,50}?(?:요금|제품|브랜드|업체|서비스|(?<![가-힣])앱|무료|할인|고객|매장|지점|출시|가성비|사후|입소문|회사|사용자|주문|구독|모델)/uy

/** How Korean names brands: with a particle after them, at the start of a sentence or after a phrase of choice. */
export const korean: Language = {
  sayings: [
    { pattern: new RegExp(`(?<=${opening}${opensQuote})(?=(${stretch}))`, "gu") },
    { pattern: new RegExp(`(?<=${opening}${described}${opensQuote})(?=(${word}(?<=[은는의도])(?![가-힣])))`, "gu") },
    { pattern: new RegExp(`(?<=${leadsIn}${opensQuote})(?=(${stretch}))`, "gu"), isAdvice: true }
  ],
  nameIn,
  ofBrands,
  isLatin: false,
  countsAsBrands: false
}
