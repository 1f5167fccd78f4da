import { Empty } from "@sightline/dashboard/kit/States.tsx"
import { Status, type Tone, toneOf } from "@sightline/dashboard/kit/Status.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { walletKey } from "@sightline/dashboard/money/Wallet"
import { queryClient } from "@sightline/dashboard/Query"
import { type Column, DataTable } from "@sightline/dashboard/table/DataTable.tsx"
import { durationText, nothing, wordText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { useEffect, useRef } from "react"
import { Link } from "wouter"
import { evidenceText } from "./EvidenceText.ts"
import { Triggers } from "./Triggers.tsx"
import { useRuns, type Watch, type WatchRun } from "./Watches.ts"

const tone = (status: WatchRun["status"]): Tone => (status === "skipped_insufficient_balance" ? "bad" : toneOf(status))

const millisOf = ({ started_at: from, finished_at: to }: WatchRun) =>
  from === null || to === null ? null : Date.parse(to) - Date.parse(from)

const Check = ({ id }: { readonly id: string | null }) =>
  id === null ? nothing : <Link href={`/checks/${id}`}>Answers</Link>

const Delivery = ({ status }: { readonly status: WatchRun["delivery_status"] }) =>
  status === null ? nothing : <Status tone={toneOf(status)}>{status}</Status>

const Sentences = ({ lines }: { readonly lines: ReadonlyArray<string> }) => (
  <ul className="small-list">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

const columns: ReadonlyArray<Column<WatchRun>> = [
  {
    header: "Scheduled for",
    value: (run) => run.scheduled_for,
    cell: (run) => <When at={run.scheduled_for} />,
    sortable: true
  },
  {
    header: "Status",
    value: ({ status }) => status,
    cell: ({ status }) => <Status tone={tone(status)}>{wordText(status)}</Status>,
    sortable: true
  },
  {
    header: "Triggers fired",
    value: (run) => run.triggers_fired.join(" "),
    cell: (run) => (run.triggers_fired.length === 0 ? nothing : <Triggers triggers={run.triggers_fired} />)
  },
  {
    header: "What changed",
    value: (run) => run.diff_summary,
    cell: (run) => (run.diff_summary === null ? nothing : <HostileText text={run.diff_summary} limit={400} />)
  },
  {
    header: "Delivery",
    value: (run) => run.delivery_status,
    cell: (run) => <Delivery status={run.delivery_status} />,
    sortable: true
  },
  {
    header: "Took",
    value: millisOf,
    cell: (run) => {
      const millis = millisOf(run)
      return millis === null ? nothing : durationText(millis)
    },
    figure: true,
    sortable: true
  },
  {
    header: "Cost",
    value: (run) => run.cost_cents,
    cell: (run) => <Money cents={run.cost_cents} />,
    figure: true,
    sortable: true
  },
  { header: "Check", value: (run) => run.check_id, cell: (run) => <Check id={run.check_id} /> }
]

const evidence: Column<WatchRun> = {
  header: "Evidence",
  value: (run) => (run.evidence === undefined ? null : evidenceText(run.evidence).join("; ")),
  cell: (run) => (run.evidence === undefined ? nothing : <Sentences lines={evidenceText(run.evidence)} />)
}

const withEvidence = [...columns.slice(0, 4), evidence, ...columns.slice(4)]

// The end of a run changes the balance, the next run and the deliveries, so these are read again.
const useEnds = (ended: number | undefined) => {
  const before = useRef(ended)
  useEffect(() => {
    if (before.current !== undefined && before.current !== ended)
      for (const key of [walletKey, ["deliveries"], ["watches", "one"]])
        void queryClient.invalidateQueries({ queryKey: key })
    before.current = ended
  }, [ended])
}

/** The runs of a watch and their outcomes. */
export const WatchRuns = ({ watch }: { readonly watch: Watch }) => {
  const runs = useRuns(watch.id)
  useEnds(runs.rows?.filter((run) => run.finished_at !== null).length)
  return (
    <DataTable
      caption="Runs"
      captionHidden
      name={`watch-${watch.id}-runs`}
      columns={watch.sensitivity === "evidence" ? withEvidence : columns}
      keyOf={({ id }) => id}
      empty={
        <Empty title="It has not run yet.">
          <p>
            {watch.status === "active" ? (
              <>
                The first run is due at <When at={watch.next_run_at} />.
              </>
            ) : (
              "Resume it to let it run."
            )}
          </p>
        </Empty>
      }
      {...runs}
    />
  )
}
