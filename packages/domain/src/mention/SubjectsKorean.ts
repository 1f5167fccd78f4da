import { isLatinName, type Language } from "./Language.ts"

// How Korean prose names brands that occur only once: "잔디는 …", "음질이 중요하다면 젠하이저가 …".

const word =
  "(?<![가-힣A-Za-z\\d])(?:[가-힣]{1,8}(?:\\d{1,3})?[가-힣]{0,3}|[A-Za-z][A-Za-z\\d'’&+.-]{1,30}[가-힣]{0,3})"
const stretch = `${word}(?:[ ]${word}){0,2}`
const opensQuote = "['‘“「《*]{0,3}"

const opening = `(?:[.!?][\\s*]{1,3}|\\n)(?:(?:반면|또한|한편|그리고|하지만|다만|특히|먼저|다음으로|마지막으로|그중에서도?),?\\s)?`
const leadsIn =
  "(?:[가-힣](?:라면|다면|으면|려면|면)|에게|에게는|한테는|때는|때|에는|으로는|데에는|경우에는|경우|중에서는|중에는|사람은|분들?은|회사에서는|브랜드는|제품은|서비스는|업체는|앱은|곳은|인|있는|없는|주는|나온|위는|위인|위로|먼저|특히|대체로|보통|주로|흔히|여전히|바로),?\\s"
// What is said of a recommended name: "…를 추천합니다", "…가 적합합니다".
const advises =
  /^[^.!?\n]{0,30}?(?:추천|고려|권[하합해]|살펴|이용|문의|선택|고르|사용|써 ?보|찾는|눈여겨|검토|들어 ?보|적합|편리|유리|좋|괜찮|나쁘지|무난|저렴|알맞|효과|표준|정답|만족|강력|뛰어|인기|편합|편하|도움|믿을|재미|언급|유용|맞|앞서|앞섭|씁니다|유명|대안|체험|방법|제격|빼놓|매력|강하|강점|드뭅|드물|도입|늘었|시작|적당|합리|안전|낫|탁월|우수|훌륭|제격|쉽|쉬|빠르|다양|풍부|많|거론|입니다)/u
// "반려동물이 있다면": a condition.
const condition = /^\s[^.!?,\n]{0,14}?(?:다면|라면|으면|려면|면|(?:좋아|선호|원|중시)하는)[\s,]/u

/** Whether the last syllable ends in a consonant. */
const hasFinal = (name: string): boolean => {
  const unit = name.charCodeAt(name.length - 1)
  return unit >= 0xac00 && unit <= 0xd7a3 && (unit - 0xac00) % 28 !== 0
}

// The particles after a name, and whether its last syllable has to end in a consonant; undefined where either fits.
const particles: ReadonlyArray<readonly [ending: RegExp, isAfterFinal: boolean | undefined]> = [
  [/이라는$/u, true],
  [/라는$/u, false],
  [/은$/u, true],
  [/는$/u, false],
  [/이$/u, true],
  [/가$/u, false],
  [/을$/u, true],
  [/를$/u, false],
  [/(?:의|도|처럼|만|에|에서)$/u, undefined],
  [/(?:이고|입니다|인데|이며|같은)$/u, undefined]
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
    "나머지 하나 우리 저희"
  ).split(" ")
)
// Endings of verbs, adjectives and generic nouns.
const generic =
  /(?:하는|있는|없는|되는|하기|보다|에는|에서|하고|하면|다면|라면|으면|지만|어서|아서|해서|하여|니다|세요|적인|스러운|[가-힣]{2}한|된|할|될|하|되|르|나오|보이|거래|시간|[가-힣](?:음|함|들|률|량|감|료|력|적|에|에게|식인)|(?:정|양|의|동|장|안|환|구)성|(?:송|지|치|리)비|기간|방법|제품|서비스|회사|업체|브랜드|앱|사람|기능|요금|가격|비용|사용자)$/u

/** The name; empty where one of its words is such a noun or has such an ending. */
const unlessGeneric = (name: string): string =>
  name.length > 1 && !name.split(" ").some((part) => nouns.has(part) || generic.test(part)) ? name : ""

/**
 * The name at the start of a stretch, up to a particle that fits its last sound. Empty where the name is only supposed, or where a
 * recommendation is required and missing.
 */
const nameIn = (stretch: string, behind: string, isAdvised: boolean): string => {
  const words = stretch.split(" ")
  for (const [at, word] of words.entries()) {
    if (at > 0 && dependent.test(word)) return unlessGeneric(words.slice(0, at).join(" "))
    if (at > 1) break
    const ending = particles.find(([particle, isAfterFinal]) => {
      const bare = word.replace(particle, "")
      return (
        bare !== word && (isAfterFinal === undefined || /[A-Za-z\d]$/u.test(bare) || hasFinal(bare) === isAfterFinal)
      )
    })?.[0]
    if (ending === undefined) continue
    const name = [...words.slice(0, at), word.replace(ending, "")].join(" ")
    const rest = ` ${words.slice(at + 1).join(" ")}${behind}`
    if (condition.test(rest) || (at > 0 && clause.test(words[0] ?? ""))) return ""
    const isSaid = /(?:이고|입니다|인데|같은|처럼|이라는|라는)$/u.test(word)
    const isTopic = /[은는의]$/u.test(word)
    if (!isSaid && (isAdvised || !isTopic) && !advises.test(rest)) return ""
    if (/^[A-Za-z]/u.test(name)) return isLatinName(name) ? name : ""
    return unlessGeneric(name)
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
    { pattern: new RegExp(`(?<=${leadsIn}${opensQuote})(?=(${stretch}))`, "gu"), isAdvice: true }
  ],
  nameIn,
  ofBrands,
  isLatin: false,
  countsAsBrands: false
}
