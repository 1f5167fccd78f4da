import { Tabs } from "@base-ui/react/tabs"
import { Page } from "@sightline/dashboard/kit/Page.tsx"
import { useSearchParams } from "wouter"
import { AskTab } from "./AskTab.tsx"
import { CheckTab } from "./CheckTab.tsx"
import { CompareTab } from "./CompareTab.tsx"
import { DiscoverTab } from "./DiscoverTab.tsx"

const tabs = [
  { value: "check", title: "Check", panel: CheckTab },
  { value: "compare", title: "Compare", panel: CompareTab },
  { value: "ask", title: "Ask", panel: AskTab },
  { value: "discover", title: "Discover", panel: DiscoverTab }
] as const

/** Forms for every call that spends. Calls made here are charged like any other. */
export const PlaygroundPage = () => {
  const [search, setSearch] = useSearchParams()
  const shown = tabs.find(({ value }) => value === search.get("call"))?.value ?? "check"
  return (
    <Page title="Playground" lead="Each run is a real call of this key's environment and is charged as one.">
      <Tabs.Root
        value={shown}
        onValueChange={(value) => setSearch({ call: String(value) })}
        render={<div className="stack" />}
      >
        <Tabs.List className="tabs">
          {tabs.map(({ value, title }) => (
            <Tabs.Tab key={value} value={value}>
              {title}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map(({ value, panel: Panel }) => (
          // Tabs stay mounted, so that an answer that was paid for is not lost.
          <Tabs.Panel key={value} value={value} keepMounted render={<div className="stack" />}>
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs.Root>
    </Page>
  )
}
