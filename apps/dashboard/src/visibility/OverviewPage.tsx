import type { VisibilityPairs } from "@sightline/contract/VisibilityApi"
import { Page } from "@sightline/dashboard/kit/Page.tsx"
import { Empty, MissingDataNote, QueryView } from "@sightline/dashboard/kit/States.tsx"
import { run, serverNow } from "@sightline/dashboard/Query"
import { cut } from "@sightline/dashboard/text/Cut"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { Link, useSearchParams } from "wouter"
import { VisibilityReport } from "./VisibilityReport.tsx"

const ranges = [7, 30, 90] as const

/** The default range. It is also the API's default, so that the first view does not wait for the server's clock. */
const usual = 30

/** The choice in the page's address; by default the pair that was checked last. */
const useChoice = () => {
  const [search, setSearch] = useSearchParams()
  const days = ranges.find((range) => String(range) === search.get("days")) ?? usual
  const brand = search.get("brand")
  const query = search.get("query")
  const choose = (changes: Readonly<Record<string, string>>) =>
    setSearch((before) => new URLSearchParams({ ...Object.fromEntries(before), ...changes }))
  return { days, pair: brand === null || query === null ? undefined : { brand, query }, choose }
}

type Choice = ReturnType<typeof useChoice>

const startOf = async (days: number) => new Date((await serverNow()).getTime() - days * 86_400_000).toISOString()

const useVisibility = ({ days, pair }: Choice) =>
  useQuery({
    queryKey: ["visibility", pair ?? "last", days],
    queryFn: async () => {
      const range = days === usual ? {} : { start: await startOf(days) }
      return run((api) => api.visibility.read({ query: { ...pair, ...range } }))
    },
    placeholderData: keepPreviousData
  })

const shortest = (text: string) => (text.length > 90 ? `${cut(text, 89)}…` : text)

interface PairPickerProps {
  readonly pairs: VisibilityPairs["pairs"]
  readonly shown: { readonly brand: string; readonly query: string }
  readonly choose: Choice["choose"]
}

const PairPicker = ({ pairs, shown, choose }: PairPickerProps) => {
  const byBrand = Map.groupBy(
    pairs.map((pair, index) => ({ ...pair, index })),
    ({ brand }) => brand
  )
  const at = pairs.findIndex(({ brand, query }) => brand === shown.brand && query === shown.query)
  const pick = (index: number) => {
    const pair = pairs[index]
    if (pair !== undefined) choose({ brand: pair.brand, query: pair.query })
  }
  return (
    <label className="picker">
      <span className="muted">Brand and question</span>
      <select value={at} onChange={(event) => pick(Number(event.currentTarget.value))}>
        {at < 0 && <option value={-1}>{shortest(shown.query)}</option>}
        {[...byBrand].map(([brand, questions]) => (
          <optgroup key={brand} label={brand}>
            {questions.map(({ query, index }) => (
              <option key={query} value={index}>
                {shortest(query)}
              </option>
            ))}
          </optgroup>
        ))}
      </select>
    </label>
  )
}

const RangeChoice = ({ days, choose }: Choice) => (
  <div className="segments" role="group" aria-label="Range">
    {ranges.map((range) => (
      <button key={range} type="button" aria-pressed={range === days} onClick={() => choose({ days: String(range) })}>
        {range} days
      </button>
    ))}
  </div>
)

const NothingYet = () => (
  <Empty title="Nothing has been checked yet.">
    <p>Ask the engines a question. This page then shows how visible your brand is in their answers.</p>
    <Link href="/playground">Run the first check in the playground</Link>
  </Empty>
)

/** The start page: how visible a brand is in the answers to a question. */
export const OverviewPage = () => {
  const choice = useChoice()
  const visibility = useVisibility(choice)
  const pairs = useQuery({ queryKey: ["pairs"], queryFn: () => run((api) => api.visibility.pairs()) })
  const pair = visibility.data?.pair
  return (
    <Page
      title="Overview"
      lead={
        pair != null && (
          <>
            How often, and how high, engines name <HostileText text={pair.brand} limit={100} /> when they are asked “
            <HostileText text={pair.query} limit={120} />”
          </>
        )
      }
      actions={
        pair != null && (
          <>
            <PairPicker pairs={pairs.data?.pairs ?? []} shown={pair} choose={choice.choose} />
            <RangeChoice {...choice} />
            <MissingDataNote what="The other brands and questions" query={pairs} />
          </>
        )
      }
    >
      <QueryView query={visibility} lines={10}>
        {(found) =>
          found.pair === null ? (
            <NothingYet />
          ) : (
            <div className="stack" aria-busy={visibility.isPlaceholderData}>
              <VisibilityReport visibility={found} />
            </div>
          )
        }
      </QueryView>
    </Page>
  )
}
