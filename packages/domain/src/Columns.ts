// What the columns of a table hold, as its header says.

/** A cell of a table row and where it begins. */
export type Cell = readonly [text: string, from: number]

/** Whether a line is the rule below the header of a table. */
export const isRule = (line: string): boolean => /^\s*\|?[\s:|-]*-[\s:|-]*$/.test(line) && line.includes("|")

// A rule is told by as much of it.
const longestRule = 90

/** Whether a row of a table that ends at `to` is its header. */
export const isHeader = (text: string, to: number): boolean =>
  isRule(text.slice(to + 1, to + 1 + longestRule).split("\n", 1)[0] ?? "")

/** The cells of a table row, each with where it begins. */
export const cellsOf = (text: string, from: number, to: number): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  let at = text.indexOf("|", from) + 1
  while (at > 0 && at < to) {
    const next = text.indexOf("|", at)
    const end = next < 0 || next > to ? to : next
    cells.push([text.slice(at, end), at])
    at = end + 1
  }
  return cells
}

/** Which columns of a table give names and their places; -1 where the header does not say, as for names in the first column. */
export interface Columns {
  /** Where the table begins. */
  readonly table: number
  readonly name: number
  readonly place: number
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "))

const places = words(
  "rank ranking overallrank overallranking # position pos. place rang platz platzierung puesto posición posizione posto classement " +
    "posição positie plaats pozycja miejsce plats placering место позиция sıra sıralama 排名 名次 順位 순위 الترتيب"
)
const kinds = words(
  "brand company tool product app platform provider service software name marke anbieter hersteller produkt marque entreprise outil " +
    "produit marca empresa herramienta producto azienda prodotto strumento ferramenta produto merk aanbieder marka firma märke бренд " +
    "компания 品牌 ブランド 브랜드"
)
const picks = words(
  "recommended recommendation pick toppick ourpick bestpick winner bestchoice bestoption besttool empfehlung testsieger"
)
const needs = words("usecase need category bestfor goal purpose scenario")

const labelOf = ([cell]: Cell): string => cell.replace(/[\s*_:]/g, "").toLowerCase()

/** What a header says of its columns. */
export const columnsOf = (header: ReadonlyArray<Cell>, table: number): Columns => {
  const labels = header.map(labelOf)
  const first = labels[0] ?? ""
  const isName = (label: string): boolean => picks.has(label) || (needs.has(first) && kinds.has(label))
  return {
    table,
    name: kinds.has(first) ? -1 : labels.findIndex(isName),
    place: labels.findIndex((label) => places.has(label))
  }
}

/** The place that a cell gives, where it gives nothing else: "2", "#2", "2nd", "**2.**". */
export const placeIn = (cell: Cell | undefined): number | undefined => {
  const found = /^[\s*#]*(\d{1,3})(?:st|nd|rd|th|[.)ºª°]|\.º)?[\s*]*$/.exec(cell?.[0] ?? "")
  return found === null ? undefined : Number(found[1])
}
