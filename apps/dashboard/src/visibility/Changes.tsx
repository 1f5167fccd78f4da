import type { Visibility } from "@sightline/contract/VisibilityApi"
import { Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Triggers } from "@sightline/dashboard/watches/Triggers.tsx"
import { Link } from "wouter"

type Change = Visibility["changes"][number]

const columns = [
  {
    header: "Time",
    sortable: true,
    value: ({ created_at }: Change) => created_at,
    cell: ({ created_at }: Change) => <When at={created_at} />
  },
  {
    header: "What changed",
    value: ({ triggers }: Change) => triggers.join(" "),
    cell: ({ triggers }: Change) => <Triggers triggers={triggers} />
  },
  { header: "In words", value: ({ summary }: Change) => summary },
  {
    header: "Check",
    value: ({ check_id }: Change) => check_id,
    cell: ({ check_id }: Change) => <Link href={`/checks/${check_id}`}>Answers</Link>
  }
]

/** The changes from one check to the next. */
export const Changes = ({ changes }: { readonly changes: ReadonlyArray<Change> }) => (
  <Section title="Last changes">
    <DataTable
      caption="Last changes"
      captionHidden
      name="changes"
      columns={columns}
      rows={changes}
      keyOf={({ check_id }) => check_id}
      empty={<Empty title="Nothing has changed from one check to the next." />}
    />
  </Section>
)
