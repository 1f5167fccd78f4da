import { CopyButton } from "@sightline/dashboard/kit/CopyButton.tsx"
import { Fact, Facts } from "@sightline/dashboard/kit/Facts.tsx"
import { Page, Section } from "@sightline/dashboard/kit/Page.tsx"
import { QueryView } from "@sightline/dashboard/kit/States.tsx"
import { Money } from "./Money.tsx"
import { useWallet } from "./Wallet.ts"

const HowTo = () => (
  <QueryView query={useWallet()} lines={2}>
    {({ account, balance_cents, environment }) => (
      <Facts>
        <Fact name="To spend">
          <Money cents={balance_cents} /> credits ({environment})
        </Fact>
        <Fact name="Account">
          <code>{account.id}</code> <CopyButton text={account.id} of="the account's id" />
        </Fact>
      </Facts>
    )}
  </QueryView>
)

/** The page that a 402 links to, on an installation that configures no top-up page of its own. */
export const BillingPage = () => (
  <Page title="Top up" lead="Credits are added by whoever runs this installation.">
    <Section title="What to tell them">
      <HowTo />
    </Section>
  </Page>
)
