import { Choice, Field } from "@sightline/dashboard/kit/Field.tsx"
import { Form, type Values } from "@sightline/dashboard/kit/Form.tsx"
import { withChosen } from "@sightline/dashboard/kit/Options"
import { MissingDataNote } from "@sightline/dashboard/kit/States.tsx"
import { run } from "@sightline/dashboard/Query"
import { wordText } from "@sightline/dashboard/text/Format"
import { useWatchOptions } from "@sightline/dashboard/watches/WatchChoice"
import { Mode } from "@sightline/domain/Mode"
import { useQuery } from "@tanstack/react-query"
import { Link } from "wouter"
import type { CheckFilters } from "./CheckFilters.ts"

/** Brands and questions that have been checked, as suggestions for filters that match exactly. */
const Suggestions = () => {
  const found = useQuery({ queryKey: ["pairs"], queryFn: () => run((api) => api.visibility.pairs()) })
  const pairs = found.data?.pairs ?? []
  const list = (id: string, texts: ReadonlyArray<string>) => (
    <datalist id={id}>
      {[...new Set(texts)].map((text) => (
        <option key={text} value={text}>
          {text}
        </option>
      ))}
    </datalist>
  )
  return (
    <>
      <MissingDataNote what="The suggestions of brands and questions" query={found} />
      {list(
        "checked-brands",
        pairs.map(({ brand }) => brand)
      )}
      {list(
        "checked-queries",
        pairs.map(({ query }) => query)
      )}
    </>
  )
}

interface FilterFormProps {
  readonly filters: CheckFilters
  readonly onFilter: (values: Values) => void
}

/** The form with the filters of the list of checks. */
export const CheckFilterForm = ({ filters, onFilter }: FilterFormProps) => {
  const watches = useWatchOptions()
  const watchOptions = withChosen(watches.data ?? [], filters.watch_id)
  const { brand = "", query = "", mode = "", watch_id = "", start = "", end = "" } = filters
  return (
    <Form label="Filter checks" failure={null} onSubmit={onFilter}>
      <Suggestions />
      <MissingDataNote what="The watches" query={watches} />
      <div className="fields narrow">
        <Field
          name="brand"
          label="Brand"
          defaultValue={brand}
          control={<input list="checked-brands" maxLength={100} />}
        />
        <Field
          name="query"
          label="Question"
          defaultValue={query}
          control={<input list="checked-queries" maxLength={500} />}
        />
        <Choice
          name="mode"
          label="Mode"
          defaultValue={mode}
          options={[["", "All"], ...Mode.literals.map((literal) => [literal, wordText(literal)] as const)]}
        />
        <Choice name="watch_id" label="Watch" defaultValue={watch_id} options={[["", "All"], ...watchOptions]} />
        <Field name="start" label="From" defaultValue={start} control={<input type="date" />} />
        <Field name="end" label="To" defaultValue={end} control={<input type="date" />} />
      </div>
      <div className="actions">
        <button type="submit" className="primary">
          Show
        </button>
        {Object.keys(filters).length > 0 && <Link href="/checks">Show all checks</Link>}
      </div>
    </Form>
  )
}
