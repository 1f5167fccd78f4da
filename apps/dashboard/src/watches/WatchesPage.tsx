import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { type Column, DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { wordText } from "@sightline/dashboard/text/Format"
import { ShortId } from "@sightline/dashboard/text/ShortId.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Trigger } from "@sightline/domain/Watch"
import { Link } from "wouter"
import { NewWatch } from "./NewWatch.tsx"
import { Triggers } from "./Triggers.tsx"
import { useWatches, type Watch } from "./Watches.ts"

const columns: ReadonlyArray<Column<Watch>> = [
  {
    header: "Question",
    value: ({ query }) => query,
    cell: ({ id, query }) => (
      <Link href={`/watches/${id}`}>
        <bdi dir="auto" className="hostile">
          {query}
        </bdi>
      </Link>
    ),
    sortable: true
  },
  { header: "Brand", value: ({ brand }) => brand, sortable: true },
  {
    header: "Status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status tone={toneOf(status)}>{status}</Status>,
    sortable: true
  },
  {
    header: "Next run",
    value: (watch) => nextOf(watch),
    cell: (watch) => <When at={nextOf(watch)} />,
    sortable: true
  },
  { header: "Mode", value: ({ mode }) => mode, cell: ({ mode }) => wordText(mode), sortable: true },
  { header: "Interval", value: ({ interval }) => interval, sortable: true },
  {
    header: "Triggers",
    value: ({ trigger_on: triggers }) => triggers.join(" "),
    cell: ({ trigger_on: triggers }) =>
      triggers.length === Trigger.literals.length ? "all" : <Triggers triggers={triggers} />
  },
  {
    header: "Sensitivity",
    value: ({ sensitivity }) => sensitivity,
    cell: ({ sensitivity }) => wordText(sensitivity),
    sortable: true
  },
  { header: "Watch", value: ({ id }) => id, cell: ({ id }) => <ShortId id={id} /> }
]

// A paused watch has a next slot, but does not run in it.
const nextOf = ({ status, next_run_at: at }: Watch) => (status === "active" ? at : null)

/** The account's watches. */
export const WatchesPage = () => (
  <Page
    title="Watches"
    lead="Checks that repeat on a schedule and tell your server what changed."
    actions={<NewWatch />}
  >
    <Section title="All watches">
      <DataTable
        caption="Watches"
        captionHidden
        name="watches"
        columns={columns}
        keyOf={({ id }) => id}
        empty={
          <Empty title="No watches yet.">
            <p>A watch asks the same question every hour, day or week, and tells you when the answers change.</p>
          </Empty>
        }
        {...useWatches()}
      />
    </Section>
  </Page>
)
