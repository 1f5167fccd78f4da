import { curlOf } from "@sightline/dashboard/calls/Snippets"
import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Empty, FailureNote, Loading } from "@sightline/dashboard/kit/States.tsx"
import { ChargeSum } from "@sightline/dashboard/money/ChargeSum.tsx"
import { Money } from "@sightline/dashboard/money/Money.tsx"
import { run } from "@sightline/dashboard/Query"
import { countText, durationText, nothing, wordText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { When } from "@sightline/dashboard/text/When.tsx"
import { Triggers } from "@sightline/dashboard/watches/Triggers.tsx"
import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { Link, useParams } from "wouter"
import { CheckAnswers } from "./CheckAnswers.tsx"
import { answersIn, type FoundCheck, repeatOf } from "./CheckResult.ts"
import { FailureTable, ResultTable, SourceTable } from "./CheckTables.tsx"

interface CheckProps {
  readonly check: FoundCheck
}

const Detail = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

const Headline = ({ check }: CheckProps) => {
  const { platforms, failures, cost_cents } = check
  const ranks = platforms.flatMap(({ rank }) => (rank === null ? [] : [rank]))
  const named = platforms.filter(({ mentioned }) => mentioned).length
  return (
    <dl className="headline">
      <div>
        <dt>Named by</dt>
        <dd>
          {countText(named)} of {countText(answersIn(check).length)}
        </dd>
        <dd className="muted">platforms that answered</dd>
      </div>
      <div>
        <dt>Best rank</dt>
        <dd>{ranks.length === 0 ? nothing : Math.min(...ranks)}</dd>
        <dd className="muted">among the brands of an answer</dd>
      </div>
      <div>
        <dt>Without an answer</dt>
        <dd>{countText(failures.length)}</dd>
        <dd className="muted">platforms, not charged</dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>
          <Money cents={cost_cents} />
        </dd>
        <dd className="muted">credits</dd>
      </div>
    </dl>
  )
}

const Details = ({ check }: CheckProps) => (
  <dl className="strip">
    <Detail name="Time">
      <When at={check.created_at} />
    </Detail>
    <Detail name="Mode">{wordText(check.mode)}</Detail>
    <Detail name="Region">{check.region.toUpperCase()}</Detail>
    {check.city !== null && (
      <Detail name="City">
        <HostileText text={check.city} limit={80} />
      </Detail>
    )}
    <Detail name="Took">{durationText(check.duration_ms)}</Detail>
    <Detail name="From">
      {check.watch_id === null ? "a call" : <Link href={`/watches/${check.watch_id}`}>a watch</Link>}
    </Detail>
    <Detail name="Id">
      <code className="whole">{check.id}</code>
    </Detail>
  </dl>
)

const Difference = ({ difference }: Pick<FoundCheck, "difference">) => {
  if (difference === null) return <p className="muted">There is no earlier check of the same kind.</p>
  const { previous_id, triggers, summary } = difference
  const link = <Link href={`/checks/${previous_id}`}>the check before</Link>
  if (triggers.length === 0 && summary === "") return <p>Nothing is different from {link}.</p>
  return (
    <>
      <Triggers triggers={triggers} />
      <p>
        <HostileText text={summary} />
      </p>
      <p className="muted">Compared with {link}.</p>
    </>
  )
}

const Report = ({ check }: CheckProps) => (
  <>
    <Headline check={check} />
    <Details check={check} />
    <Section title="Since the check before">
      <Difference difference={check.difference} />
    </Section>
    <Section title="Results">
      <ResultTable check={check} />
    </Section>
    {check.failures.length > 0 && (
      <Section title="Without an answer">
        <FailureTable check={check} />
      </Section>
    )}
    {check.platforms.length > 0 && (
      <Section title="Answers">
        <CheckAnswers answers={check.platforms} brand={check.brand} />
      </Section>
    )}
    <Section title="Sources">
      <SourceTable check={check} />
    </Section>
    <Section title="What it cost">
      <ChargeSum id={check.charge_id} />
    </Section>
  </>
)

const Actions = ({ check }: CheckProps) => (
  <>
    <CopyButton
      text={curlOf({ origin: globalThis.location.origin, path: "/v1/check", body: repeatOf(check) })}
      label="Copy as curl"
    />
    <button type="button" onClick={() => globalThis.print()}>
      Print
    </button>
    <Link href="/checks">All checks</Link>
  </>
)

/** One check: the answers of all platforms, the difference from the previous check, and its cost. */
export const CheckPage = () => {
  const { id = "" } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ["check", id],
    queryFn: () => run((api) => api.checks.find({ params: { id } }))
  })
  if (data === undefined)
    return (
      <Page title="Check" actions={<Link href="/checks">All checks</Link>}>
        {error === null && <Loading lines={10} label="Loading the check" />}
        {error?.code === "not_found" && <Empty title="There is no check at this address." />}
        {error !== null && error.code !== "not_found" && <FailureNote failure={error} onRetry={() => void refetch()} />}
      </Page>
    )
  const { check } = data
  return (
    <Page
      title={`Check of ${check.brand}`}
      lead={
        <>
          Asked: “<HostileText text={check.query} limit={1000} />”
        </>
      }
      actions={<Actions check={check} />}
    >
      <Report check={check} />
    </Page>
  )
}
