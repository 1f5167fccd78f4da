import type { CheckList } from "@sightline/contract/CheckHistoryApi"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { usePaged } from "@sightline/dashboard/Paged"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { nothing, platformText, wordText } from "@sightline/dashboard/text/Format"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Link, useSearch, useSearchParams } from "wouter"
import { CheckFilterForm } from "./CheckFilterForm.tsx"
import { checksQueryOf, filtersOf, searchOf } from "./CheckFilters.ts"
import { answersIn } from "./CheckResult.ts"

type Check = CheckList["checks"][number]

const namedBy = ({ platforms }: Check) => platforms.filter(({ mentioned }) => mentioned)

const bestRank = (check: Check): number | null => {
  const ranks = namedBy(check).flatMap(({ rank }) => (rank === null ? [] : [rank]))
  return ranks.length === 0 ? null : Math.min(...ranks)
}

const failed = ({ failures }: Check) => failures.map(({ platform }) => platformText(platform)).join(", ")

const columns = [
  {
    header: "Time",
    sortable: true,
    value: ({ created_at }: Check) => created_at,
    cell: ({ created_at }: Check) => <When at={created_at} />
  },
  { header: "Brand", sortable: true, value: ({ brand }: Check) => brand },
  {
    header: "Question",
    sortable: true,
    value: ({ query }: Check) => query,
    cell: ({ id, query }: Check) => (
      <Link href={`/checks/${id}`} className="clamped">
        <bdi dir="auto" className="hostile">
          {query}
        </bdi>
      </Link>
    )
  },
  { header: "Mode", sortable: true, value: ({ mode }: Check) => mode, cell: ({ mode }: Check) => wordText(mode) },
  {
    header: "Named by",
    figure: true,
    sortable: true,
    value: (check: Check) => namedBy(check).length
  },
  { header: "Answers", figure: true, sortable: true, value: (check: Check) => answersIn(check).length },
  {
    header: "Best rank",
    figure: true,
    sortable: true,
    value: bestRank,
    cell: (check: Check) => bestRank(check) ?? nothing
  },
  {
    header: "No answer",
    value: failed,
    cell: (check: Check) => (check.failures.length === 0 ? nothing : <Status tone="warn">{failed(check)}</Status>)
  },
  {
    header: "Cost",
    figure: true,
    sortable: true,
    value: ({ cost_cents }: Check) => cost_cents,
    cell: ({ cost_cents }: Check) => <Money cents={cost_cents} />
  },
  {
    header: "From",
    value: ({ watch_id }: Check) => (watch_id === null ? "call" : watch_id),
    cell: ({ watch_id }: Check) =>
      watch_id === null ? "call" : <Link href={`/checks?watch_id=${watch_id}`}>watch</Link>
  }
]

const NothingFound = ({ filtered }: { readonly filtered: boolean }) =>
  filtered ? (
    <Empty title="No check matches these filters.">
      <Link href="/checks">Show all checks</Link>
    </Empty>
  ) : (
    <Empty title="Nothing has been checked yet.">
      <p>Checks made by calls, by watches and on this page are listed here with their answers.</p>
      <Link href="/playground">Run the first check in the playground</Link>
    </Empty>
  )

/** All checks, newest first. */
export const ChecksPage = () => {
  const [search, setSearch] = useSearchParams()
  const address = useSearch()
  const filters = filtersOf(search)
  const query = checksQueryOf(filters)
  const checks = usePaged(
    ["checks", query],
    (api, asked) => api.checks.list({ query: { ...query, ...asked } }),
    (page) => page.checks
  )
  return (
    <Page title="Checks" lead="The checks made by calls and by watches, newest first.">
      <Section title="Filters">
        <CheckFilterForm key={address} filters={filters} onFilter={(values) => setSearch(searchOf(values.optional))} />
      </Section>
      <Section title="History">
        <DataTable
          caption="Checks"
          captionHidden
          name="checks"
          columns={columns}
          keyOf={({ id }) => id}
          empty={<NothingFound filtered={Object.keys(filters).length > 0} />}
          {...checks}
        />
      </Section>
    </Page>
  )
}
