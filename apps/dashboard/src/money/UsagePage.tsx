import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { LiveRegion, Loading, QueryView } from "@sightline/dashboard/kit/States.tsx"
import { Status } from "@sightline/dashboard/kit/Status.tsx"
import { run, serverNow } from "@sightline/dashboard/Query"
import { ExternalLink } from "@sightline/dashboard/text/ExternalLink.tsx"
import { restOfDayMillis } from "@sightline/dashboard/text/Days"
import { creditsText } from "@sightline/dashboard/text/Format"
import { HostileText } from "@sightline/dashboard/text/HostileText.tsx"
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useSearchParams } from "wouter"
import { ChargeTable } from "./ChargeTable.tsx"
import { LedgerTable } from "./LedgerTable.tsx"
import { Money } from "./Money.tsx"
import { Spending } from "./Spending.tsx"
import { choiceOf, type UsageChoice, usageQueryOf } from "./UsageChoice.ts"
import { UsageForm } from "./UsageForm.tsx"
import { useWallet } from "./Wallet.ts"

const Wallet = () => (
  <QueryView query={useWallet()} lines={2}>
    {(wallet) => (
      <dl className="headline">
        <div>
          <dt>To spend</dt>
          <dd>
            <Money cents={wallet.balance_cents} />
          </dd>
          <dd className="muted">credits; one is one cent</dd>
        </div>
        <div>
          <dt>Held</dt>
          <dd>
            <Money cents={wallet.held_cents} />
          </dd>
          <dd className="muted">set aside for calls in progress</dd>
        </div>
        <div>
          <dt>Wallet</dt>
          <dd>
            <HostileText text={wallet.account.name} limit={80} />
          </dd>
          <dd className="muted">
            <Status tone={wallet.environment === "live" ? "good" : "warn"}>{wallet.environment}</Status>{" "}
            <ExternalLink url={wallet.topup_url} title="Top up" />
          </dd>
        </div>
      </dl>
    )}
  </QueryView>
)

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
  const spent = useQuery({
    queryKey: ["usage", query],
    queryFn: () => run((api) => api.account.usage({ query })),
    placeholderData: keepPreviousData
  })
  return (
    <QueryView query={spent} lines={8} label="Loading what was spent">
      {(usage) => (
        <div className="stack" aria-busy={spent.isPlaceholderData}>
          <LiveRegion text={`Spent: ${creditsText(usage.total.cost_cents)} credits`} />
          <Spending usage={usage} now={choice.end === undefined ? new Date(usage.window.end) : now} />
        </div>
      )}
    </QueryView>
  )
}

const Chosen = ({ now }: { readonly now: Date }) => {
  const [choice, choose] = useChoice(now)
  return (
    <>
      <Section title="What to show">
        <UsageForm choice={choice} choose={choose} now={now} />
      </Section>
      <Spent choice={choice} now={now} />
    </>
  )
}

/** The wallet, the spending and every movement of money. */
export const UsagePage = () => {
  const { data: now } = useQuery({
    queryKey: ["now"],
    queryFn: serverNow,
    // Ranges up to now change at midnight UTC.
    refetchInterval: ({ state: { data } }) => data !== undefined && restOfDayMillis(data)
  })
  return (
    <Page title="Usage and wallet" lead="The balance, what was spent on what, and every ledger entry.">
      <Wallet />
      {now === undefined ? <Loading lines={8} label="Loading what was spent" /> : <Chosen now={now} />}
      <Section title="Charges">
        <ChargeTable />
      </Section>
      <Section title="Ledger">
        <p className="muted">Each hash covers its movement and the previous hash, so no change goes unnoticed.</p>
        <LedgerTable />
      </Section>
    </Page>
  )
}
