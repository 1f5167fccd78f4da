import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Awaited, FailureNote, Loading, Said } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { run } from "@sightline/dashboard/Query"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { creditsText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useSearchParams } from "wouter"
import { ChargeTable } from "./ChargeTable.tsx"
import { LedgerTable } from "./LedgerTable.tsx"
import { Money } from "./Money.tsx"
import { Spending } from "./Spending.tsx"
import { choiceOf, type UsageChoice, usageQueryOf } from "./UsageChoice.ts"
import { UsageForm } from "./UsageForm.tsx"
import { useWallet } from "./Wallet.ts"

const Wallet = () => {
  const wallet = useWallet()
  const { data } = wallet
  if (data === undefined) return <Awaited query={wallet} lines={2} />
  return (
    <dl className="headline">
      <div>
        <dt>To spend</dt>
        <dd>
          <Money cents={data.balance_cents} />
        </dd>
        <dd className="muted">credits; one is one cent</dd>
      </div>
      <div>
        <dt>Held</dt>
        <dd>
          <Money cents={data.held_cents} />
        </dd>
        <dd className="muted">set aside for calls under way</dd>
      </div>
      <div>
        <dt>Wallet</dt>
        <dd>
          <HostileText text={data.account.name} limit={80} />
        </dd>
        <dd className="muted">
          <Status tone={data.environment === "live" ? "good" : "warn"}>{data.environment}</Status>{" "}
          <ExternalLink url={data.topup_url} title="Top up" />
        </dd>
      </div>
    </dl>
  )
}

const useChoice = (now: Date) => {
  const [search, setSearch] = useSearchParams()
  const choose = (changes: Readonly<Record<string, string | undefined>>) =>
    setSearch((before) => {
      const after = new URLSearchParams(before)
      for (const [name, value] of Object.entries(changes)) {
        if (value === undefined) after.delete(name)
        else after.set(name, value)
      }
      return after
    })
  return [choiceOf(search, now), choose] as const
}

const Spent = ({ choice, now }: { readonly choice: UsageChoice; readonly now: Date }) => {
  const query = usageQueryOf(choice)
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ["usage", query],
    queryFn: () => run((api) => api.account.usage({ query })),
    placeholderData: keepPreviousData
  })
  if (error !== null) return <FailureNote failure={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading lines={8} label="Loading what was spent" />
  return (
    <div className="stack" aria-busy={isPlaceholderData}>
      <Said text={`Spent: ${creditsText(data.total.cost_cents)} credits`} />
      <Spending usage={data} now={choice.end === undefined ? new Date(data.window.end) : now} />
    </div>
  )
}

/** The wallet, what was spent on what, and every movement of money. */
export const UsagePage = () => {
  const [now] = useState(() => new Date())
  const [choice, choose] = useChoice(now)
  return (
    <Page title="Usage and wallet" lead="What there is to spend, what was spent on what, and every movement of it.">
      <Wallet />
      <Section title="What to show">
        <UsageForm choice={choice} choose={choose} />
      </Section>
      <Spent choice={choice} now={now} />
      <Section title="Charges">
        <ChargeTable />
      </Section>
      <Section title="Ledger">
        <p className="muted">
          Each hash is over the movement and the hash before it, so that none can be changed unseen.
        </p>
        <LedgerTable />
      </Section>
    </Page>
  )
}
