import type { DiscoverResponse } from "@sightline/contract/DiscoverApi"
import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { percentText, platformText, wordText } from "@sightline/dashboard/text/Format"
import { Receipt } from "./Receipt.tsx"

type Candidate = DiscoverResponse["candidates"][number]

const columns = [
  { header: "Question", sortable: true, value: ({ query }: Candidate) => query },
  {
    header: "Intent",
    sortable: true,
    value: ({ intent }: Candidate) => intent,
    cell: ({ intent }: Candidate) => <Status tone="plain">{intent}</Status>
  },
  {
    header: "Score",
    figure: true,
    sortable: true,
    value: ({ score }: Candidate) => score,
    cell: ({ score }: Candidate) => percentText(score)
  },
  { header: "Why", value: ({ rationale }: Candidate) => rationale }
]

/** The result of a discovery: the questions, best first. */
export const DiscoverAnswer = ({ answer }: { readonly answer: DiscoverResponse }) => (
  <>
    <Receipt
      cost={answer.cost_cents}
      balance={answer.balance_after_cents}
      cached={answer.cached}
      requestId={answer.request_id}
    />
    {Object.entries(answer.errors ?? {}).map(([platform, { code }]) => (
      <p key={platform}>
        <Status tone="bad">{platformText(platform)}</Status> {wordText(code)}
      </p>
    ))}
    <DataTable
      caption={`${answer.total} questions worth asking`}
      name="questions"
      columns={columns}
      rows={answer.candidates}
      keyOf={({ query }) => query}
      empty={<Empty title="The engines suggested no question." />}
    />
  </>
)
