import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"
import { Fact, Facts } from "@sightline/dashboard/kit/Facts.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { Awaited } from "@sightline/dashboard/kit/States.tsx"
import { Money } from "./Money.tsx"
import { useWallet } from "./Wallet.ts"

const HowTo = () => {
  const wallet = useWallet()
  const { data } = wallet
  if (data === undefined) return <Awaited query={wallet} lines={2} />
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
