import { useQuery } from "@tanstack/react-query"
import { CopyButton } from "./CopyButton.tsx"
import { Fact, Facts } from "./Facts.tsx"
import { Money } from "./Money.tsx"
import { Page, Section } from "./Page.tsx"
import { run } from "./Query.ts"
import { FailureNote, Loading } from "./States.tsx"

const HowTo = () => {
  const { data, error, refetch } = useQuery({ queryKey: ["wallet"], queryFn: () => run((api) => api.wallet.read()) })
  if (data === undefined)
    return error === null ? <Loading lines={2} /> : <FailureNote failure={error} onRetry={() => void refetch()} />
  return (
    <Facts>
      <Fact name="To spend">
        <Money cents={data.balance_cents} /> credits ({data.environment})
      </Fact>
      <Fact name="Account">
        <code>{data.account.id}</code> <CopyButton text={data.account.id} of="the account's id" />
      </Fact>
    </Facts>
  )
}

/** Where a refusal for want of credits leads on an installation that names no page of its own for it. */
export const BillingPage = () => (
  <Page title="Top up" lead="Credits are added by whoever runs this installation.">
    <Section title="What to tell them">
      <HowTo />
    </Section>
  </Page>
)
