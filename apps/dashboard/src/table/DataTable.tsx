import type { Failure } from "@sightline/dashboard/Failure"
import { FailureNote, LiveRegion, Loading } from "@sightline/dashboard/kit/States.tsx"
import { exportMax } from "@sightline/dashboard/Paged"
import { countText, nothing } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { type ReactNode, useMemo, useState } from "react"
import type { Plain, Sheet } from "./Export.ts"
import { ExportButtons } from "./ExportButtons.tsx"
import { type Order, sorted } from "./Sorting.ts"

/**
 * A column of a table.
 *
 * Shape: `value` is used for exports and sorting, and is shown if there is no `cell`.
 */
export interface Column<Row> {
  readonly header: string
  readonly value: (row: Row) => Plain
  readonly cell?: (row: Row) => ReactNode
  readonly sortable?: boolean
  /** Whether values are figures, which are aligned at the end of their column so that digits line up. */
  readonly figure?: boolean
}

interface DataTableProps<Row> {
  readonly caption: string
  /** The name of the exported file, without its extension. */
  readonly name: string
  readonly columns: ReadonlyArray<Column<Row>>
  /** undefined while they are loading. */
  readonly rows: ReadonlyArray<Row> | undefined
  readonly keyOf: (row: Row) => string
  /** Shown when there are no rows. */
  readonly empty: ReactNode
  readonly failure?: Failure | null
  readonly onRetry?: () => void
  /** Reads all rows of a paginated list, for exports; absent if all are loaded. */
  readonly all?: (() => Promise<ReadonlyArray<Row>>) | undefined
  /** Loads further rows; absent at the end of the list. */
  readonly onMore?: (() => void) | undefined
  /** Whether further rows are loading; absent if the list is not paginated. */
  readonly loadingMore?: boolean
  readonly captionHidden?: boolean
}

const sheetOf = <Row,>(columns: ReadonlyArray<Column<Row>>, rows: ReadonlyArray<Row>): Sheet => ({
  headers: columns.map(({ header }) => header),
  rows: rows.map((row) => columns.map(({ value }) => value(row)))
})

const plainCell = (value: Plain) => {
  if (value === null || value === "") return nothing
  return typeof value === "string" ? <HostileText text={value} limit={400} /> : String(value)
}

interface HeaderProps {
  readonly column: Pick<Column<never>, "header" | "sortable" | "figure">
  readonly way: "ascending" | "descending" | undefined
  readonly onSort: () => void
}

const marks = { ascending: "↑", descending: "↓" } as const

const Header = ({ column, way, onSort }: HeaderProps) => (
  <th scope="col" aria-sort={way} data-figure={column.figure}>
    {column.sortable === true ? (
      <button type="button" className="sort" onClick={onSort}>
        {column.header} <span aria-hidden="true">{way === undefined ? "↕" : marks[way]}</span>
      </button>
    ) : (
      column.header
    )}
  </th>
)

// Memoised, so that unchanged rows are not rendered again with each further page of a long list.
const Line = <Row,>({ columns, row }: { readonly columns: ReadonlyArray<Column<Row>>; readonly row: Row }) =>
  useMemo(
    () => (
      <tr>
        {columns.map(({ header, cell, value, figure }) => (
          <td key={header} data-label={header} data-figure={figure}>
            {cell === undefined ? plainCell(value(row)) : cell(row)}
          </td>
        ))}
      </tr>
    ),
    [columns, row]
  )

const useOrder = () => {
  const [order, setOrder] = useState<Order>()
  const turn = (column: number) => setOrder({ column, down: order?.column === column && !order.down })
  const wayOf = (column: number) => {
    if (order?.column !== column) return undefined
    return order.down ? "descending" : "ascending"
  }
  return { order, turn, wayOf }
}

// It stays when the button disappears with the last page, so that the focus keeps its place behind the rows.
const End = ({ caption, onMore, loadingMore }: Pick<DataTableProps<never>, "caption" | "onMore" | "loadingMore">) => (
  <div className="table-block" role="group" aria-label={`End of ${caption}`} tabIndex={-1}>
    {onMore !== undefined && (
      <>
        <button type="button" onClick={onMore}>
          {loadingMore === true ? "Loading…" : "Show more"}
        </button>
        <p className="on-paper">The list continues: further rows were not loaded when this was printed.</p>
      </>
    )}
  </div>
)

const Shown = <Row,>(props: DataTableProps<Row>) => {
  const {
    caption,
    name,
    columns,
    rows,
    all,
    keyOf,
    empty,
    failure,
    onRetry,
    onMore,
    captionHidden = false,
    loadingMore
  } = props
  const { order, turn, wayOf } = useOrder()
  const failed = failure != null && <FailureNote failure={failure} {...(onRetry === undefined ? {} : { onRetry })} />
  if (rows === undefined && failed !== false) return failed
  if (rows === undefined) return <Loading lines={6} label={`Loading ${caption}`} />
  if (rows.length === 0) return <>{empty}</>
  const by = order === undefined ? undefined : columns[order.column]
  const inOrder = (rows: ReadonlyArray<Row>) =>
    by === undefined || order === undefined ? rows : sorted(rows, by.value, order.down)
  const shown = inOrder(rows)
  return (
    <div className="table-block">
      <div className="table-bar">
        <span className="muted">
          {countText(rows.length)} {rows.length === 1 ? "row" : "rows"}
        </span>
        {all !== undefined && (
          <span className="muted off-paper">The list goes on; exports have its first {countText(exportMax)} rows.</span>
        )}
        <ExportButtons
          name={name}
          sheet={async () => sheetOf(columns, all === undefined ? shown : inOrder(await all()))}
        />
      </div>
      {/* Its section may have the caption as its name, and each landmark needs a name of its own. */}
      <div className="table-scroll" role="region" aria-label={`${caption} (table)`} tabIndex={0}>
        <table>
          <caption className={captionHidden ? "hidden" : undefined}>{caption}</caption>
          <thead>
            <tr>
              {columns.map((column, n) => (
                <Header key={column.header} column={column} way={wayOf(n)} onSort={() => turn(n)} />
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((row) => (
              <Line key={keyOf(row)} columns={columns} row={row} />
            ))}
          </tbody>
        </table>
      </div>
      {failed}
      {loadingMore !== undefined && <End caption={caption} onMore={onMore} loadingMore={loadingMore} />}
    </div>
  )
}

/**
 * A table of typed columns: sortable where a column allows it, exported in its current order, with a text in place of missing rows.
 * Screen readers are told the number of rows of a paginated list.
 */
export const DataTable = <Row,>(props: DataTableProps<Row>) => (
  <>
    {props.loadingMore !== undefined && (
      <LiveRegion text={props.rows === undefined ? "" : `${props.caption}: ${countText(props.rows.length)}`} />
    )}
    <Shown {...props} />
  </>
)
