import { isMeasure, isTitle, wordsOf } from "@sightline/domain/mention/Naming"
import { isKnownBrand, isOrdinaryWord } from "@sightline/domain/text/Vocabulary"

// What the columns of a table contain, as its header says.

/** A cell of a table row and where it begins. */
export type Cell = readonly [text: string, from: number]

/** The cells of a table row, each with where it begins. */
export const cellsOf = (text: string, from: number, to: number): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  let at = text.indexOf("|", from) + 1
  if (at === 0) return cells
  // A row may have no bar before its first cell.
  if (text.slice(from, at - 1).trim() !== "") at = from
  while (at < to) {
    const next = text.indexOf("|", at)
    const end = next < 0 || next > to ? to : next
    cells.push([text.slice(at, end), at])
    at = end + 1
  }
  return cells
}

/** The first row below the rule of a header that ends at `to`. */
export const rowBelow = (text: string, to: number): ReadonlyArray<Cell> => {
  const from = text.indexOf("\n", to + 1) + 1
  const end = text.indexOf("\n", from)
  return from === 0 ? [] : cellsOf(text, from, end < 0 ? text.length : end)
}

/** Which columns of a table give names and their places. */
export interface Columns {
  /** Where the table begins. */
  readonly table: number
  /** Empty where the header does not say, as for names in the first column. */
  readonly names: ReadonlyArray<number>
  /** -1 where the header has none. */
  readonly place: number
  /** Whether the first column lists brands, so that the header names none. */
  readonly areBrands: boolean
  /** Whether the header lists names after an empty cell or a label, so that its rows name none. */
  readonly areAcross: boolean
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const places = words(
  "rank ranking overallrank overallranking # position pos. place rang platz platzierung puesto posición posizione posto classement " +
    "posição positie plaats pozycja miejsce plats placering место позиция sıra sıralama 排名 名次 順位 순위 الترتيب"
)
const kinds = words(
  "brand company tool product app platform provider service software hotel restaurant firm name vendor model bank option insurer airline school " +
    "university college lender broker exchange retailer store charity game book podcast marke anbieter hersteller " +
    "produkt marque entreprise outil produit banque fournisseur modèle marca empresa herramienta producto banco proveedor opción azienda " +
    "prodotto strumento banca fornitore ferramenta produto fornecedor merk aanbieder bedrijf marka firma produkty bank dostawca märke " +
    "företag şirket ürün banka araç бренд компания банк сервис название продукт εταιρεία μάρκα τράπεζα thươnghiệu côngty ngânhàng " +
    "sảnphẩm dịchvụ 品牌 公司 产品 名称 工具 平台 银行 企业 ブランド ブランド名 会社 会社名 企業 サービス サービス名 製品 製品名 商品 商品名 " +
    "メーカー ツール アプリ 銀行 브랜드 회사 제품 제품명 서비스 서비스명 업체 은행 앱 الشركة العلامة العلامةالتجارية المنتج التطبيق البنك " +
    "hôtel hostel albergo hotell отель гостиница ресторан restaurante ristorante ristoranti restaurang restauracja ホテル レストラン 旅館 酒店 餐厅 호텔 " +
    "الخدمة חברה מותג מוצר בנק שירות ब्रांड कंपनी बैंक ऐप แบรนด์ บริษัท ธนาคาร แอป"
)
const picks = words(
  "recommended recommendation pick toppick ourpick bestpick winner bestchoice bestoption besttool empfehlung testsieger"
)
const seconds = words(
  "runner-up runnerup runners-up alternative alternatives alsogreat secondchoice secondpick budgetpick upgradepick honorablemention"
)
const needs = words(
  "usecase need category bestfor goal purpose scenario city town location area region country district neighborhood neighbourhood " +
    "destination stadt ort ville ciudad città cidade plaats miasto stad şehir город 城市 地区 都市 エリア 도시 지역 المدينة"
)

const labelOf = ([cell]: Cell): string => cell.replace(/[\s*_:]/g, "").toLowerCase()

/** Whether a cell holds more than ordinary English words. */
export const isUnusual = (cell: string): boolean =>
  wordsOf(cell).some((word) => !isOrdinaryWord(word) || isKnownBrand(word))

/** Whether a header has letters in place of names: "| | A | B | C |". */
export const areLetters = ([, ...others]: ReadonlyArray<Cell>): boolean =>
  others.length > 1 && others.every(([cell]) => /^[\s*]*\p{Lu}[\s*]*$/u.test(cell))

const isAcross = ([first, ...others]: ReadonlyArray<Cell>): boolean => {
  const [label = ""] = first ?? []
  if (others.length < 2 || !(wordsOf(label).length === 0 || isMeasure(label))) return false
  // A header cell with a measure is no name.
  const isName = ([cell]: Cell): boolean => !isMeasure(cell) && (isUnusual(cell) || isTitle(cell.trim()))
  return others.every(isName) && others.filter(([cell]) => isUnusual(cell)).length > 1
}

/** Whether a cell is a title in bold. */
const isBoldTitle = (cell: Cell | undefined): boolean =>
  isTitle(/^\s*\*\*([^*]+)\*\*\s*$/.exec(cell?.[0] ?? "")?.[1] ?? "")

/**
 * The columns of names: those of the best and of the runner-up where they stand side by side, else a bold column beside a column of needs,
 * else the first column of recommendations.
 */
const namesIn = (
  labels: ReadonlyArray<string>,
  below: ReadonlyArray<Cell>,
  hasPlaces: boolean
): ReadonlyArray<number> => {
  const [first = ""] = labels
  if (kinds.has(first)) return []
  const isBest = (label: string | undefined): boolean => label !== undefined && (label === "best" || picks.has(label))
  const isPaired = (label: string, at: number): boolean =>
    seconds.has(label) && at > 0 && ((at > 1 && isBest(labels[at - 1])) || isBest(labels[at + 1]))
  if (labels.some(isPaired))
    return labels.flatMap((label, at) => (at > 0 && (isBest(label) || seconds.has(label)) ? [at] : []))
  if (isBoldTitle(below[1]) && !isBoldTitle(below[0]) && needs.has(first)) return [1]
  const isOfNeeds = needs.has(first) || (first === "place" && !hasPlaces)
  const name = labels.findIndex((label) => picks.has(label) || (isOfNeeds && (label === "best" || kinds.has(label))))
  return name > 0 ? [name] : []
}

/** What a header says of its columns. A "place" with no number in the row below is a location. */
export const columnsOf = (header: ReadonlyArray<Cell>, below: ReadonlyArray<Cell>, table: number): Columns => {
  const labels = header.map(labelOf)
  const first = labels[0] ?? ""
  const place = labels.findIndex(
    (label, at) => places.has(label) && (label !== "place" || placeIn(below[at]) !== undefined)
  )
  return {
    table,
    names: namesIn(labels, below, place >= 0),
    place,
    areBrands: kinds.has(first) && (isUnusual(below[0]?.[0] ?? "") || isBoldTitle(below[0])),
    areAcross: areLetters(header) || (isAcross(header) && !isUnusual(below[0]?.[0] ?? ""))
  }
}

/** The place that a cell gives, where it gives nothing else: "2", "#2", "2nd", "**2.**", "2️⃣". */
export const placeIn = (cell: Cell | undefined): number | undefined => {
  const found = /^[\s*#]*(\d{1,3})(?:st|nd|rd|th|[.)ºª°]|\.º|\ufe0f?\u20e3)?[\s*]*$/.exec(cell?.[0] ?? "")
  return found === null ? undefined : Number(found[1])
}
