import { Page } from "./Page.tsx"

/** How visible the account's brands are. */
export const OverviewPage = () => (
  <Page title="Overview">
    <p>…</p>
  </Page>
)
